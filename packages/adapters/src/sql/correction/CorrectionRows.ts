/** Reads and writes the rows of corrections. */
import {
  type Corrected,
  CorrectionVersion,
  Overlay,
  SegmentReading,
  TranscriptOutline,
  type WholeVersion
} from "@verbatim/core/correction"
import { DateTime, Effect, Schema } from "effect"
import { json, makeReader, type Row } from "../row/Row.ts"

const SpeakerNames = Overlay.fields.speakers

const readHead = makeReader(
  Schema.Struct({
    version: Schema.Int,
    outline: json(TranscriptOutline),
    speakers: json(SpeakerNames),
    writtenLength: Schema.Int
  })
)

const readVersionRow = makeReader(
  Schema.Struct({ ...CorrectionVersion.fields, speakers: json(SpeakerNames) })
)

/** Reads the speakers' names. */
export const readSpeakerNames = makeReader(json(SpeakerNames))

const encodeSpeakerNames = Schema.encodeSync(json(SpeakerNames))
const encodeOutline = Schema.encodeSync(json(TranscriptOutline))

/** A fragment's columns, renamed to the fragment's fields. The first fragment has 0 in `at`. */
export const segmentColumns = 'segment AS "index", begins_at AS "at", text, speaker, edge'

const readSegment = makeReader(SegmentReading)

const toReading = ({ at, edge, index, speaker, text }: Row): Row => ({
  index,
  text,
  speaker,
  ...(at === 0 ? {} : { at }),
  ...(edge === null ? {} : { edge })
})

/** Reads fragments in the order of their rows. */
export const readSegments = (rows: ReadonlyArray<Row>, name: string) =>
  Effect.forEach(rows, (row) => readSegment(toReading(row), name))

/** Returns a fragment's columns. */
export const segmentRow = ({ at = 0, edge, index, speaker, text }: SegmentReading): Row => ({
  segment: index,
  begins_at: at,
  text,
  speaker,
  edge: edge ?? null
})

/**
 * The index of the head's row. The head is read together with the segments and sorts before the
 * first segment.
 */
export const beforeSegments = -1

/**
 * The head, in the columns of the segments: the outline is in the text column, and the speakers'
 * names in the speaker column. Separate columns would be empty in all other rows.
 */
export const headColumns = `${beforeSegments} AS "index", 0 AS "at", outline AS text,
  speakers AS speaker, NULL AS edge, version, written_length AS "writtenLength"`

/** The speakers' names, in the segments' columns. */
export const namedColumns = `${beforeSegments} AS "index", 0 AS "at", NULL AS text,
  speakers AS speaker, NULL AS edge`

/** Reads the corrections' head and segments. */
export const readCorrected = Effect.fnUntraced(function* (
  { id, segments }: Pick<Corrected, "id"> & { readonly segments: ReadonlyArray<Row> },
  { speaker, text, version, writtenLength }: Row
) {
  const stored = { outline: text, speakers: speaker, version, writtenLength }
  const { speakers, ...head } = yield* readHead(stored, `corrections ${id}`)
  const read = yield* readSegments(segments, `corrected_segments ${id}`)
  const overlay = { speakers, segments: read }
  const corrected: Corrected = { _tag: "Corrected", id, ...head, overlay }
  return corrected
})

/** Returns the head's new row. */
export const headRow = ({ outline, overlay, version, writtenLength }: Corrected): Row => ({
  version,
  outline: encodeOutline(outline),
  speakers: encodeSpeakerNames(overlay.speakers),
  written_length: writtenLength
})

/** A version's columns, renamed to the version's fields. */
export const versionColumns = `id, job_id AS "jobId", version, at, user_id AS "userId",
  key_id AS "keyId", back_to AS "backTo", named AS speakers, segment_count AS "segmentCount",
  idempotency_key AS "key", fingerprint`

/** Reads a corrections version from its row. */
export const readVersion = ({ fingerprint, key, ...row }: Row) =>
  readVersionRow(
    { ...row, request: key === null ? null : { key, fingerprint } },
    `correction_versions ${row.jobId} ${row.version}`
  )

/**
 * Returns a version's row. If the version changed speaker names, the row contains all names as of
 * this version.
 */
export const versionRow = (
  version: WholeVersion,
  { overlay }: Pick<Corrected, "overlay">
): Row => ({
  job_id: version.jobId,
  version: version.version,
  id: version.id,
  at: DateTime.toEpochMillis(version.at),
  user_id: version.userId,
  key_id: version.keyId,
  back_to: version.backTo,
  named: encodeSpeakerNames(version.speakers),
  speakers: version.speakers.length === 0 ? null : encodeSpeakerNames(overlay.speakers),
  segment_count: version.segmentCount,
  idempotency_key: version.request?.key ?? null,
  fingerprint: version.request?.fingerprint ?? null
})
