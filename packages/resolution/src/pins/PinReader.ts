/**
 * Tells what references mean: from the cache while that is young enough, else by asking a registry.
 * Callers share a question and answer each for themselves: nobody waits longer than its own signal
 * lets it, or ends a question that another one waits for.
 */
import { formatReference, parseReference } from "../Reference.ts"
import type { Fallback } from "./Fallback.ts"
import { elapsedMillis, type Moment, makeForwardClock, type PinClock } from "./Moment.ts"
import type { PinLimits, PinnedVersion } from "./Pin.ts"
import { PinCache } from "./PinCache.ts"
import { PinRefusal } from "./PinRefusal.ts"
import type { PinAnswer, PinSource } from "./PinSource.ts"
import { unlessAborted } from "./Waiting.ts"

/** What a reference means. */
export interface Meaning {
  readonly pinned: PinnedVersion
  /** Since when that is known, at most: the reference meant it then. */
  readonly ageMillis: number
  /** Whether it is older than `maxAge`, because the registry does not answer. */
  readonly isStale: boolean
  /** Whether it is from a file, because the registry was never reached. */
  readonly isFallback: boolean
}

/** Tells what references mean. */
export interface PinReader {
  /** Rejects with a `PinRefusal`, or with the reason of the signal. */
  readonly read: (reference: string, signal?: AbortSignal | null) => Promise<Meaning>
}

/** What a reader is made from. */
export interface PinReaderOptions {
  readonly source: PinSource
  readonly clock: PinClock
  readonly limits: PinLimits
  /** Presets that are used until the registry was reached once. */
  readonly fallback?: (() => Promise<Fallback>) | undefined
}

/** What came of a question, for those who wait for it. */
type Told =
  | { readonly _tag: "Means"; readonly pinned: PinnedVersion; readonly askedAt: Moment }
  | { readonly _tag: "Refused"; readonly refusal: PinRefusal }
  | { readonly _tag: "Failed"; readonly cause: unknown }

/** A question on its way. */
interface Flight {
  readonly askedAt: Moment
  readonly told: Promise<Told>
  readonly tell: (told: Told) => void
  /** Ends the question, not those who wait for it. */
  readonly ending: AbortController
}

/** Why a question ends; a platform would make a new error for each. */
const over = new Error("Question ended")

const makeFlight = (askedAt: Moment): Flight => {
  let tell: Flight["tell"] = () => {}
  const told = new Promise<Told>((resolve) => {
    tell = resolve
  })
  return { askedAt, told, tell, ending: new AbortController() }
}

/** The one way to write a reference: two ways are not two entries. */
const normalise = (text: string): string => {
  const reference = parseReference(text)
  if (reference !== undefined) return formatReference(reference)
  throw new PinRefusal("NoReference", `${JSON.stringify(text)} names no preset`)
}

