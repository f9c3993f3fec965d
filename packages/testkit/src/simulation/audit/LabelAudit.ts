/**
 * What keepers of labels may be told: the moves of each label follow from each other and lead to
 * where it is, every answer shows what the history says of its revision, what was acknowledged is
 * there once, and nothing points to a version that has lost its content.
 */
import { type Fact, type FactOf, factsOf } from "../record/Facts.ts"
import type { Pointers } from "../record/LabelFacts.ts"
import { auditMeanings, auditProtection, foldMoves } from "./LabelUseAudit.ts"
import type { Violation } from "./Violation.ts"

type Asked = FactOf<"LabelAsked">
type Listed = FactOf<"LabelsListed">

const rule = "the labels of a preset are where their history says"

const textOf = (pointers: Pointers): string =>
  JSON.stringify(Object.entries(pointers).sort(([one], [other]) => (one < other ? -1 : 1)))

const auditMoves = ({ labels, moves, revision }: Listed): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  for (const [label, own] of Map.groupBy(moves, (move) => move.label)) {
    const isChain = own.every(
      ({ from, to }, index) => from === (own[index - 1]?.to ?? null) && from !== to
    )
    if (!isChain) wrong.push(`the moves of ${label} do not follow from each other`)
  }
  const folded = textOf(foldMoves(moves, revision))
  if (folded !== textOf(labels)) wrong.push(`labels are ${textOf(labels)}, moved to ${folded}`)
  return wrong
}

/** Every revision is one thing that is stored. */
const auditRevision = (listed: Listed): ReadonlyArray<string> => {
  const { designations, moves, revision, versions } = listed
  const designating = versions.filter(
    ({ comment }, index) => index === 0 || comment?.startsWith("plain") === true
  )
  const erased = versions.filter(({ isErased }) => isErased)
  const others = designations.length - designating.length
  const count = versions.length + others + moves.length + erased.length
  return count === revision ? [] : [`revision ${revision} has ${count} changes`]
}

const auditErasures = (
  { designated, labels, versions }: Listed,
  asked: ReadonlyArray<Asked>
): ReadonlyArray<string> => {
  const pointed = new Set([designated, ...Object.values(labels)])
  return versions.flatMap(({ hasContent, isErased }, index) => {
    const version = index + 1
    const tries = asked.filter(({ wish }) => wish.kind === "Erase" && wish.version === version)
    const wrong: Array<string> = []
    if (isErased === hasContent) wrong.push(`version ${version} is erased and has its content`)
    if (isErased && pointed.has(version)) wrong.push(`something points to erased ${version}`)
    if (isErased && !tries.some(({ isDone, isOpen }) => isDone || isOpen)) {
      wrong.push(`nobody has erased version ${version}`)
    }
    if (!isErased && tries.some(({ isDone }) => isDone)) wrong.push(`${version} is not erased`)
    return wrong
  })
}

const auditVersions = (
  { versions }: Listed,
  asked: ReadonlyArray<Asked>
): ReadonlyArray<string> => {
  const comments = versions.map(({ comment }) => comment)
  const twice = comments.filter((comment, index) => comments.indexOf(comment) !== index)
  const lost = asked.filter(
    ({ made, wish }) =>
      made !== null &&
      (wish.kind === "Create" || wish.kind === "Stage") &&
      comments[made - 1] !== wish.comment
  )
  return [
    ...twice.map((comment) => `${comment} came twice`),
    ...lost.map(({ made }) => `version ${made} is not there`)
  ]
}

/** A move that was acknowledged is there, and no more often than it was asked for. */
const auditWishes = (
  { designations, moves }: Listed,
  asked: ReadonlyArray<Asked>
): ReadonlyArray<string> => {
  const times = (list: ReadonlyArray<string>, one: string) =>
    list.filter((each) => each === one).length
  const moved = moves.map(({ label, to }) => `${label} to ${to}`)
  const wished = (isMeant: (fact: Asked) => boolean) =>
    asked.filter(isMeant).flatMap(({ wish }) => {
      if (wish.kind === "Move") return [`${wish.label} to ${wish.version}`]
      return wish.kind === "Remove" ? [`${wish.label} to null`] : []
    })
  const possible = wished(({ isDone, isOpen }) => isDone || isOpen)
  const lost = wished(({ isDone }) => isDone).filter((one) => !moved.includes(one))
  const undesignated = asked.filter(
    ({ isDone, wish }) =>
      isDone && wish.kind === "Designate" && !designations.includes(wish.version)
  )
  return [
    ...lost.map((one) => `${one} was acknowledged and is not there`),
    ...moved
      .filter((one) => times(moved, one) > times(possible, one))
      .map((one) => `${one} happened more often than it was asked for`),
    ...undesignated.map(() => "a designation was acknowledged and is not there")
  ]
}

const auditSights = (
  { moves, revision: last }: Listed,
  asked: ReadonlyArray<Asked>
): ReadonlyArray<string> =>
  asked.flatMap(({ beganAt, seen }) => {
    if (seen === null) return []
    const { labels, revision } = seen
    const wrong: Array<string> = []
    if (revision > last || textOf(labels) !== textOf(foldMoves(moves, revision))) {
      wrong.push(`revision ${revision} showed ${textOf(labels)}`)
    }
    const newer = asked.find(
      (other) => other.endedAt < beganAt && (other.seen?.revision ?? 0) > revision
    )
    if (newer !== undefined) wrong.push(`revision ${revision} was shown after a newer one`)
    return wrong
  })

/** The rules about labels. */
export const auditLabels = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const asked = factsOf(facts, "LabelAsked")
  const listed = factsOf(facts, "LabelsListed")
  const isLost = listed.length === 0 && asked.some(({ made }) => made !== null)
  const ended = factsOf(facts, "LedgerRead").length > 0
  const wrong = listed.flatMap((each) => [
    ...auditMoves(each),
    ...auditRevision(each),
    ...auditErasures(each, asked),
    ...auditVersions(each, asked),
    ...auditWishes(each, asked),
    ...auditSights(each, asked)
  ])
  const lost = isLost && ended ? ["the preset is not there"] : []
  return [
    ...[...lost, ...wrong].map((what) => ({ rule, what })),
    ...listed.flatMap((each) => auditMeanings(each, asked)),
    ...listed.flatMap((each) => auditProtection(each, asked))
  ]
}
