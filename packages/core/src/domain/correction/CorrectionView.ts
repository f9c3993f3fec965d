/**
 * Converts corrections to their JSON form in responses. The current corrections leave out fields
 * without a correction. A version that undid a field's correction has null in that field.
 */
import { DateTime, Option, Result, Schema } from "effect"
import { optional, withDescription } from "../schema/ObjectSchemas.ts"
import { InvalidParameter } from "../transcription/TranscriptionRefusal.ts"
import {
  type CorrectionVersion,
  overlayOf,
  type State,
  versionOf,
  type WholeVersion
} from "./Correction.ts"
import type { Overlay, SegmentReading } from "./Overlay.ts"

const summary = {
  version: withDescription(
    Schema.Int,
    "The number of the last version; 0 if nothing was ever corrected. Also the `ETag`."
  ),
  speakers: withDescription(
    Schema.Record(Schema.String, Schema.String),
    "The names of speakers, by recognised speaker."
  ),
  segment_count: withDescription(
    Schema.Int,
    "Number of corrected segments; each part of a split segment counts."
  )
}

/** A summary of the corrections: the response to a write. */
export const CorrectionsSummary = Schema.Struct(summary)
export type CorrectionsSummary = typeof CorrectionsSummary.Type

/** The fields that identify the parts of a split segment, and mark a joined one. */
const edges = {
  at: optional(
    Schema.Int,
    "Where the part begins in the recognised text, in UTF-16 units. Missing for the first part."
  ),
  edge: optional(
    Schema.Literals(["joined", "split"]),
    "`split` if a split begins this part; `joined` if the segment continues the one before it."
  )
}

const SegmentView = Schema.Struct({
  index: withDescription(Schema.Int, "Position among the recognised segments, counted from 0."),
  ...edges,
  text: optional(Schema.String, "Present if the text is corrected."),
  speaker: optional(Schema.String, "Present if the speaker is corrected.")
})

const VersionView = Schema.Struct({
  version: Schema.Int,
  created_at: withDescription(Schema.String, "ISO 8601 UTC with milliseconds."),
  user_id: withDescription(Schema.String, "The user whose key added the version."),
  key_id: withDescription(
    Schema.NullOr(Schema.String),
    "The key that added the version; null if the host added it."
  ),
  back_to: withDescription(
    Schema.NullOr(Schema.Int),
    "The earlier version that this one restored; null if none was restored."
  ),
  speakers: withDescription(
    Schema.Record(Schema.String, Schema.NullOr(Schema.String)),
    "The speakers whose names changed; null for a removed name."
  ),
  segment_count: withDescription(Schema.Int, "Number of segments that the version changed.")
})

/** A corrections version with the segments that it changed. */
export const WholeVersionView = Schema.Struct({
  ...VersionView.fields,
  segments: withDescription(
    Schema.Array(
      Schema.Struct({
        index: Schema.Int,
        ...edges,
        text: Schema.NullOr(Schema.String),
        speaker: Schema.NullOr(Schema.String)
      })
    ),
    "The changed segments in their new form; null stands for what was recognised."
  )
})
export type WholeVersionView = typeof WholeVersionView.Type

/** The summary of the corrections, with one page of corrected segments and one page of versions. */
export const CorrectionsView = Schema.Struct({
  ...summary,
  segments: withDescription(Schema.Array(SegmentView), "Corrected segments, in order."),
  next_segment: withDescription(
    Schema.NullOr(Schema.Int),
    "The `from_segment` of the next page of segments; null on the last page."
  ),
  versions: withDescription(Schema.Array(VersionView), "Versions, the latest first."),
  next_before: withDescription(
    Schema.NullOr(Schema.Int),
    "The `before` of the next page of versions; null on the last page."
  )
})
export type CorrectionsView = typeof CorrectionsView.Type

/** Maximum number of segments in one response: a few megabytes with the longest texts. */
export const segmentPageMax = 500

/** Summarizes an overlay. */
export const toSummary = (version: number, overlay: Overlay): CorrectionsSummary => ({
  version,
  speakers: Object.fromEntries(
    overlay.speakers.flatMap(({ name, speaker }) => (name === null ? [] : [[speaker, name]]))
  ),
  segment_count: overlay.segments.length
})

const toSegmentView = ({ speaker, text, ...rest }: SegmentReading): typeof SegmentView.Type => ({
  ...rest,
  ...(text === null ? {} : { text }),
  ...(speaker === null ? {} : { speaker })
})

const toVersionView = (version: CorrectionVersion): typeof VersionView.Type => ({
  version: version.version,
  created_at: DateTime.formatIso(version.at),
  user_id: version.userId,
  key_id: version.keyId,
  back_to: version.backTo,
  speakers: Object.fromEntries(version.speakers.map(({ name, speaker }) => [speaker, name])),
  segment_count: version.segmentCount
})

/** Converts a corrections version to its response form. */
export const toWholeVersionView = (version: WholeVersion): WholeVersionView => ({
  ...toVersionView(version),
  segments: version.segments
})

/** Converts the corrections to their response form. */
export const toCorrectionsView = (
  state: State,
  page: { readonly fromSegment: number; readonly versions: ReadonlyArray<CorrectionVersion> }
): CorrectionsView => {
  const overlay = overlayOf(state)
  const following = overlay.segments.filter(({ index }) => index >= page.fromSegment)
  const last = page.versions.at(-1)?.version ?? 1
  // A page never ends between two parts of a split segment.
  const end = following.findIndex(
    ({ index }, position) => position >= segmentPageMax && index !== following[position - 1]?.index
  )
  return {
    ...toSummary(versionOf(state), overlay),
    segments: (end === -1 ? following : following.slice(0, end)).map(toSegmentView),
    next_segment: following[end]?.index ?? null,
    versions: page.versions.map(toVersionView),
    next_before: last > 1 ? last : null
  }
}

/** The page parameters in the URL. An empty string means the same as a missing parameter. */
export interface CorrectionsQuery {
  /**
   * The first version in the list, which continues with earlier ones; by default the latest
   * version.
   */
  readonly before?: string | undefined
  /** Maximum number of versions in the response. */
  readonly limit?: string | undefined
  /** The first segment in the list of corrected segments. */
  readonly fromSegment?: string | undefined
}

/** Maximum number of versions in one response. */
export const versionPageMax = 100

/** Default number of versions in one response. */
export const versionPageDefault = 20

interface Range {
  readonly min?: number
  readonly max?: number
}

/** Only digits are allowed, because `Number` would also accept ` 1e1`. */
const read = (
  parameter: string,
  text: string | undefined,
  { max = numberMax, min = 1 }: Range = {}
): Result.Result<Option.Option<number>, InvalidParameter> => {
  if (text === undefined || text === "") return Result.succeed(Option.none())
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= min && count <= max) return Result.succeed(Option.some(count))
  const detail = `Invalid '${parameter}' value. Must be an integer from ${min} to ${max}`
  return Result.fail(new InvalidParameter({ parameter, detail }))
}

/** Largest number accepted in a query; no transcript has that many segments or versions. */
const numberMax = 999_999_999

/** Parses the page parameters, or refuses the first invalid one. */
export const parseCorrectionsQuery = ({ before, fromSegment, limit }: CorrectionsQuery) =>
  Result.gen(function* () {
    const end = yield* read("before", before)
    const count = yield* read("limit", limit, { max: versionPageMax })
    const first = yield* read("from_segment", fromSegment, { min: 0 })
    return {
      before: end,
      limit: Option.getOrElse(count, () => versionPageDefault),
      fromSegment: Option.getOrElse(first, () => 0)
    }
  })
