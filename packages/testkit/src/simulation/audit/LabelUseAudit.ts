/**
 * What labels are good for: each resolves to where its history says that it pointed meanwhile, and
 * a protected one is moved by nobody who may not.
 */
import type { FactOf, Asked as Span } from "../record/Facts.ts"
import type { Pointers } from "../record/LabelFacts.ts"
import { isHeld, type Protection, protectionsOf } from "./Protections.ts"
import type { Violation } from "./Violation.ts"

type Asked = FactOf<"LabelAsked">
type Listed = FactOf<"LabelsListed">

/** Where labels point after the moves up to a revision. */
export const foldMoves = (moves: Listed["moves"], revision: number): Pointers => {
  const pointers = new Map<string, number>()
  for (const { label, to } of moves.filter((move) => move.revision <= revision)) {
    if (to === null) pointers.delete(label)
    else pointers.set(label, to)
  }
  return Object.fromEntries(pointers)
}

/** The revisions that there may have been while something was asked. */
const revisionsOf = (
  { beganAt, endedAt }: Span,
  { asked, last }: { readonly asked: ReadonlyArray<Asked>; readonly last: number }
) => {
  const shown = (isMeant: (fact: Asked) => boolean) =>
    asked.filter(isMeant).flatMap(({ seen }) => (seen === null ? [] : [seen.revision]))
  const least = Math.max(1, ...shown((other) => other.endedAt < beganAt))
  const most = Math.min(last, ...shown((other) => other.beganAt > endedAt))
  return { least, most }
}

/** Nothing is called `constructor` unless somebody has called it so. */
const meaningOf = (pointers: Pointers, label: string): number | null =>
  new Map(Object.entries(pointers)).get(label) ?? null

/** A label means what it meant at some revision while it was asked for. */
export const auditMeanings = (
  { moves, revision: last }: Listed,
  asked: ReadonlyArray<Asked>
): ReadonlyArray<Violation> =>
  asked.flatMap((fact) => {
    const { resolved, wish } = fact
    if (wish.kind !== "Resolve" || resolved === undefined) return []
    const { least, most } = revisionsOf(fact, { asked, last })
    const ends = moves.map(({ revision }) => revision)
    const seen = [least, ...ends.filter((revision) => revision > least && revision <= most)]
    const isPossible = seen.some(
      (revision) => meaningOf(foldMoves(moves, revision), wish.label) === resolved
    )
    const what = `${wish.label} meant ${resolved ?? "nothing"} between ${least} and ${most}`
    return isPossible ? [] : [{ rule: "a label resolves to where its history says", what }]
  })

const rule = "a protected label is moved by those alone who may"

/** Whether a move was written for certain while its label was protected. */
const isWithin = (
  revision: number,
  { asked, protection }: { asked: ReadonlyArray<Asked>; protection: Protection }
): boolean => {
  const { from, until } = protection
  const isAfter = asked.some(
    ({ beganAt, seen }) => beganAt >= from && (seen?.revision ?? revision) < revision
  )
  const isBefore =
    until === Number.POSITIVE_INFINITY ||
    asked.some(({ endedAt, seen }) => endedAt < until && (seen?.revision ?? 0) >= revision)
  return isAfter && isBefore
}

/** Whoever may not move a label is told so, and moves it in no other way. */
export const auditProtection = (
  { moves }: Listed,
  asked: ReadonlyArray<Asked>
): ReadonlyArray<Violation> => {
  const protections = protectionsOf(asked)
  const told = asked.filter(
    ({ beganAt, endedAt, isDone, wish }) =>
      isDone &&
      (wish.kind === "Move" || wish.kind === "Remove") &&
      wish.by === "plain" &&
      isHeld(protections, { label: wish.label, beganAt, endedAt })
  )
  const moved = moves.filter(
    ({ by, label, revision }) =>
      by === "plain" &&
      protections.some(
        (protection) => protection.label === label && isWithin(revision, { asked, protection })
      )
  )
  return [
    ...told.map(({ wish }) => ({ rule, what: `${JSON.stringify(wish)} was done` })),
    ...moved.map(({ label, revision }) => ({ rule, what: `${label} moved to make ${revision}` }))
  ]
}
