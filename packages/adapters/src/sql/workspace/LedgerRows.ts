/**
 * Lists ledger entries. A page reads only the entries that it shows, through the index by workspace
 * and entry.
 */

import { JobId } from "@verbatim/core/attempt"
import type { LedgerLine } from "@verbatim/core/job"
import { type LedgerQuery, trace, type WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKeyId, BalanceMillis } from "@verbatim/core/workspace"
import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"
import { mapSqlError } from "./WorkspaceRows.ts"

const lineFields = {
  entry: Schema.Int,
  millis: BalanceMillis,
  at: Schema.DateTimeUtcFromMillis
}

/** A ledger entry. A table constraint ensures that each entry has exactly one of the two ids. */
const Line = Schema.Union([
  Schema.Struct({
    ...lineFields,
    job_id: JobId,
    credit_id: Schema.Null,
    key_id: Schema.NullOr(ApiKeyId)
  }),
  Schema.Struct({
    ...lineFields,
    job_id: Schema.Null,
    credit_id: Schema.String,
    key_id: Schema.Null
  })
])

const read = makeReader(Line)

/** Makes the method that reads a page of entries. */
export const makeLedger = (
  sql: SqlClient.SqlClient
): ((query: LedgerQuery) => Effect.Effect<ReadonlyArray<LedgerLine>, WorkspaceStoreError>) =>
  trace("SqlWorkspaceStore.ledger")(function* ({ before, limit, workspaceId }: LedgerQuery) {
    const isBefore = before === null ? sql`TRUE` : sql`entry < ${before}`
    const rows = yield* sql<Row>`
      SELECT entry, credit_id, job_id, key_id, millis, at FROM verbatim_ledger
      WHERE workspace_id = ${workspaceId} AND ${isBefore} ORDER BY entry DESC LIMIT ${limit}`
    return yield* Effect.forEach(rows, (row) =>
      Effect.map(read(row, `a line of the ledger of ${workspaceId}`), (line) => ({
        ordinal: line.entry,
        at: line.at,
        millis: line.millis,
        reason:
          line.job_id === null
            ? { _tag: "Credit" as const, creditId: line.credit_id }
            : { _tag: "Charge" as const, jobId: line.job_id, keyId: line.key_id }
      }))
    )
  }, mapSqlError("ledger"))
