/** What is seen of corrections of transcripts: who wrote what, what was read, what stands. */

/** What a corrector asks for: names for speakers, texts for segments, or an earlier version. */
export type CorrectionKind = "Back" | "Names" | "Texts"

/** A version as the store lists it. */
export interface ListedCorrection {
  readonly version: number
  /** The version that it equals, where somebody went back. */
  readonly backTo: number | null
  /** What it changed, in its own words. */
  readonly changed: string
}

/** One thing seen. */
export type CorrectionFact =
  /** A correction was asked for, and its answer. */
  | {
      readonly _tag: "CorrectionAsked"
      readonly beganAt: number
      readonly endedAt: number
      readonly id: string
      readonly kind: CorrectionKind
      /** It stands in everything that the correction writes, and in nothing else. */
      readonly token: string
      /** The version to go back to; null for other kinds. */
      readonly to: number | null
      readonly answer: string
      /** The version that was told; null when none was. */
      readonly version: number | null
    }
  /** A transcript was read by somebody who corrects it. */
  | {
      readonly _tag: "CorrectionSeen"
      readonly beganAt: number
      readonly endedAt: number
      readonly id: string
      readonly body: string
    }
  /** The transcript that is stored, and all versions of its corrections, at the end. */
  | {
      readonly _tag: "CorrectionsListed"
      readonly id: string
      readonly recognised: string
      readonly versions: ReadonlyArray<ListedCorrection>
    }
