/**
 * Writes a version of the corrections. The head's row is written first, so that all writers of a
 * transcript's corrections wait for this row, and the later writer finds that the version is taken.
 */
import type { SegmentReading } from "@verbatim/core/correction"
import { type CorrectionCommit, CorrectionStoreError } from "@verbatim/core/ports"
import type { SearchText } from "@verbatim/core/rendering"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as SearchRows from "../job/SearchRows.ts"
import { firstChunk } from "../job/StoredTexts.ts"
import type { Unreadable } from "../row/Row.ts"
import type { RowReads } from "../row/RowReads.ts"
import { headRow, segmentRow, versionRow } from "./CorrectionRows.ts"

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

/** Maps database failures to the port's failures; other failures stay unchanged. */
export const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | Unreadable | CorrectionStoreError) =>
    cause._tag === "CorrectionStoreError"
      ? cause
      : new CorrectionStoreError({ operation, reason: reasonOf(operation, cause) })
  )

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

/** Returns a statement that yields a row only if it wrote the version as the latest. */
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
export const makeWrite = (sql: Sql, { fromJson }: Pick<RowReads, "fromJson">) =>
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
