/**
 * What may be told of designations: they follow from each other, each names another version, and
 * none is lost or made twice. Designating the designated version changes nothing, so a designation
 * that was acknowledged must be in the history only where another version was designated before it.
 * Every answer names a revision, and must say what the history says of that revision.
 */
import type { Asked, FactOf } from "../record/Facts.ts"

type Creation = FactOf<"VersionCreated">
type Change = FactOf<"PresetChanged">
type Listed = FactOf<"DesignationsListed">
type Sight = FactOf<"PresetSeen">

/** A change that designates, or may have: a version designates itself when it is made. */
interface Wish extends Asked {
  /** The version; null where nobody was told. */
  readonly to: number | null
  readonly isDone: boolean
  readonly isOpen: boolean
}

const isBefore = (a: Asked, b: Asked): boolean => a.endedAt < b.beganAt

const wishesOf = (
  creations: ReadonlyArray<Creation>,
  changes: ReadonlyArray<Change>
): ReadonlyArray<Wish> =>
  [
    ...creations.map((each) => ({ ...each, to: each.version, isDone: each.version !== null })),
    ...changes
  ].filter(({ isDone, isOpen }) => isDone || isOpen)

/** Whether another version was designated for certain when this one was asked for. */
const isCertain = (wish: Wish, all: ReadonlyArray<Wish>): boolean => {
  const others = all.filter((each) => each !== wish && !isBefore(wish, each))
  const [last] = others.toSorted((one, other) => other.endedAt - one.endedAt)
  return (
    last !== undefined &&
    last.to !== null &&
    last.to !== wish.to &&
    others.every(
      (each) => !each.isOpen && isBefore(each, wish) && (each === last || isBefore(each, last))
    )
  )
}

/** Each further designation of a version was asked for, and is there where it changed something. */
const auditCounts = (
  { designations, slug }: Listed,
  {
    creations,
    wanted
  }: { readonly creations: ReadonlyArray<Creation>; readonly wanted: ReadonlyArray<Change> }
): ReadonlyArray<string> => {
  const wishes = wishesOf(creations, wanted)
  return [...new Set(designations.map(({ to }) => to))].flatMap((version) => {
    const times = designations.filter(({ to }) => to === version).length - 1
    const asked = wishesOf([], wanted).filter(({ to }) => to === version)
    const certain = wanted.filter(
      (each) => each.to === version && each.isDone && isCertain(each, wishes)
    )
    const isWithin = times >= certain.length && times <= asked.length
    return isWithin ? [] : [`${slug}@${version} was designated ${times} times`]
  })
}

const auditChain = ({ designatedVersion, designations, slug }: Listed): ReadonlyArray<string> => {
  const isChain = designations.every(
    ({ from, revision, to }, index) =>
      from === (designations[index - 1]?.to ?? null) &&
      from !== to &&
      revision > (designations[index - 1]?.revision ?? 0)
  )
  const isLast = designations.at(-1)?.to === designatedVersion
  return isChain && isLast ? [] : [`the designations of ${slug} do not follow from each other`]
}

/** What was acknowledged or read at a revision is in the history, for as long as there is one. */
const auditSights = (
  { designations, revision, slug }: Listed,
  sights: ReadonlyArray<Sight>
): ReadonlyArray<string> =>
  sights.flatMap((sight) => {
    if (sight.designatedVersion === null) return []
    const then = designations.findLast((each) => each.revision <= sight.revision)
    return sight.revision <= revision && then?.to === sight.designatedVersion
      ? []
      : [`${slug} showed version ${sight.designatedVersion} at revision ${sight.revision}`]
  })

/** The rules about the designations of a preset, with all that was asked and shown of it. */
export const auditDesignations = (
  listed: Listed,
  asked: {
    readonly creations: ReadonlyArray<Creation>
    readonly changes: ReadonlyArray<Change>
    readonly sights: ReadonlyArray<Sight>
  }
): ReadonlyArray<string> => {
  const wanted = asked.changes.filter(({ kind }) => kind === "Designate")
  return [
    ...auditChain(listed),
    ...auditSights(listed, asked.sights),
    ...auditCounts(listed, { creations: asked.creations, wanted })
  ]
}
