/**
 * Why a reference is no version: it means none, or nobody can tell.
 */

/**
 * `NoPreset`: there is no such preset, version or label. `PresetInactive`: it is disabled or
 * archived. `NoReference`: the text is no reference. `NotFilled`:
 * a variable of its prompt has no value. `KeyRefused`: the registry does not let us
 * ask. `Unavailable`: the registry does not answer, and no answer is young enough.
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
