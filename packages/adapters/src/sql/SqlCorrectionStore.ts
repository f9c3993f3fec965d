/**
 * Stores corrections in SQL. The current overlay is stored in separate rows, one per segment, so
 * that one statement can read the overlay, regardless of the number of versions.
 */
import type { JobId } from "@verbatim/core/attempt"
import type { IdempotencyKey } from "@verbatim/core/idempotency"
import { type CorrectionPage, CorrectionStore, trace } from "@verbatim/core/ports"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import {
  beforeSegments,
  headColumns,
  namedColumns,
  readCorrected,
  readSegments,
  readSpeakerNames,
  readVersion,
  segmentColumns,
  versionColumns
} from "./correction/CorrectionRows.ts"
import { makeWrite, mapSqlError } from "./correction/CorrectionWrites.ts"
import { makeCorrectedText } from "./job/SearchRows.ts"
import type { Row } from "./row/Row.ts"
import type { RowReads } from "./row/RowReads.ts"
import { Statements } from "./Statements.ts"

type Methods = CorrectionStore["Service"]

/** Maximum number of transcripts that one statement checks for corrections. */
const togetherMax = 32

/** Creates the methods that read an overlay. */
const makeOverlayReads = (
  sql: SqlClient.SqlClient,
  { makeRead }: RowReads
): Pick<Methods, "current" | "overlayAt"> => {
  const segment = sql.literal(segmentColumns)

  const correctedRows = makeRead(sql, {
    name: "corrections",
    column: "job_id",
    field: "job_id",
    sizeMax: togetherMax,
    select: (isOne) => sql<Row>`SELECT job_id FROM verbatim_corrections WHERE ${isOne}`
  })

  const current = trace("SqlCorrectionStore.current")(function* (id: JobId) {
    // Most transcripts are not corrected. Corrections can be long, and are therefore read one
    // transcript at a time.
    if ((yield* correctedRows(id)).length === 0) return Option.none()
    // One statement reads both the head and the segments, so that both belong to the same version.
    const [head, ...segments] = yield* sql<Row>`
      SELECT ${sql.literal(headColumns)} FROM verbatim_corrections WHERE job_id = ${id}
      UNION ALL
      SELECT ${segment}, NULL, NULL FROM verbatim_corrected_segments WHERE job_id = ${id}
      ORDER BY 1, 2`
    return head === undefined
      ? Option.none()
      : Option.some(yield* readCorrected({ id, segments }, head))
  }, mapSqlError("current"))

  // One statement reads both the names and the segments, so that both belong to the same version.
  const overlayAt = trace("SqlCorrectionStore.overlayAt")(function* (id: JobId, number: number) {
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
  }, mapSqlError("overlayAt"))

  return { current, overlayAt }
}

/** Creates the methods that read versions. */
const makeVersionReads = (
  sql: SqlClient.SqlClient
): Pick<Methods, "requested" | "version" | "versions"> => {
  const segment = sql.literal(segmentColumns)
  const columns = sql.literal(versionColumns)

  const versions = trace("SqlCorrectionStore.versions")(function* (
    id: JobId,
    { before, limit }: CorrectionPage
  ) {
    const isBefore = Option.match(before, {
      onNone: () => sql`TRUE`,
      onSome: (version) => sql`version < ${version}`
    })
    const rows = yield* sql<Row>`SELECT ${columns} FROM verbatim_correction_versions
      WHERE job_id = ${id} AND ${isBefore} ORDER BY version DESC LIMIT ${limit}`
    return yield* Effect.forEach(rows, readVersion)
  }, mapSqlError("versions"))

  const version = trace("SqlCorrectionStore.version")(function* (id: JobId, number: number) {
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
  }, mapSqlError("version"))

  const requested = trace("SqlCorrectionStore.requested")(function* (
    id: JobId,
    key: IdempotencyKey
  ) {
    const [row] = yield* sql<Row>`SELECT ${columns} FROM verbatim_correction_versions
      WHERE job_id = ${id} AND idempotency_key = ${key} ORDER BY version DESC LIMIT 1`
    return row === undefined ? Option.none() : Option.some(yield* readVersion(row))
  }, mapSqlError("requested"))

  return { versions, version, requested }
}

/** Provides `CorrectionStore` over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<CorrectionStore, never, SqlClient.SqlClient | Statements> =
  Layer.effect(CorrectionStore)(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { reads } = yield* Statements
      const readText = makeCorrectedText(sql)
      const write = makeWrite(sql, reads)
      return CorrectionStore.of({
        ...makeOverlayReads(sql, reads),
        ...makeVersionReads(sql),
        // This transaction does not share a COMMIT, because a writer that was overtaken reads again
        // and must not wait for a shared COMMIT.
        commit: trace("SqlCorrectionStore.commit")(
          (commit) =>
            Effect.flatMap(readText(commit.next.id, commit.next.overlay), (text) =>
              sql.withTransaction(write(commit, text))
            ),
          mapSqlError("commit")
        )
      })
    })
  )
