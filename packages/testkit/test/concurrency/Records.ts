/** Histories of a few records, written by hand: a question, its answer, and when. */
import type {
  Answers,
  Ask,
  Questions,
  Recorded,
  RecordOf
} from "#src/concurrency/questions/Question"
import type { Outcome } from "#src/model/Linear"

/** When a question was asked and answered, in milliseconds. */
type Interval = readonly [invoked: number, returned: number]

const recordOf = <A extends Ask>(given: {
  readonly ask: A
  readonly question: Questions[A]
  readonly outcome: Outcome<Answers[A]>
  readonly when: Interval
  readonly id: number
}): RecordOf<A> => {
  const { when, ...record } = given
  return { ...record, invoked: when[0], returned: when[1], by: "1.1" }
}

/** A question that was answered. */
export const answered = <A extends Ask>(
  ask: A,
  given: {
    readonly question: Questions[A]
    readonly answer: Answers[A]
    readonly when: Interval
    readonly id?: number
  }
): RecordOf<A> => {
  const { answer, id = given.when[0], ...rest } = given
  return recordOf<A>({ ...rest, ask, id, outcome: { is: "answered", answer } })
}

/** The same question with another outcome. */
export const refused = <A extends Ask>(
  record: RecordOf<A>,
  reason = "Superseded"
): RecordOf<A> => ({
  ...record,
  outcome: { is: "refused", reason }
})

/** The same question, with an unknown outcome. */
export const unanswered = <A extends Ask>(record: RecordOf<A>): RecordOf<A> => ({
  ...record,
  outcome: { is: "unknown", cause: "ConnectionError" }
})

/** The same questions, asked at the end of a round. */
export const atEnd = (...records: ReadonlyArray<Recorded>): ReadonlyArray<Recorded> =>
  records.map((record) => ({ ...record, by: "end" }))
