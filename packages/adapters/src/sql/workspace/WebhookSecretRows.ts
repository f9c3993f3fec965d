/** The workspace store's methods for webhook secrets, in SQL. */

import { trace, type WorkspaceStore } from "@verbatim/core/ports"
import { WebhookSecret, type WorkspaceId } from "@verbatim/core/workspace"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Row, table } from "../row/Row.ts"
import type { RowReads } from "../row/RowReads.ts"
import { mapSqlError } from "./WorkspaceRows.ts"

const webhookSecret = table({
  name: "webhook_secrets",
  schema: WebhookSecret,
  fields: Object.keys(WebhookSecret.fields)
})

/**
 * Maximum number of workspaces whose secrets one statement reads. This is also the number of
 * webhooks that start at a time.
 */
const workspacesMax = 64

type Methods = Pick<
  WorkspaceStore["Service"],
  "webhookSecrets" | "addWebhookSecret" | "removeWebhookSecret"
>

/** The workspace store's methods for webhook secrets. */
export const webhookSecretMethods = (sql: SqlClient.SqlClient, reads: RowReads): Methods => {
  const secretColumns = sql.literal(webhookSecret.columns)

  const secretRows = reads.makeRead(sql, {
    name: "webhook secrets",
    column: "workspace_id",
    field: "webhook_secrets.workspaceId",
    sizeMax: workspacesMax,
    select: (isOne) => sql<Row>`SELECT ${secretColumns} FROM verbatim_webhook_secrets
      WHERE ${isOne} ORDER BY created_at, id`
  })

  const webhookSecrets = trace("SqlWorkspaceStore.webhookSecrets")(function* (id: WorkspaceId) {
    const rows = yield* secretRows(id)
    return yield* Effect.forEach(rows, webhookSecret.read)
  }, mapSqlError("webhookSecrets"))

  const addWebhookSecret = trace("SqlWorkspaceStore.addWebhookSecret")(
    function* (secret: WebhookSecret) {
      const owners = yield* sql`SELECT id FROM verbatim_workspaces WHERE id = ${secret.workspaceId}`
      if (owners.length === 0) return false
      yield* sql`INSERT INTO verbatim_webhook_secrets ${sql.insert(webhookSecret.row(secret))}
        ON CONFLICT (id) DO NOTHING`
      return true
    },
    sql.withTransaction,
    mapSqlError("addWebhookSecret")
  )

  const removeWebhookSecret = trace("SqlWorkspaceStore.removeWebhookSecret")(function* (
    id: WorkspaceId,
    secretId: WebhookSecret["id"]
  ) {
    const removed = yield* sql`DELETE FROM verbatim_webhook_secrets
      WHERE id = ${secretId} AND workspace_id = ${id} RETURNING id`
    return removed.length > 0
  }, mapSqlError("removeWebhookSecret"))

  return { webhookSecrets, addWebhookSecret, removeWebhookSecret }
}
