/**
 * Protected labels: nobody who takes a label for free moves it while it is protected for certain,
 * and nobody is refused for a protection that there cannot have been.
 */
import type { Recorded, RecordOf } from "../questions/Question.ts"
import { lateMillis } from "./Occurrence.ts"
import { tellRecord } from "./Sentences.ts"

/** A stretch of time. */
interface Stretch {
  readonly from: number
  readonly until: number
}

type Deciding = RecordOf<"protect"> | RecordOf<"unprotect">

const isDeciding = (record: Recorded): record is Deciding =>
  record.ask === "protect" || record.ask === "unprotect"

/** Until when a question may have taken effect; none when it cannot have. */
const endOf = ({ outcome, returned }: Recorded): number | undefined => {
  if (outcome.is === "refused") return undefined
  return outcome.is === "answered" ? returned : returned + lateMillis
}

/** When something that was done by one kind of question held for certain. */
const stretchesOf = (
  decisions: ReadonlyArray<Deciding>,
  made: Deciding["ask"]
): ReadonlyArray<Stretch> => {
  const undone = decisions.filter(({ ask }) => ask !== made)
  return decisions.flatMap((decision) => {
    const { ask, invoked, outcome, returned } = decision
    if (ask !== made || outcome.is !== "answered") return []
    const ends = undone.map((other) => ({ from: other.invoked, until: endOf(other) }))
    const isOpen = ends.some(({ from, until = -1 }) => from < returned && until > invoked)
    if (isOpen) return []
    const later = ends.filter(({ from, until }) => until !== undefined && from >= returned)
    const until = Math.min(Number.POSITIVE_INFINITY, ...later.map(({ from }) => from))
    return [{ from: returned, until }]
  })
}

type Revising = RecordOf<"revise">

const isTaking = (record: Recorded): record is Revising =>
  record.ask === "revise" && record.question.change.isFree === true

const isWithin = ({ invoked, returned }: Recorded, stretches: ReadonlyArray<Stretch>): boolean =>
  stretches.some(({ from, until }) => from < invoked && returned < until)

/** Moves that were done in spite of a protection. */
export const protectionsHold = (records: ReadonlyArray<Recorded>): ReadonlyArray<string> => {
  const decisions = Map.groupBy(records.filter(isDeciding), ({ question }) => question.label)
  const taking = records.filter(isTaking)
  return Array.from(decisions, ([label, own]) => {
    const held = stretchesOf(own, "protect")
    return taking
      .filter(
        (record) =>
          record.question.change.label === label &&
          record.outcome.is === "answered" &&
          isWithin(record, held)
      )
      .map(
        (record) =>
          `the protected label ${label} was moved as if it were free:\n${tellRecord(record)}`
      )
  }).flat()
}

/** Says of a change that takes a label for free whether somebody may have protected the label. */
export const makeMayBeHeld = (
  records: ReadonlyArray<Recorded>
): ((record: Recorded) => boolean) => {
  const decisions = Map.groupBy(records.filter(isDeciding), ({ question }) => question.label)
  const free = new Map(
    Array.from(decisions, ([label, own]) => [label, stretchesOf(own, "unprotect")] as const)
  )
  return (record) => {
    const label = isTaking(record) ? record.question.change.label : undefined
    return label !== undefined && !isWithin(record, free.get(label) ?? [])
  }
}
