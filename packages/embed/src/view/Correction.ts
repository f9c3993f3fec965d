/** Corrections of a transcript as hosts see them. */
import type {
  CorrectionsView,
  CorrectionStanding as Standing,
  WholeVersionView
} from "@verbatim/core/correction"

/** Where the corrections of a transcript stand. */
export interface CorrectionStanding {
  /** The number of the last version; 0 where nothing was ever corrected. */
  readonly version: number
  /** The names of speakers, by the speakers as they were recognised. */
  readonly speakers: Readonly<Record<string, string>>
  /** How many segments are corrected. */
  readonly segmentCount: number
}

/** A segment that is corrected. */
export interface CorrectedSegment {
  readonly index: number
  readonly text?: string
  readonly speaker?: string
}

/** Who made a version, when, and how much it changed. */
export interface CorrectionSummary {
  readonly version: number
  readonly createdAt: Date
  readonly userId: string
  /** Null where a host made it, which has no key. */
  readonly keyId: string | null
  /** The earlier version that it equals, where somebody went back to one. */
  readonly backTo: number | null
  /** The speakers that it named; null where it took the name away. */
  readonly speakers: Readonly<Record<string, string | null>>
  readonly segmentCount: number
}

/** A version with everything that it changed; null stands for what was recognised. */
export interface CorrectionVersion extends CorrectionSummary {
  readonly segments: ReadonlyArray<{
    readonly index: number
    readonly text: string | null
    readonly speaker: string | null
  }>
}

/** Everything that is corrected, and the versions that led there, a page of each. */
export interface StandingCorrections extends CorrectionStanding {
  readonly segments: ReadonlyArray<CorrectedSegment>
  /** The `fromSegment` of the next page; null on the last one. */
  readonly nextSegment: number | null
  /** The latest first. */
  readonly versions: ReadonlyArray<CorrectionSummary>
  /** The `before` of the next page; null on the last one. */
  readonly nextBefore: number | null
}

/** Where corrections stand. */
export const toStanding = ({ segment_count, speakers, version }: Standing): CorrectionStanding => ({
  version,
  speakers,
  segmentCount: segment_count
})

const toSummary = (view: CorrectionsView["versions"][number]): CorrectionSummary => ({
  version: view.version,
  createdAt: new Date(view.created_at),
  userId: view.user_id,
  keyId: view.key_id,
  backTo: view.back_to,
  speakers: view.speakers,
  segmentCount: view.segment_count
})

/** A version. */
export const toVersion = (view: WholeVersionView): CorrectionVersion => ({
  ...toSummary(view),
  segments: view.segments
})

/** Corrections with their versions. */
export const toCorrections = (view: CorrectionsView): StandingCorrections => ({
  ...toStanding(view),
  segments: view.segments,
  nextSegment: view.next_segment,
  versions: view.versions.map(toSummary),
  nextBefore: view.next_before
})
