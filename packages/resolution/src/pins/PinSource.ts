/**
 * What a reader of pins asks: a registry that knows what references mean.
 */
import type { PinnedVersion } from "./Pin.ts"
import type { PinRefusalCode } from "./PinRefusal.ts"

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
