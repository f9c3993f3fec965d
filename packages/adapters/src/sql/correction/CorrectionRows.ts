/** Corrections in and out of their rows. */
import {
  type Corrected,
  CorrectionVersion,
  Overlay,
  SegmentReading,
  State,
  TranscriptOutline,
  type WholeVersion
} from "@verbatim/core/correction"
import { DateTime, Effect, Schema } from "effect"
import { json, type Row, reading } from "../row/Row.ts"

const Namings = Overlay.fields.speakers

const readHead = reading(
  Schema.Struct({
    version: Schema.Int,
    outline: json(TranscriptOutline),
    speakers: json(Namings),
    writtenLength: Schema.Int
  })
)

const readReadings = reading(Schema.Array(SegmentReading))

const readVersionRow = reading(
  Schema.Struct({ ...CorrectionVersion.fields, speakers: json(Namings) })
)

/** Reads names of speakers. */
export const readNamings = reading(json(Namings))

const encodeNamings = Schema.encodeSync(json(Namings))
const encodeOutline = Schema.encodeSync(json(TranscriptOutline))

/** The columns of a segment under the names that are read. */
export const segmentColumns = 'segment AS "index", text, speaker'

/** Reads segments in the order of their rows. */
export const readSegments = (rows: ReadonlyArray<Row>, name: string) => readReadings(rows, name)

/** Reads the head of some corrections with their segments. */
export const readCorrected = Effect.fnUntraced(function* (
  { id, segments }: Pick<Corrected, "id"> & { readonly segments: ReadonlyArray<Row> },
  head: Row
) {
  const { outline, speakers, version, writtenLength } = yield* readHead(head, `corrections ${id}`)
  const overlay = { speakers, segments: yield* readSegments(segments, `corrected_segments ${id}`) }
  return State.cases.Corrected.make({ id, outline, version, overlay, writtenLength })
})

/** What the head of the corrections becomes. */
export const headRow = ({ outline, overlay, version, writtenLength }: Corrected): Row => ({
  version,
  outline: encodeOutline(outline),
  speakers: encodeNamings(overlay.speakers),
  written_length: writtenLength
})

/** The columns of a version under the names that are read. */
export const versionColumns = `id, job_id AS "jobId", version, at, user_id AS "userId",
  key_id AS "keyId", back_to AS "backTo", named AS speakers, segment_count AS "segmentCount",
  idempotency_key AS "key", fingerprint`

/** Reads a version. */
export const readVersion = ({ fingerprint, key, ...row }: Row) =>
  readVersionRow(
    { ...row, request: key === null ? null : { key, fingerprint } },
    `correction_versions ${row.jobId} ${row.version}`
  )

/** A version, with the names of all speakers from then on where it changed some. */
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
  named: encodeNamings(version.speakers),
  speakers: version.speakers.length === 0 ? null : encodeNamings(overlay.speakers),
  segment_count: version.segmentCount,
  idempotency_key: version.request?.key ?? null,
  fingerprint: version.request?.fingerprint ?? null
})
