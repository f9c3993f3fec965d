/**
 * Stores webhook bodies that were sent and may be sent again. Few webhooks fail, so the table is
 * small. A commit that neither stores nor removes a body does not access the table.
 */

import type { JobId } from "@verbatim/core/attempt"
import { KeptBody } from "@verbatim/core/delivery"
import type { BodyChange } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"
import { split, toBatches } from "./TextChunks.ts"

const read = makeReader(KeptBody)

/** Replaces an earlier body or deletes it, in the caller's transaction. */
export const write = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { change, id }: { readonly id: JobId; readonly change: BodyChange }
): Effect.fn.Return<void, SqlError.SqlError> {
  yield* sql`DELETE FROM verbatim_kept_bodies WHERE job_id = ${id}`
  if (change._tag === "Forget") return
  const { body, contentType, deliveryId } = change.body
  const rows = split(body).map((content, ordinal) => ({
    job_id: id,
    ordinal,
    delivery_id: deliveryId,
    content_type: contentType,
    content
  }))
  for (const some of toBatches(rows))
    yield* sql`INSERT INTO verbatim_kept_bodies ${sql.insert(some)}`
})

/** Finds a job's stored webhook body. */
export const find = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: JobId) {
  const rows = yield* sql<Row>`SELECT delivery_id AS "deliveryId", content_type AS "contentType",
    content FROM verbatim_kept_bodies WHERE job_id = ${id} ORDER BY ordinal`
  const [first] = rows
  if (first === undefined) return Option.none<KeptBody>()
  const body = rows.map(({ content }) => content).join("")
  return Option.some(yield* read({ ...first, body }, `kept_bodies ${id}`))
})
