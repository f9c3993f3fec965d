/**
 * Corrections as the wire shows them. What is as it was recognised is left out where everything is
 * told, and null where a version put it back.
 */
import { DateTime, Option, Result, Schema } from "effect"
import { optional, withDescription } from "../schema/Shape.ts"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"
import {
  type CorrectionVersion,
  overlayOf,
  type State,
  versionOf,
  type WholeVersion
} from "./Correction.ts"
import type { Overlay, SegmentReading, SpeakerNaming } from "./Overlay.ts"

const standing = {
  version: withDescription(
    Schema.Int,
    "The number of the last version; 0 where nothing was ever corrected. Also the `ETag`."
  ),
  speakers: withDescription(
    Schema.Record(Schema.String, Schema.String),
    "The names of speakers, by the speakers as they were recognised."
  ),
  segment_count: withDescription(Schema.Int, "How many segments are corrected.")
}

/** Where the corrections of a transcript stand: the answer to a write. */
export const CorrectionStanding = Schema.Struct(standing)
export type CorrectionStanding = typeof CorrectionStanding.Type

const SegmentView = Schema.Struct({
  index: withDescription(Schema.Int, "Where the segment stands among all, counted from 0."),
  text: optional(Schema.String, "Present where the text is corrected."),
  speaker: optional(Schema.String, "Present where the speaker is corrected.")
})

const VersionView = Schema.Struct({
  version: Schema.Int,
  created_at: withDescription(Schema.String, "ISO 8601 UTC with milliseconds."),
  user_id: withDescription(Schema.String, "The user of the key that made it."),
  key_id: withDescription(
    Schema.NullOr(Schema.String),
    "The key; null where the host of the server did it."
  ),
  back_to: withDescription(
    Schema.NullOr(Schema.Int),
    "The earlier version that it equals, where somebody went back to one."
  ),
  speakers: withDescription(
    Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
    "The speakers that it named; null where it took the name away."
  ),
  segment_count: withDescription(Schema.Int, "How many segments it changed.")
})

/** A version with the segments that it changed. */
export const WholeVersionView = Schema.Struct({
  ...VersionView.fields,
  segments: withDescription(
    Schema.Array(
      Schema.Struct({
        index: Schema.Int,
        text: Schema.NullOr(Schema.String),
        speaker: Schema.NullOr(Schema.String)
      })
    ),
    "The segments that it changed, as it left them: null stands for what was recognised."
  )
})
export type WholeVersionView = typeof WholeVersionView.Type

/** Where the corrections stand, with a page of what is corrected and of the versions. */
export const CorrectionsView = Schema.Struct({
  ...standing,
  segments: withDescription(Schema.Array(SegmentView), "Corrected segments, in their order."),
  next_segment: withDescription(
    Schema.NullOr(Schema.Int),
    "The `from_segment` of the next page of segments; null on the last one."
  ),
  versions: withDescription(Schema.Array(VersionView), "Versions, the latest first."),
  next_before: withDescription(
    Schema.NullOr(Schema.Int),
    "The `before` of the next page of versions; null on the last one."
  )
})
export type CorrectionsView = typeof CorrectionsView.Type

/** Segments in one answer: of the longest texts some megabytes. */
export const segmentPageMax = 500

const toNames = <Name extends string | null>(
  speakers: ReadonlyArray<SpeakerNaming>,
  isShown: (name: string | null) => name is Name
): Readonly<Record<string, Name>> =>
  Object.fromEntries(
    speakers.flatMap(({ name, speaker }) => (isShown(name) ? [[speaker, name]] : []))
  )

const isName = (name: string | null): name is string => name !== null

const isAny = (_: string | null): _ is string | null => true

/** Where an overlay stands as a version left it. */
export const toStanding = (version: number, overlay: Overlay): CorrectionStanding => ({
  version,
  speakers: toNames(overlay.speakers, isName),
  segment_count: overlay.segments.length
})

const toSegmentView = ({ index, speaker, text }: SegmentReading): typeof SegmentView.Type => ({
  index,
  ...(text === null ? {} : { text }),
  ...(speaker === null ? {} : { speaker })
})

const toVersionView = (version: CorrectionVersion): typeof VersionView.Type => ({
  version: version.version,
  created_at: DateTime.formatIso(version.at),
  user_id: version.userId,
  key_id: version.keyId,
  back_to: version.backTo,
  speakers: toNames(version.speakers, isAny),
  segment_count: version.segmentCount
})

/** A version as it is shown. */
export const toWholeVersionView = (version: WholeVersion): WholeVersionView => ({
  ...toVersionView(version),
  segments: version.segments.map(({ index, speaker, text }) => ({ index, text, speaker }))
})

/** The corrections as they are shown. */
export const toCorrectionsView = (
  state: State,
  page: { readonly fromSegment: number; readonly versions: ReadonlyArray<CorrectionVersion> }
): CorrectionsView => {
  const overlay = overlayOf(state)
  const following = overlay.segments.filter(({ index }) => index >= page.fromSegment)
  const last = page.versions.at(-1)?.version ?? 1
  return {
    ...toStanding(versionOf(state), overlay),
    segments: following.slice(0, segmentPageMax).map(toSegmentView),
    next_segment: following[segmentPageMax]?.index ?? null,
    versions: page.versions.map(toVersionView),
    next_before: last > 1 ? last : null
  }
}

// Which pages of corrections a caller may ask for.

/** Which pages a caller wants, as texts of a query. An empty one is the same as none. */
export interface WantedCorrections {
  /** Versions before that one; the latest where it is left out. */
  readonly before?: string | undefined
  /** Most versions in the answer. */
  readonly limit?: string | undefined
  /** Corrected segments from that one on. */
  readonly fromSegment?: string | undefined
}

/** Versions in one answer, at most. */
export const versionPageMax = 100

/** Versions in one answer when the caller does not say how many. */
export const versionPageDefault = 20

interface Pages {
  readonly before: Option.Option<number>
  readonly limit: number
  readonly fromSegment: number
}

/** Digits only: `Number` would take ` 1e1` as well. */
const read = (
  parameter: string,
  {
    max,
    min,
    text
  }: { readonly text: string | undefined; readonly min: number; readonly max: number }
): Result.Result<Option.Option<number>, InvalidParameter> => {
  if (text === undefined || text === "") return Result.succeed(Option.none())
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= min && count <= max) return Result.succeed(Option.some(count))
  const detail = `Invalid '${parameter}' value. Must be an integer from ${min} to ${max}`
  return Result.fail(new InvalidParameter({ parameter, detail }))
}

/** More than there are segments, or versions, of any transcript. */
const numberMax = 999_999_999

/** Reads the pages, or refuses the first parameter that is wrong. */
export const parseWanted = (wanted: WantedCorrections): Result.Result<Pages, InvalidParameter> =>
  Result.gen(function* () {
    const { before, fromSegment, limit } = wanted
    return {
      before: yield* read("before", { text: before, min: 1, max: numberMax }),
      limit: Option.getOrElse(
        yield* read("limit", { text: limit, min: 1, max: versionPageMax }),
        () => versionPageDefault
      ),
      fromSegment: Option.getOrElse(
        yield* read("from_segment", { text: fromSegment, min: 0, max: numberMax }),
        () => 0
      )
    }
  })