/** Makes a reader. It asks when it is asked, and never by itself: there is nothing to close. */
export const makePinReader = (options: PinReaderOptions): PinReader => {
  const { clock, fallback, limits, source } = options
  const now = makeForwardClock(clock.now)
  const cache = new PinCache(limits)
  const flights = new Map<string, Map<number, Flight>>()
  let isReached = false

  /** Asks the registry, which is given up at the limit of time, whether it heeds that or not. */
  const putQuestion = async (
    reference: string,
    { ending, known }: { ending: AbortController; known: PinnedVersion | undefined }
  ): Promise<PinAnswer> => {
    const waiting = new AbortController()
    const question = { reference, known: known?.versionId, signal: ending.signal }
    const answer = Promise.resolve(question).then(source.pin)
    const timeout = clock.sleep(limits.timeoutMillis, waiting.signal).then(() => {
      throw new Error(`No answer within ${limits.timeoutMillis} ms`)
    })
    try {
      return await Promise.race([answer, timeout])
    } finally {
      waiting.abort(over)
      ending.abort(over)
    }
  }

  /** Ends those flights of a reference, whose answer that is. */
  const land = (reference: string, told: Told, isMeant: (number: number) => boolean): void => {
    const ofReference = flights.get(reference) ?? new Map<number, Flight>()
    for (const [number, flight] of ofReference) {
      if (!isMeant(number)) continue
      ofReference.delete(number)
      flight.tell(told)
      flight.ending.abort(over)
    }
    if (ofReference.size === 0) flights.delete(reference)
  }

  /** What an answer says, once the cache has it. */
  const take = (
    reference: string,
    {
      answer,
      known,
      number
    }: { answer: PinAnswer; known: PinnedVersion | undefined; number: number },
    askedAt: Moment
  ): Told => {
    isReached = true
    if (answer._tag === "Gone") {
      cache.settle(reference, number, { _tag: "Gone" })
      return { _tag: "Refused", refusal: new PinRefusal(answer.code, answer.message) }
    }
    const pinned = answer._tag === "Pinned" ? answer.pinned : known
    if (pinned === undefined) throw new Error("No known version")
    const pin = { pinned, askedAt }
    cache.settle(reference, number, { _tag: "Answered", pin })
    return { _tag: "Means", pinned, askedAt }
  }

  const carryOut = async (reference: string, number: number, flight: Flight): Promise<void> => {
    const { askedAt, ending } = flight
    const known = cache.versionOf(reference)
    try {
      const answer = await putQuestion(reference, { ending, known })
      // A later question was answered meanwhile.
      if (flights.get(reference)?.get(number) === undefined) return
      const told = take(reference, { answer, known, number }, askedAt)
      // A later answer answers earlier questions as well.
      land(reference, told, (each) => each <= number)
    } catch (cause) {
      cache.settle(reference, number, { _tag: "Failed", at: now() })
      land(reference, { _tag: "Failed", cause }, (each) => each === number)
    }
  }

  const ask = (reference: string, askedAt: Moment): Flight => {
    const number = cache.ask(reference, askedAt)
    const flight = makeFlight(askedAt)
    const ofReference = flights.get(reference) ?? new Map<number, Flight>()
    flights.set(reference, ofReference.set(number, flight))
    void carryOut(reference, number, flight)
    return flight
  }

  /** What a caller makes of an outcome: a failure may leave an old answer. */
  const meaningOf = async (reference: string, told: Told): Promise<Meaning> => {
    if (told._tag === "Refused") throw told.refusal
    const moment = now()
    if (told._tag === "Means") {
      const ageMillis = elapsedMillis(told.askedAt, moment)
      return { pinned: told.pinned, ageMillis, isStale: false, isFallback: false }
    }
    const known = cache.lastKnown(reference, moment)
    if (known !== undefined) return { ...known, pinned: known.pin.pinned, isFallback: false }
    // A file knows neither versions nor labels: only a slug alone can mean it.
    const kept = isReached ? undefined : (await fallback?.())?.get(reference)
    if (kept !== undefined) return { pinned: kept, ageMillis: 0, isStale: false, isFallback: true }
    const message = `${JSON.stringify(reference)} cannot be looked up right now`
    throw new PinRefusal("Unavailable", message, told.cause)
  }

  const read: PinReader["read"] = async (text, signal) => {
    signal?.throwIfAborted()
    const reference = normalise(text)
    const moment = now()
    const decision = cache.decide(reference, moment)
    if (decision._tag === "Give") {
      const { ageMillis, isDue, isStale, pin } = decision
      if (isDue) ask(reference, moment)
      return { pinned: pin.pinned, ageMillis, isStale, isFallback: false }
    }
    const joined =
      decision._tag === "Join" ? flights.get(reference)?.get(decision.number) : undefined
    const flight = joined ?? ask(reference, moment)
    return meaningOf(reference, await unlessAborted(flight.told, signal))
  }

  return { read }
}
