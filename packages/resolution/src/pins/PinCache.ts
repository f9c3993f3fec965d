/**
 * A least-recently-used cache of pins, with limits on their number and size. The cache never waits,
 * and never reads a clock.
 */
import { elapsedMillis, type Moment, type Pin, type PinLimits, type PinnedVersion } from "./Pin.ts"

/** The cache entry for a reference. */
export interface PinEntry<Question> {
  /** The cached pin; absent before the first answer, and after a refusal. */
  pin?: Pin | undefined
  /** Number of characters in the pin's version. */
  characters: number
  /** Pending queries, oldest first. The answer to any of these queries can become the pin. */
  readonly questions: Set<Question>
  /**
   * The time of the last failure, and the number of failures in a row; undefined if the last query
   * succeeded.
   */
  trouble?: { readonly at: Moment; readonly failures: number } | undefined
}

/** The cached version for a reference, and its age. */
export interface Known {
  readonly pinned: PinnedVersion
  readonly ageMillis: number
  readonly isStale: boolean
}

/** The share of `maxAge` after which a read refreshes the pin in the background. */
const refreshAt = 0.5

/** The pause in background refreshes after a failure. Each further failure doubles the pause. */
const pauseMillis = { first: 1_000, max: 10_000 }

/**
 * The time after a failure during which stale pins are returned immediately, instead of waiting for
 * another query to fail. This time covers the longest pause plus a query that times out.
 */
const troubleMillis = 30_000

/** Returns the cached answer, unless the answer is too old even for an outage. */
export const lastKnown = (
  { pin }: Pick<PinEntry<unknown>, "pin">,
  now: Moment,
  { maxAge, staleIfError }: PinLimits
): Known | undefined => {
  if (pin === undefined) return undefined
  const ageMillis = elapsedMillis(pin.queriedAt, now)
  return ageMillis < maxAge + staleIfError
    ? { pinned: pin.pinned, ageMillis, isStale: ageMillis >= maxAge }
    : undefined
}

/**
 * Whether to answer from the cache. A recent answer always qualifies; a stale answer qualifies only
 * while the registry fails.
 */
export const isGiven = ({ trouble }: PinEntry<unknown>, { isStale }: Known, now: Moment): boolean =>
  !isStale || (trouble !== undefined && elapsedMillis(trouble.at, now) < troubleMillis)

/** Whether to refresh a cached answer in the background. */
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

export type Outcome =
  | { readonly _tag: "Answered"; readonly pin: Pin }
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Failed"; readonly at: Moment }

const charactersOf = ({ version }: PinnedVersion): number =>
  (version.systemPrompt?.length ?? 0) + JSON.stringify(version.config).length

/**
 * Applies the outcome of a query. Overlapping queries can be answered in any order, and nothing
 * shows which answer is newer. The first answer therefore goes into the cache, and any other answer
 * only to the callers that wait for its query. Returns the earlier queries, because their callers
 * get this outcome too.
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

/** A cache of pins. Each pin reader has a separate cache. */
export class PinCache<Question> {
  readonly #limits: PinLimits
  /** The entries in order of use, the most recently used last. */
  readonly #entries = new Map<string, PinEntry<Question>>()

  constructor(limits: PinLimits) {
    this.#limits = limits
  }

  /** Finds or creates an entry, and marks the entry as used. */
  use(reference: string): PinEntry<Question> {
    const known = this.#entries.get(reference)
    const entry = known ?? { characters: 0, questions: new Set<Question>() }
    this.#entries.delete(reference)
    this.#entries.set(reference, entry)
    if (known === undefined) this.#shrink()
    return entry
  }

  /** Returns the cached answer unless it is too old. */
  lastKnown(reference: string, now: Moment): Known | undefined {
    return lastKnown(this.#entries.get(reference) ?? {}, now, this.#limits)
  }

  /**
   * Applies the outcome of a query, and returns the earlier queries, because their callers get this
   * outcome too. Evicted references stay evicted. A refused reference is always evicted: after a
   * caller has seen the refusal, no caller may get an answer to an earlier query.
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
    const { maxCharacters, maxReferences } = this.#limits
    let characters = 0
    for (const entry of this.#entries.values()) characters += entry.characters
    for (const [reference, entry] of this.#entries) {
      if (this.#entries.size <= maxReferences && characters <= maxCharacters) return
      this.#entries.delete(reference)
      characters -= entry.characters
    }
  }
}
