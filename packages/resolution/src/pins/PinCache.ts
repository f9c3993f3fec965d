/**
 * What is known of many references: no more of them, and no more text, than the limits say. What
 * was not used for the longest time goes first. Nothing here waits or looks at a clock.
 */
import { elapsedMillis, type Moment } from "./Moment.ts"
import type { Pin, PinLimits, PinnedVersion } from "./Pin.ts"

/** What is known of one reference. */
export interface PinEntry<Question> {
  /** Absent before the first answer, and once the reference means nothing. */
  pin?: Pin | undefined
  /** Of the pin. */
  characters: number
  /** Questions whose answers may become the pin, the oldest first. */
  readonly questions: Set<Question>
  /** The last question failed, as the ones before it. */
  trouble?: { readonly at: Moment; readonly failures: number } | undefined
}

/** The last known version of a reference, and its age. */
export interface Known {
  readonly pinned: PinnedVersion
  readonly ageMillis: number
  readonly isStale: boolean
}

/** From this part of `maxAge` on, it is asked in the background. */
const refreshAt = 0.5

/** After a failure nobody asks for so long in the background; twice as long after each further. */
const pauseMillis = { first: 1_000, max: 10_000 }

/**
 * For so long after a failure, what is old is given at once, instead of after another failure. It
 * covers the longest pause and a question that times out.
 */
const troubleMillis = 30_000

/** The last known answer, unless it is too old even when there is no other. */
export const lastKnown = (
  { pin }: Pick<PinEntry<unknown>, "pin">,
  now: Moment,
  { maxAge, staleIfError }: PinLimits
): Known | undefined => {
  if (pin === undefined) return undefined
  const ageMillis = elapsedMillis(pin.askedAt, now)
  return ageMillis < maxAge + staleIfError
    ? { pinned: pin.pinned, ageMillis, isStale: ageMillis >= maxAge }
    : undefined
}

/** Whether an answer is given at once: a young one, or an old one while the registry is away. */
export const isGiven = ({ trouble }: PinEntry<unknown>, { isStale }: Known, now: Moment): boolean =>
  !isStale || (trouble !== undefined && elapsedMillis(trouble.at, now) < troubleMillis)

/** Whether to ask in the background for an answer that is given. */
export const isDue = (
  { questions, trouble }: PinEntry<unknown>,
  age: Pick<Known, "ageMillis"> & Pick<PinLimits, "maxAge">,
  now: Moment
): boolean => {
  if (questions.size > 0 || age.ageMillis < age.maxAge * refreshAt) return false
  if (trouble === undefined) return true
  const pause = Math.min(pauseMillis.max, pauseMillis.first * 2 ** (trouble.failures - 1))
  return elapsedMillis(trouble.at, now) >= pause
}

/** What comes of a question: the reference means a version, or nothing, or nobody knows. */
export type Outcome =
  | { readonly _tag: "Answered"; readonly pin: Pin }
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Failed"; readonly at: Moment }

const charactersOf = ({ version }: PinnedVersion): number =>
  (version.systemPrompt?.length ?? 0) + JSON.stringify(version.config).length

/**
 * Takes the outcome of a question. Those that overlap may be answered in any order, and nobody
 * knows which answer is the newer one: so the first one counts, and the others are for those who
 * asked. Gives the earlier questions, which a later answer answers as well.
 */
const settle = <Question>(
  entry: PinEntry<Question>,
  question: Question,
  outcome: Outcome
): ReadonlyArray<Question> => {
  const open = [...entry.questions]
  const earlier = open.slice(0, Math.max(0, open.indexOf(question)))
  const isOpen = entry.questions.delete(question)
  if (outcome._tag === "Failed") {
    const failures = (entry.trouble?.failures ?? 0) + 1
    if (isOpen) entry.trouble = { at: outcome.at, failures }
    return []
  }
  if (outcome._tag === "Answered" && isOpen) {
    const { pin } = outcome
    if (pin.pinned !== entry.pin?.pinned) entry.characters = charactersOf(pin.pinned)
    entry.pin = pin
    entry.trouble = undefined
    entry.questions.clear()
  }
  return earlier
}

/** Remembers what references meant. */
export class PinCache<Question> {
  readonly #limits: PinLimits
  /** The one that was used last comes last. */
  readonly #entries = new Map<string, PinEntry<Question>>()

  constructor(limits: PinLimits) {
    this.#limits = limits
  }

  /** What is known of a reference, for a caller. */
  use(reference: string): PinEntry<Question> {
    const known = this.#entries.get(reference)
    const entry = known ?? { characters: 0, questions: new Set<Question>() }
    this.#entries.delete(reference)
    this.#entries.set(reference, entry)
    if (known === undefined) this.#shrink()
    return entry
  }

  /** The last answer that may still be given. */
  lastKnown(reference: string, now: Moment): Known | undefined {
    return lastKnown(this.#entries.get(reference) ?? {}, now, this.#limits)
  }

  /**
   * Takes the outcome of a question, and gives the earlier ones, which it answers as well. Of a
   * forgotten reference nothing is kept. One that means nothing is forgotten in any case: whoever
   * was told so must not be given afterwards what somebody else had asked for before.
   */
  settle(
    reference: string,
    { entry, question }: { readonly entry: PinEntry<Question>; readonly question: Question },
    outcome: Outcome
  ): ReadonlyArray<Question> {
    const earlier = settle(entry, question, outcome)
    const isEmpty = entry.pin === undefined && entry.questions.size === 0
    const isCurrent = this.#entries.get(reference) === entry
    if (outcome._tag === "Gone" || (isCurrent && isEmpty)) this.#entries.delete(reference)
    else if (isCurrent) this.#shrink()
    return earlier
  }

  #shrink(): void {
    const { characterMax, referenceMax } = this.#limits
    let characters = 0
    for (const entry of this.#entries.values()) characters += entry.characters
    for (const [reference, entry] of this.#entries) {
      if (this.#entries.size <= referenceMax && characters <= characterMax) return
      this.#entries.delete(reference)
      characters -= entry.characters
    }
  }
}
