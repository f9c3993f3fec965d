/**
 * Stores corrections in SQL. The current overlay is stored in separate rows, one per segment. One
 * statement can read it, however many versions there are.
 */
import type { JobId } from "@verbatim/core/attempt"
import {
  type Corrected,
  CorrectionVersion,
  Overlay,
  SegmentReading,
  TranscriptOutline,
  type WholeVersion
} from "@verbatim/core/correction"
import type { IdempotencyKey } from "@verbatim/core/idempotency"
import {
  type CorrectionCommit,
  type CorrectionPage,
  CorrectionStore,
  CorrectionStoreError
} from "@verbatim/core/ports"
import type { SearchText } from "@verbatim/core/rendering"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as SearchRows from "./job/SearchRows.ts"
import { firstChunk } from "./job/StoredTexts.ts"
import { json, makeReader, type Row, type Unreadable } from "./row/Row.ts"
import type { RowReads } from "./row/RowStatements.ts"
import { makeStore } from "./row/StoreMethods.ts"
import { Statements } from "./Statements.ts"

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

const readSpeakerNames = makeReader(json(SpeakerNames))

const encodeSpeakerNames = Schema.encodeSync(json(SpeakerNames))
const encodeOutline = Schema.encodeSync(json(TranscriptOutline))

/** A fragment's columns, renamed to the fragment's fields. The first fragment has 0 in `at`. */
const segmentColumns = 'segment AS "index", begins_at AS "at", text, speaker, edge'

const readSegment = makeReader(SegmentReading)

const toReading = ({ at, edge, index, speaker, text }: Row): Row => ({
  index,
  text,
  speaker,
  ...(at === 0 ? {} : { at }),
  ...(edge === null ? {} : { edge })
})

/** Reads fragments in the order of their rows. */
const readSegments = (rows: ReadonlyArray<Row>, name: string) =>
  Effect.forEach(rows, (row) => readSegment(toReading(row), name))

