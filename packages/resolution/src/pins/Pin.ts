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
  /** Most characters of all versions that are kept, each counted once. */
  readonly characterMax: number
}

/** Whether a pin of that age may still be given, be it as stale. */
export const mayServe = (
  ageMillis: number,
  { maxAge, staleIfError }: Pick<PinLimits, "maxAge" | "staleIfError">
): boolean => ageMillis < maxAge + staleIfError

/** A thousand presets of 8 kB each; a question takes a few milliseconds, and five seconds never. */
export const usualLimits = {
  timeoutMillis: 5_000,
  referenceMax: 1_000,
  characterMax: 8_000_000
} as const
