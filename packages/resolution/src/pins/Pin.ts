/**
 * What a reference meant when a registry of presets was last asked: one version, which itself never
 * changes.
 */
import type { Version } from "../Resolution.ts"
import type { Moment } from "./Moment.ts"

/** A version of a preset, as its registry knows it. */
export interface PinnedVersion {
  readonly slug: string
  /** Never the same for two versions. */
  readonly versionId: string
  readonly version: Version
}

/** What a reference meant. */
export interface Pin {
  readonly pinned: PinnedVersion
  /** When that was asked: the answer is no newer, however long it travelled. */
  readonly askedAt: Moment
}

/** How old an answer may be, and how much is kept. */
export interface PinLimits {
  /** Milliseconds: what is younger when it is wanted is not asked for again. */
  readonly maxAge: number
  /** Milliseconds beyond `maxAge`, in which an old answer serves while there is no new one. */
  readonly staleIfError: number
  /** Milliseconds after which a question counts as failed. */
  readonly timeoutMillis: number
  /** Most references that are remembered. */
  readonly referenceMax: number
  /** Most characters of all versions that are kept. */
  readonly characterMax: number
}

/** A thousand presets of 8 kB each; a question takes a few milliseconds, and five seconds never. */
export const usualLimits = {
  timeoutMillis: 5_000,
  referenceMax: 1_000,
  characterMax: 8_000_000
} as const

// Why a reference is no version: it means none, or nobody can tell.

/**
 * `NoPreset`: there is no such preset, version or label. `PresetInactive`: it is disabled or
 * archived. `NoReference`: the text is no reference. `NotFilled`: its prompt cannot be filled with
 * the values of the request. `KeyRefused`: the registry does not let us ask. `Unavailable`: the
 * registry does not answer, and no answer is young enough.
 */
export type PinRefusalCode =
  | "NoPreset"
  | "PresetInactive"
  | "NoReference"
  | "NotFilled"
  | "KeyRefused"
  | "Unavailable"

/** What a reader of pins rejects with. */
export class PinRefusal extends Error {
  readonly code: PinRefusalCode

  constructor(code: PinRefusalCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = "PinRefusal"
    this.code = code
  }
}

// What a reader of pins asks: a registry that knows what references mean.

/** A question to a registry of presets. */
export interface PinQuestion {
  /** `slug`, `slug@3` or `slug@label`. */
  readonly reference: string
  /** Id of the version that is known already: it need not be sent again. */
  readonly known: string | undefined
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** What a registry says: the version, that it is the known one, or that there is none. */
export type PinAnswer =
  | { readonly _tag: "Pinned"; readonly pinned: PinnedVersion }
  | { readonly _tag: "Unchanged" }
  | {
      readonly _tag: "Gone"
      readonly code: Exclude<PinRefusalCode, "Unavailable">
      readonly message: string
    }

/**
 * A registry of presets. It says what a reference means at an instant between question and answer.
 * Whatever is not an answer of the registry itself, such as the page of a proxy, rejects.
 */
export interface PinSource {
  readonly pin: (question: PinQuestion) => Promise<PinAnswer>
}