const segmentRow = ({ at = 0, edge, index, speaker, text }: SegmentReading): Row => ({
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
const beforeSegments = -1

/**
 * Selects the head into the columns of the segments: the outline into the text column, and the
 * speakers' names into the speaker column. Separate columns would be empty in all other rows.
 */
const headColumns = `${beforeSegments} AS "index", 0 AS "at", outline AS text,
  speakers AS speaker, NULL AS edge, version, written_length AS "writtenLength"`

/** Selects the speakers' names into the columns of the segments. */
const namedColumns = `${beforeSegments} AS "index", 0 AS "at", NULL AS text,
  speakers AS speaker, NULL AS edge`

/** Reads the corrections' head and segments. */
const readCorrected = Effect.fnUntraced(function* (
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

const headRow = ({ outline, overlay, version, writtenLength }: Corrected): Row => ({
  version,
  outline: encodeOutline(outline),
  speakers: encodeSpeakerNames(overlay.speakers),
  written_length: writtenLength
})

/** A version's columns, renamed to the version's fields. */
const versionColumns = `id, job_id AS "jobId", version, at, user_id AS "userId",
  key_id AS "keyId", back_to AS "backTo", named AS speakers, segment_count AS "segmentCount",
  idempotency_key AS "key", fingerprint`

/** Reads a corrections version from its row. */
const readVersion = ({ fingerprint, key, ...row }: Row) =>
  readVersionRow(
    { ...row, request: key === null ? null : { key, fingerprint } },
    `correction_versions ${row.jobId} ${row.version}`
  )

/**
 * Returns the row for a version. If the version changed speaker names, the row contains all names
 * as of this version.
 */
const versionRow = (version: WholeVersion, { overlay }: Pick<Corrected, "overlay">): Row => ({
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

type Sql = SqlClient.SqlClient

const reasons = CorrectionStoreError.fields.reason.cases

const refusal = (reason: CorrectionStoreError["reason"]) =>
  new CorrectionStoreError({ operation: "commit", reason })

const reasonOf = (operation: string, cause: SqlError.SqlError | Unreadable) => {
  if (cause._tag !== "SqlError") return reasons.Unavailable.make({ cause })
  switch (cause.reason._tag) {
    // Corrections refer to several rows, but only the transcript can be missing.
    case "ConstraintError":
      return operation === "commit" ? reasons.Absent.make({}) : reasons.Unavailable.make({ cause })
    case "LockTimeoutError":
      return reasons.Contended.make({})
    case "SerializationError":
    case "DeadlockError":
      return reasons.Superseded.make({})
    default:
      return reasons.Unavailable.make({ cause })
  }
}

/**
 * Converts database failures to failures of the `CorrectionStore` port; other failures stay
 * unchanged.
 */
const toStoreError = (
  operation: string,
  cause: SqlError.SqlError | Unreadable | CorrectionStoreError
): CorrectionStoreError =>
  cause._tag === "CorrectionStoreError"
    ? cause
    : new CorrectionStoreError({ operation, reason: reasonOf(operation, cause) })

/**
 * Limits for one statement: the number of UTF-16 units in the segments, and the number of segments.
 * As JSON, the segments take at most 3 MB, and a message can hold 16 MB.
 */
const batchMax = { length: 500_000, count: 2_000 }

/** Groups segments into batches, with one statement for each. */
const toBatches = (
  segments: ReadonlyArray<SegmentReading>
): ReadonlyArray<ReadonlyArray<SegmentReading>> => {
  const batches: Array<Array<SegmentReading>> = []
  let length = Number.POSITIVE_INFINITY
  for (const segment of segments) {
    const open = batches.at(-1)
    const own = (segment.text?.length ?? 0) + (segment.speaker?.length ?? 0)
    length += own
    if (open === undefined || length > batchMax.length || open.length >= batchMax.count) {
      batches.push([segment])
      length = own
    } else open.push(segment)
  }
  return batches
}

/** Returns a statement that returns a row only if it wrote the version as the latest. */
const advance = (sql: Sql, { next }: CorrectionCommit) => {
  const head = headRow(next)
  const { id, version } = next
  return version > 1
    ? sql`UPDATE verbatim_corrections SET ${sql.update(head)}
        WHERE job_id = ${id} AND version = ${version - 1} RETURNING job_id`
    : sql`INSERT INTO verbatim_corrections
        ${sql.insert({ ...head, job_id: id, ordinal: firstChunk })}
        ON CONFLICT (job_id) DO NOTHING RETURNING job_id`
}

/**
 * Fails with the reason why the version cannot become the latest. Succeeds if the same version was
 * already written.
 */
const explainRefusal = Effect.fnUntraced(function* (sql: Sql, { version }: CorrectionCommit) {
  const { id, jobId } = version
  const [made] = yield* sql<{ readonly id: string }>`SELECT id FROM verbatim_correction_versions
    WHERE job_id = ${jobId} AND version = ${version.version}`
  if (made?.id === id) return
  const found = yield* sql`SELECT ordinal FROM verbatim_transcript_chunks
    WHERE job_id = ${jobId} AND ordinal = ${firstChunk}`
  return yield* refusal(found.length === 0 ? reasons.Absent.make({}) : reasons.Superseded.make({}))
})

/**
 * Writes a version, the resulting overlay and the resulting searchable text, in the caller's
 * transaction.
 */
const makeWrite = (sql: Sql, { fromJson }: Pick<RowReads, "fromJson">) =>
  Effect.fnUntraced(function* (commit: CorrectionCommit, text: SearchText) {
    const { next, version } = commit
    const advanced = yield* advance(sql, commit)
    if (advanced.length === 0) return yield* explainRefusal(sql, commit)
    yield* sql`INSERT INTO verbatim_correction_versions ${sql.insert(versionRow(version, next))}`
    for (const segments of toBatches(version.segments)) {
      const rows = fromJson(sql, {
        name: "given",
        json: JSON.stringify(segments.map(segmentRow)),
        columns: {
          segment: "BIGINT",
          begins_at: "BIGINT",
          text: "TEXT",
          speaker: "TEXT",
          edge: "TEXT"
        }
      })
      yield* sql`INSERT INTO verbatim_correction_changes
          (job_id, version, segment, begins_at, text, speaker, edge)
        SELECT CAST(${next.id} AS TEXT), CAST(${next.version} AS BIGINT),
          segment, begins_at, text, speaker, edge
        FROM ${rows}`
      yield* sql`DELETE FROM verbatim_corrected_segments WHERE job_id = ${next.id}
        AND (segment, begins_at) IN (SELECT segment, begins_at FROM ${rows})`
      yield* sql`INSERT INTO verbatim_corrected_segments
          (job_id, segment, begins_at, text, speaker, edge)
        SELECT CAST(${next.id} AS TEXT), segment, begins_at, text, speaker, edge
        FROM ${rows} WHERE text IS NOT NULL OR speaker IS NOT NULL OR edge IS NOT NULL`
    }
    yield* SearchRows.replace(sql, next.id, text)
  })

const storeOf = makeStore(CorrectionStore, "SqlCorrectionStore", toStoreError)

/** Maximum number of transcripts that one statement checks for corrections. */
const togetherMax = 32

const makeOverlayReads = (sql: SqlClient.SqlClient, { makeRead }: RowReads) => {
  const segment = sql.literal(segmentColumns)

  const correctedRows = makeRead(sql, {
    name: "corrections",
    column: "job_id",
    field: "job_id",
    sizeMax: togetherMax,
    select: (isOne) => sql<Row>`SELECT job_id FROM verbatim_corrections WHERE ${isOne}`
  })

  return {
    *current(id: JobId) {
      // Most transcripts are not corrected. Corrections can be long, so they are read one
      // transcript at a time.
      if ((yield* correctedRows(id)).length === 0) return Option.none()
      // One statement reads both the head, which is in the first row, and the segments, so that
      // they belong to the same version.
      const [head, ...segments] = yield* sql<Row>`
        SELECT ${sql.literal(headColumns)} FROM verbatim_corrections WHERE job_id = ${id}
        UNION ALL
        SELECT ${segment}, NULL, NULL FROM verbatim_corrected_segments WHERE job_id = ${id}
        ORDER BY 1, 2`
      return head === undefined
        ? Option.none()
        : Option.some(yield* readCorrected({ id, segments }, head))
    },

    // One statement reads both the names and the segments, so that both belong to the same version.
    *overlayAt(id: JobId, number: number) {
      const rows = yield* sql<Row>`
        SELECT ${sql.literal(namedColumns)} FROM (SELECT speakers FROM verbatim_correction_versions
          WHERE job_id = ${id} AND version <= ${number} AND speakers IS NOT NULL
          ORDER BY version DESC LIMIT 1) AS named
        UNION ALL
        SELECT ${segment} FROM (
          SELECT segment, begins_at, text, speaker, edge,
            row_number() OVER (PARTITION BY segment, begins_at ORDER BY version DESC) AS position
          FROM verbatim_correction_changes WHERE job_id = ${id} AND version <= ${number}) AS latest
        WHERE position = 1 AND (text IS NOT NULL OR speaker IS NOT NULL OR edge IS NOT NULL)
        ORDER BY 1, 2`
      const name = `corrections ${id} at ${number}`
      const [first] = rows
      const hasNames = first?.index === beforeSegments
      return {
        speakers: hasNames ? yield* readSpeakerNames(first.speaker, name) : [],
        segments: yield* readSegments(hasNames ? rows.slice(1) : rows, name)
      }
    }
  }
}

const makeVersionReads = (sql: SqlClient.SqlClient) => {
  const segment = sql.literal(segmentColumns)
  const columns = sql.literal(versionColumns)

  return {
    *versions(id: JobId, { before, limit }: CorrectionPage) {
      const isBefore = Option.match(before, {
        onNone: () => sql`TRUE`,
        onSome: (version) => sql`version < ${version}`
      })
      const rows = yield* sql<Row>`SELECT ${columns} FROM verbatim_correction_versions
        WHERE job_id = ${id} AND ${isBefore} ORDER BY version DESC LIMIT ${limit}`
      return yield* Effect.forEach(rows, readVersion)
    },

    *version(id: JobId, number: number) {
      const [row] = yield* sql<Row>`SELECT ${columns} FROM verbatim_correction_versions
        WHERE job_id = ${id} AND version = ${number}`
      if (row === undefined) return Option.none()
      const segments = yield* sql<Row>`SELECT ${segment} FROM verbatim_correction_changes
        WHERE job_id = ${id} AND version = ${number} ORDER BY segment, begins_at`
      const found = yield* readVersion(row)
      // The corrections have been deleted together with their transcript in the meantime.
      if (segments.length !== found.segmentCount) return Option.none()
      const name = `correction_changes ${id} ${number}`
      return Option.some({ ...found, segments: yield* readSegments(segments, name) })
    },

    *requested(id: JobId, key: IdempotencyKey) {
      const [row] = yield* sql<Row>`SELECT ${columns} FROM verbatim_correction_versions
        WHERE job_id = ${id} AND idempotency_key = ${key} ORDER BY version DESC LIMIT 1`
      return row === undefined ? Option.none() : Option.some(yield* readVersion(row))
    }
  }
}

/** Provides `CorrectionStore` over any `SqlClient` with a migrated database. */
export const layer: Layer.Layer<CorrectionStore, never, SqlClient.SqlClient | Statements> =
  Layer.effect(CorrectionStore)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { reads } = yield* Statements
      const readText = SearchRows.makeCorrectedText(sql)
      const write = makeWrite(sql, reads)
      return storeOf({
        ...makeOverlayReads(sql, reads),
        ...makeVersionReads(sql),
        // This transaction does not share a COMMIT with others: if another writer was faster, this
        // writer has to read again, and must not wait for a shared COMMIT first.
        commit: (commit) =>
          Effect.flatMap(readText(commit.next.id, commit.next.overlay), (text) =>
            sql.withTransaction(write(commit, text))
          )
      })
    })
  )
