/**
 * What removers of presets may be told: what was removed is gone with all that it had, nothing else
 * is, and a protected label keeps its preset in service for those who may not move it.
 */
import { type Fact, type FactOf, factsOf, type Asked as Span } from "../record/Facts.ts"
import { isHeld, type Protection, protectionsOf } from "./Protections.ts"
import type { Violation } from "./Violation.ts"

type Asked = FactOf<"RemovalAsked">
type Listed = FactOf<"RemovalListed">

const isBefore = (one: Span, other: Span): boolean => one.endedAt < other.beganAt

const isPossible = ({ isDone, isOpen }: Asked): boolean => isDone || isOpen

const isRemoval = ({ wish }: Asked): boolean => wish.kind === "Remove"

/** Whoever asks after a removal sees nothing of what was removed. */
const auditGone = (asked: ReadonlyArray<Asked>, listed: Listed): ReadonlyArray<string> => {
  const removals = asked.filter((each) => each.isDone && isRemoval(each))
  const end = { beganAt: listed.at, endedAt: listed.at, seen: listed.seen }
  const back = removals.flatMap((removal) =>
    [...asked, end].filter(
      ({ beganAt, endedAt, seen }) =>
        seen?.id === removal.seen?.id && isBefore(removal, { beganAt, endedAt })
    )
  )
  const left = listed.left.filter(({ rows }) => rows > 0)
  return [
    ...back.map(({ seen }) => `${seen?.id} was removed and is shown`),
    ...left.map(({ id, rows }) => `${rows} rows are left of ${id}`)
  ]
}

/** A version that was acknowledged is there, unless its preset may have been removed since. */
const auditLost = (asked: ReadonlyArray<Asked>, listed: Listed): ReadonlyArray<string> =>
  asked.flatMap((creation) => {
    const { made, seen, wish } = creation
    if (wish.kind !== "Create" || made === null || seen === null) return []
    if (listed.seen?.id === seen.id) {
      return listed.comments[made - 1] === wish.comment ? [] : [`version ${made} is not there`]
    }
    const hasGone = asked.some(
      (each) =>
        isRemoval(each) &&
        isPossible(each) &&
        !isBefore(each, creation) &&
        (each.seen === null || each.seen.id === seen.id)
    )
    return hasGone ? [] : [`${seen.id} is gone and nobody has removed it`]
  })

/** Only what is archived is removed. */
const auditArchived = (asked: ReadonlyArray<Asked>): ReadonlyArray<string> =>
  asked.flatMap((removal) => {
    if (!isRemoval(removal) || !removal.isDone) return []
    const isArchived = asked.some(
      (each) => each.wish.kind === "Archive" && isPossible(each) && each.beganAt < removal.endedAt
    )
    return isArchived ? [] : [`${removal.seen?.id} was removed and never archived`]
  })

/** Whether it was this change of status that was done, and no other one. */
const isOwn = (change: Asked, asked: ReadonlyArray<Asked>): boolean =>
  asked.some((sight) => {
    if (sight.seen?.id !== change.seen?.id || sight.seen?.status === change.seen?.status) {
      return false
    }
    const others = asked.filter(
      (each) =>
        each !== change &&
        (each.wish.kind === "Archive" || each.wish.kind === "Restore") &&
        isPossible(each) &&
        each.beganAt < change.endedAt &&
        (each.isOpen || each.endedAt > sight.beganAt)
    )
    return isBefore(sight, change) && others.every((each) => each === sight)
  })

const auditService = (
  asked: ReadonlyArray<Asked>,
  protections: ReadonlyArray<Protection>
): ReadonlyArray<string> =>
  asked.flatMap((change) => {
    const { isDone, seen, wish } = change
    const isPlain = "by" in wish && wish.by === "plain"
    if (!isPlain || !isDone || seen === null) return []
    const label = seen.labels.find((each) => isHeld(protections, { ...change, label: each }))
    const isDecided = wish.kind === "Remove" || isOwn(change, asked)
    return label !== undefined && isDecided
      ? [`${wish.kind} was done although ${label} is protected`]
      : []
  })

/** The rules about removal. */
export const auditPresetRemovals = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const asked = factsOf(facts, "RemovalAsked")
  const listed = factsOf(facts, "RemovalListed")
  const protections = protectionsOf(factsOf(facts, "LabelAsked"))
  const wrong = listed.flatMap((each) => [
    ...auditGone(asked, each),
    ...auditLost(asked, each),
    ...auditArchived(asked)
  ])
  const service = auditService(asked, protections)
  return [
    ...wrong.map((what) => ({
      rule: "a preset that is removed is gone, and no other one is",
      what
    })),
    ...service.map((what) => ({ rule: "a protected label keeps its preset in service", what }))
  ]
}
