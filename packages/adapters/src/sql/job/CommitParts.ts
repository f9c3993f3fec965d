/** Writes the parts of a commit that have separate tables. */
import type { Commit } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { addEntry } from "../workspace/Ledger.ts"
import { peaksColumn, toLedgerEntry } from "./JobRows.ts"
import * as SearchRows from "./SearchRows.ts"
import { forget, writeBody, writeChunks } from "./StoredTexts.ts"

/**
 * Writes the transcript, the webhook body, removed text and the charge, in the caller's
 * transaction. The balance is written last, because other writers have to wait for it.
 */
export const writeParts = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  commit: Commit,
  chunks: ReadonlyArray<string>
): Effect.fn.Return<void, SqlError.SqlError> {
  const { body, forgotten, next } = commit
  const { id } = next
  if (chunks.length > 0) {
    yield* writeChunks(sql, { id, chunks, peaks: peaksColumn(commit) })
    yield* SearchRows.write(sql, commit)
  }
  if (Option.isSome(body)) yield* writeBody(sql, { id, change: body.value })
  if (forgotten !== undefined) yield* forget(sql, { id, forgotten })
  const entry = toLedgerEntry(commit)
  if (Option.isSome(entry)) yield* addEntry(sql, entry.value)
})
