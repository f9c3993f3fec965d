/** Pins: the versions that references resolved to when the registry was last queried. */
import type { Version } from "../Resolution.ts"
import type { Moment } from "./AgeClock.ts"

/** A version in a registry. */
export interface PinnedVersion {
  readonly slug: string
  /** An id that is unique to the version. */
  readonly versionId: string
  readonly version: Version
}

/** A resolved reference. */
export interface Pin {
  readonly pinned: PinnedVersion
  /** The timestamp of the query, from which the age of the answer is measured. */
  readonly queriedAt: Moment
}

/** Limits on the age and number of pins. */
export interface PinLimits {
  /** Time in milliseconds during which a pin is used without a query. */
  readonly maxAge: number
  /** Time in milliseconds after `maxAge` during which a pin is still used if the registry fails. */
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
  /** Aborted when no caller is waiting any more. */
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
 * A registry of presets. A registry resolves a reference at some point between the query and the
 * answer, and rejects if the answer is not its own, for example if it is a proxy's error page.
 */
export interface PinSource {
  readonly pin: (question: PinQuestion) => Promise<PinAnswer>
}
