/**
 * Resolves references from the cache, or else by querying the registry. Callers share queries. Each
 * caller waits only until its own signal aborts, and cannot cancel a query that another caller
 * awaits.
 */

import { formatNamed } from "../Format.ts"
import { isObject, type Json } from "../Json.ts"
import { formatReference, parseReference } from "../Reference.ts"
import {
  elapsedMillis,
  type Moment,
  makeForwardClock,
  type PinAnswer,
  type PinClock,
  type PinLimits,
  type PinnedVersion,
  PinRefusal,
  type PinSource
} from "./Pin.ts"
import { isDue, isGiven, lastKnown, PinCache, type PinEntry } from "./PinCache.ts"

/** Waits for a promise until the signal aborts. The promise itself continues for other callers. */
const abortable = <A>(promise: Promise<A>, signal: AbortSignal | null | undefined): Promise<A> => {
  if (signal === null || signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}

/** The version that a reference resolves to, and the age of that answer. */
export interface Meaning {
  readonly pinned: PinnedVersion
  /** An upper bound on the age of the answer, in milliseconds. */
  readonly ageMillis: number
  /** Whether the answer is older than `maxAge`, because the registry does not respond. */
  readonly isStale: boolean
  /** Whether the answer comes from an exported file, because the registry was never reached. */
  readonly isFallback: boolean
}

/** Resolves references to presets, from the cache or from the registry. */
export interface PinReader {
  /** Rejects with a `PinRefusal`, or with the signal's reason. */
  readonly read: (reference: string, signal?: AbortSignal | null) => Promise<Meaning>
}

/** Options for `makePinReader`. */
export interface PinReaderOptions {
  readonly source: PinSource
  readonly clock: PinClock
  readonly limits: PinLimits
  /** Returns the presets to use until the registry is first reached. */
  readonly fallback?: (() => Promise<Fallback>) | undefined
}

/** The outcome of a query, as its callers get it. */
type QueryResult =
  | { readonly _tag: "Means"; readonly pinned: PinnedVersion; readonly queriedAt: Moment }
  | { readonly _tag: "Refused"; readonly refusal: PinRefusal }
  | { readonly _tag: "Failed"; readonly cause: unknown }

/** A query that the registry has not yet answered. */
interface Flight {
  readonly queriedAt: Moment
  readonly result: Promise<QueryResult>
  readonly settle: (result: QueryResult) => void
  /** Cancels the query, while its callers still wait for the result. */
  readonly ending: AbortController
}

type Entry = PinEntry<Flight>

/** The error with which all queries are cancelled. */
const queryEnded = new Error("The query was cancelled")

const makeFlight = (queriedAt: Moment): Flight => {
  let settle: Flight["settle"] = () => {}
  const result = new Promise<QueryResult>((resolve) => {
    settle = resolve
  })
  return { queriedAt, result, settle, ending: new AbortController() }
}

/** Converts a reference to its canonical form, so that two spellings share an entry. */
const normalise = (text: string): string => {
  const reference = parseReference(text)
  if (reference !== undefined) return formatReference(reference)
  throw new PinRefusal("NoReference", `${JSON.stringify(text)} names no preset`)
}

interface ReaderState {
  readonly cache: PinCache<Flight>
  readonly now: () => Moment
  /** Whether the registry was ever reached. */
  isReached: boolean
}

/** Returns a function that queries the registry. */
const makeAsk = ({ clock, limits, source }: PinReaderOptions, state: ReaderState) => {
  const { cache, now } = state

  /**
   * Queries the registry, and gives up after the timeout even if the registry ignores the signal.
   */
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
      waiting.abort(queryEnded)
      ending.abort(queryEnded)
    }
  }

  const put = async (reference: string, entry: Entry, { queriedAt, ending }: Flight) => {
    const known = entry.pin?.pinned
    try {
      const answer = await putQuestion(reference, { ending, known })
      state.isReached = true
      if (answer._tag === "Gone") {
        const refusal = new PinRefusal(answer.code, answer.message)
        return { result: { _tag: "Refused", refusal }, outcome: { _tag: "Gone" } } as const
      }
      const pinned = answer._tag === "Pinned" ? answer.pinned : known
      if (pinned === undefined) throw new Error("No known version")
      const pin = { pinned, queriedAt }
      return { result: { _tag: "Means", ...pin }, outcome: { _tag: "Answered", pin } } as const
    } catch (cause) {
      return { result: { _tag: "Failed", cause }, outcome: { _tag: "Failed", at: now() } } as const
    }
  }

  const carryOut = async (reference: string, entry: Entry, flight: Flight): Promise<void> => {
    const { outcome, result } = await put(reference, entry, flight)
    const earlier = cache.settle(reference, { entry, question: flight }, outcome)
    for (const each of [...earlier, flight]) {
      each.settle(result)
      each.ending.abort(queryEnded)
    }
  }

  return (reference: string, entry: Entry, queriedAt: Moment): Flight => {
    const flight = makeFlight(queriedAt)
    entry.questions.add(flight)
    void carryOut(reference, entry, flight)
    return flight
  }
}

