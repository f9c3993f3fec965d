/** Defines pins: the versions that references resolved to when the registry was last queried. */
import type { Version } from "../Resolution.ts"

/** A preset's version in a registry. */
export interface PinnedVersion {
  readonly slug: string
  /** An id that is unique to the version. */
  readonly versionId: string
  readonly version: Version
}

/** The version that a reference resolved to. */
export interface Pin {
  readonly pinned: PinnedVersion
  /** The time of the query, from which the answer's age is counted. */
  readonly queriedAt: Moment
}

/** Limits of the cache of pins. */
export interface PinLimits {
  /** Number of milliseconds for which a pin is used without a new query. */
  readonly maxAge: number
  /**
   * Number of milliseconds after `maxAge` for which a pin is still used while the registry fails.
   */
  readonly staleIfError: number
  /** The timeout of a query in milliseconds. */
  readonly timeoutMillis: number
  /** The maximum number of cached references. */
  readonly maxReferences: number
  /** The maximum number of characters in all cached versions. */
  readonly maxCharacters: number
}

/**
 * The default limits. A thousand presets of 8 kB fit into the cache; a query usually takes
 * milliseconds, far less than the timeout of five seconds.
 */
export const usualLimits = {
  timeoutMillis: 5_000,
  maxReferences: 1_000,
  maxCharacters: 8_000_000
} as const

// Reasons why a reference cannot be resolved.

/**
 * `NoPreset`: the preset, version or label does not exist. `PresetInactive`: the preset is disabled
 * or archived. `NoReference`: the reference is invalid. `NotFilled`: the request's values do not
 * fit the prompt. `KeyRefused`: the registry rejects the key. `Unavailable`: the registry does not
 * respond, and no cached version is recent enough.
 */
export type PinRefusalCode =
  | "NoPreset"
  | "PresetInactive"
  | "NoReference"
  | "NotFilled"
  | "KeyRefused"
  | "Unavailable"

/** The error of `PinReader.read`. */
export class PinRefusal extends Error {
  readonly code: PinRefusalCode

  constructor(code: PinRefusalCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "PinRefusal"
    this.code = code
  }
}

// The registry that resolves references.

/** A query to a registry. */
export interface PinQuestion {
  /** The queried reference: `slug`, `slug@3` or `slug@label`. */
  readonly reference: string
  /** The id of the cached version; the registry need not send this version again. */
  readonly known: string | undefined
  /** Aborted when no caller waits for the answer any more. */
  readonly signal: AbortSignal
}

/** The registry's answer: a version, confirmation of the cached version, or none. */
export type PinAnswer =
  | { readonly _tag: "Pinned"; readonly pinned: PinnedVersion }
  | { readonly _tag: "Unchanged" }
  | {
      readonly _tag: "Gone"
      readonly code: Exclude<PinRefusalCode, "Unavailable">
      readonly message: string
    }

/**
 * A registry of presets. The registry resolves a reference at some point between the query and the
 * answer, and rejects if the answer is not its own, but for example a proxy's error page.
 */
export interface PinSource {
  readonly pin: (question: PinQuestion) => Promise<PinAnswer>
}

// A clock for measuring ages, which never runs slower than real time. A monotonic clock can stop
// while the machine sleeps, and a wall clock can be set, so this clock combines both.

/** The machine's clocks, in milliseconds. */
export interface Clocks {
  /** The monotonic clock, which never decreases and is meaningful only within one process. */
  readonly monotonicMillis: number
  /** The wall clock: milliseconds since 1970, as set on the machine. */
  readonly wallMillis: number
}

/** The values of both clocks at one moment, which are meaningful only within one process. */
export interface Moment {
  /** The difference between two moments is at least the real time between them. */
  readonly forwardMillis: number
  readonly wallMillis: number
}

/** The source of time, which tests can replace. */
export interface PinClock {
  readonly now: () => Clocks
  /** Resolves after the given number of milliseconds, or rejects when the signal aborts. */
  readonly sleep: (millis: number, signal: AbortSignal) => Promise<void>
}

/**
 * Computes the elapsed time. The result is never less than real time, and is more if a clock was
 * set forward.
 */
export const elapsedMillis = (from: Moment, to: Moment): number =>
  to.forwardMillis - from.forwardMillis

/**
 * Milliseconds by which the wall clock may fall behind before it counts as set back. Smaller
 * differences are jitter.
 */
const jitterMillis = 250

/**
 * Creates a clock that follows the monotonic clock, and moves further ahead when the wall clock
 * does, because the machine may have slept. If the wall clock is set back, later gains are measured
 * from the new time.
 */
export const makeForwardClock = (now: PinClock["now"]): (() => Moment) => {
  let gainedMillis = 0
  let furthest: number | undefined
  return () => {
    const { monotonicMillis, wallMillis } = now()
    const lead = wallMillis - monotonicMillis
    const gain = lead - (furthest ?? lead)
    gainedMillis += Math.max(0, gain)
    if (furthest === undefined || gain > 0 || gain < -jitterMillis) furthest = lead
    return { forwardMillis: monotonicMillis + gainedMillis, wallMillis }
  }
}

/** The platform's clocks. */
export const platformClock: PinClock = {
  now: () => ({ monotonicMillis: performance.now(), wallMillis: Date.now() }),
  sleep: (millis, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, millis)
      signal.addEventListener("abort", () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    })
}
