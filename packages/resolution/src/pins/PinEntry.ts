/**
 * All that is known of one reference, as a machine. Questions are numbered as they are sent. Those
 * that overlap may be answered in any order, and nobody knows which answer is the newer one: so the
 * first one counts, and the others are for those who asked. Time comes in with each event.
 */
import { elapsedMillis, type Moment } from "./Moment.ts"
import { mayServe, type Pin, type PinLimits } from "./Pin.ts"

/** A question on its way. */
export interface Question {
  readonly number: number
  readonly sentAt: Moment
}

/** What is known of a reference. */
export interface PinEntry {
  /** Absent before the first answer, and once the reference means nothing. */
  readonly pin?: Pin | undefined
  /** Questions without an answer, the oldest first. */
  readonly questions: ReadonlyArray<Question>
  /** Number of the last question that was sent before the last answer came. */
  readonly settled: number
  /** The last question failed, as the ones before it. */
  readonly trouble?: { readonly at: Moment; readonly failures: number } | undefined
}

/** What comes of a question: the reference means a version, or nothing, or nobody knows. */
export type Outcome =
  | { readonly _tag: "Answered"; readonly pin: Pin }
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Failed"; readonly at: Moment }

/** What to do for whoever wants to know what a reference means. */
export type Decision =
  /** It is answered at once; `isDue`: ask in the background. */
  | {
      readonly _tag: "Give"
      readonly pin: Pin
      readonly ageMillis: number
      readonly isStale: boolean
      readonly isDue: boolean
    }
  /** It shares the answer to a question that is on its way. */
  | { readonly _tag: "Join"; readonly number: number }
  | { readonly _tag: "Ask" }

/** Nothing is known. Answers to questions up to this number are none of this entry's. */
export const makeEntry = (settled: number): PinEntry => ({ questions: [], settled })

/** From this part of `maxAge` on, it is asked in the background. */
const refreshAt = 0.5

/** After a failure nobody asks for so long in the background; twice as long after each further. */
const pauseMillis = { first: 1_000, max: 10_000 }

/**
 * For so long after a failure, what is old is given at once, instead of after another failure. It
 * covers the longest pause and a question that times out.
 */
const troubleMillis = 30_000

const pauseAfter = (failures: number): number =>
  Math.min(pauseMillis.max, pauseMillis.first * 2 ** (failures - 1))

const isDue = ({ questions, trouble }: PinEntry, now: Moment): boolean =>
  questions.length === 0 &&
  (trouble === undefined || elapsedMillis(trouble.at, now) >= pauseAfter(trouble.failures))

/** The last known answer and its age, unless it is too old even when there is no other. */
export const lastKnown = (
  { pin }: PinEntry,
  now: Moment,
  limits: PinLimits
): Omit<Extract<Decision, { _tag: "Give" }>, "_tag" | "isDue"> | undefined => {
  if (pin === undefined) return undefined
  const ageMillis = elapsedMillis(pin.askedAt, now)
  if (ageMillis < limits.maxAge) return { pin, ageMillis, isStale: false }
  return mayServe(ageMillis, limits) ? { pin, ageMillis, isStale: true } : undefined
}

/** What to do for a caller of this moment. */
export const decide = (entry: PinEntry, now: Moment, limits: PinLimits): Decision => {
  const { questions, trouble } = entry
  const known = lastKnown(entry, now, limits)
  if (known !== undefined && !known.isStale) {
    const isOld = known.ageMillis >= limits.maxAge * refreshAt
    return { _tag: "Give", ...known, isDue: isOld && isDue(entry, now) }
  }
  const isTroubled = trouble !== undefined && elapsedMillis(trouble.at, now) < troubleMillis
  if (known !== undefined && isTroubled) return { _tag: "Give", ...known, isDue: isDue(entry, now) }
  const latest = questions.at(-1)
  const isOpen = latest !== undefined && latest.number > entry.settled
  return isOpen && elapsedMillis(latest.sentAt, now) < limits.maxAge
    ? { _tag: "Join", number: latest.number }
    : { _tag: "Ask" }
}

/** A question was sent. */
export const asked = (entry: PinEntry, question: Question): PinEntry => ({
  ...entry,
  questions: [...entry.questions, question]
})

const withoutQuestion = (entry: PinEntry, number: number): PinEntry => ({
  ...entry,
  questions: entry.questions.filter((question) => question.number !== number)
})

/**
 * A question had an outcome. That a reference means nothing counts in any case: whoever was told so
 * must not be given afterwards what somebody else had asked for before.
 */
export const settle = (entry: PinEntry, number: number, outcome: Outcome): PinEntry => {
  const isLate = number <= entry.settled
  if (isLate && outcome._tag !== "Gone") return withoutQuestion(entry, number)
  if (outcome._tag === "Failed") {
    const trouble = { at: outcome.at, failures: (entry.trouble?.failures ?? 0) + 1 }
    return { ...withoutQuestion(entry, number), trouble }
  }
  return {
    pin: outcome._tag === "Answered" ? outcome.pin : undefined,
    questions: entry.questions.filter((question) => question.number > number),
    settled: Math.max(entry.settled, number, entry.questions.at(-1)?.number ?? 0)
  }
}