/**
 * Creates a reader. The reader sends queries only when a caller reads, so there is nothing to
 * close.
 */
export const makePinReader = (options: PinReaderOptions): PinReader => {
  const { clock, fallback, limits } = options
  const cache = new PinCache<Flight>(limits)
  const now = makeForwardClock(clock.now)
  const state: ReaderState = { cache, now, isReached: false }
  const ask = makeAsk(options, state)

  /**
   * Turns an outcome into a result or an error for one caller. After a failure, the caller may get
   * a stale answer.
   */
  const meaningOf = async (reference: string, result: QueryResult): Promise<Meaning> => {
    if (result._tag === "Refused") throw result.refusal
    const moment = now()
    if (result._tag === "Means") {
      const ageMillis = elapsedMillis(result.queriedAt, moment)
      return { pinned: result.pinned, ageMillis, isStale: false, isFallback: false }
    }
    const known = cache.lastKnown(reference, moment)
    if (known !== undefined) return { ...known, isFallback: false }
    // Files contain neither version numbers nor labels, so a reference to a file is a plain slug.
    const kept = state.isReached ? undefined : (await fallback?.())?.get(reference)
    if (kept !== undefined) return { pinned: kept, ageMillis: 0, isStale: false, isFallback: true }
    const message = `${JSON.stringify(reference)} cannot be looked up right now`
    throw new PinRefusal("Unavailable", message, result.cause)
  }

  const read: PinReader["read"] = async (text, signal) => {
    signal?.throwIfAborted()
    const reference = normalise(text)
    const moment = now()
    const entry = cache.use(reference)
    const known = lastKnown(entry, moment, limits)
    if (known !== undefined && isGiven(entry, known, moment)) {
      const age = { ageMillis: known.ageMillis, maxAge: limits.maxAge }
      if (isDue(entry, age, moment)) ask(reference, entry, moment)
      return { ...known, isFallback: false }
    }
    const latest = [...entry.questions].at(-1)
    const isYoung = latest !== undefined && elapsedMillis(latest.queriedAt, moment) < limits.maxAge
    const flight = isYoung ? latest : ask(reference, entry, moment)
    return meaningOf(reference, await abortable(flight.result, signal))
  }

  return { read }
}

// Reads presets from exported files (`verbatim presets export`), for programs that have not yet
// reached their registry.

/** Presets from exported files, by slug. */
export type Fallback = ReadonlyMap<string, PinnedVersion>

/** A preset document from an exported file. Only the fields `format` and `wins` are validated. */
interface Document {
  readonly config?: Json
  readonly format?: string
  readonly slug?: Json
  readonly status?: string
  readonly system_prompt?: Json
  readonly wins?: ReadonlyArray<string>
}

const read = ({
  config,
  format = "responses",
  slug,
  system_prompt: systemPrompt = null,
  wins = []
}: Document): readonly [slug: string, pinned: PinnedVersion] => {
  const named = formatNamed(format)
  const isPrompt = systemPrompt === null || typeof systemPrompt === "string"
  if (typeof slug === "string" && isPrompt && isObject(config) && named !== undefined) {
    // Files contain neither version numbers nor version ids.
    const version = { version: 0, format: named, systemPrompt, config, wins }
    return [slug, { slug, versionId: "", version }]
  }
  throw new TypeError("A document of the fallback is not an exported preset")
}

/**
 * Reads preset documents, and throws for anything else. Missing fields get the same defaults as in
 * `verbatim presets apply`. Inactive presets are skipped.
 */
export const readFallback = (documents: ReadonlyArray<Json>): Fallback =>
  new Map(
    documents
      .map((each): Document => Object(each))
      .filter(({ status = "active" }) => status === "active")
      .map(read)
  )
