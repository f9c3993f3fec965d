/**
 * Creates records for handwritten histories. A record has a call, its answer, and the times of its
 * start and end.
 */
import type {
  Answers,
  CallName,
  Calls,
  Recorded,
  RecordOf
} from "#src/concurrency/calls/CallRecord"
import type { Outcome } from "#src/model/Linear"

/** A call's start and end, in milliseconds. */
type Interval = readonly [invoked: number, returned: number]

const recordOf = <A extends CallName>(given: {
  readonly call: A
  readonly input: Calls[A]
  readonly outcome: Outcome<Answers[A]>
  readonly when: Interval
  readonly id: number
}): RecordOf<A> => {
  const { when, ...record } = given
  return { ...record, invoked: when[0], returned: when[1], by: "1.1" }
}

/** Records an answered call. */
export const answered = <A extends CallName>(
  call: A,
  given: {
    readonly input: Calls[A]
    readonly answer: Answers[A]
    readonly when: Interval
    readonly id?: number
  }
): RecordOf<A> => {
  const { answer, id = given.when[0], ...rest } = given
  return recordOf<A>({ ...rest, call, id, outcome: { is: "answered", answer } })
}

/** Returns the call with another outcome. */
export const refused = <A extends CallName>(
  record: RecordOf<A>,
  reason = "Superseded"
): RecordOf<A> => ({
  ...record,
  outcome: { is: "refused", reason }
})

/** Returns the call with an unknown outcome. */
export const unanswered = <A extends CallName>(record: RecordOf<A>): RecordOf<A> => ({
  ...record,
  outcome: { is: "unknown", cause: "ConnectionError" }
})

/** Returns the calls as if they were made at the end of a round. */
export const atEnd = (...records: ReadonlyArray<Recorded>): ReadonlyArray<Recorded> =>
  records.map((record) => ({ ...record, by: "end" }))
