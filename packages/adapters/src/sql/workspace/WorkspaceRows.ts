/** Implements the workspace store's methods for workspaces themselves in SQL. */
import { type AccountPage, WorkspaceStoreError } from "@verbatim/core/ports"
import { Workspace } from "@verbatim/core/workspace"
import { Effect, Equal, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { json, type Row, table } from "../row/Row.ts"

/** Maps a database failure to a store failure with the operation's name. */
export const toStoreError = (operation: string, cause: SqlError.SqlError): WorkspaceStoreError =>
  new WorkspaceStoreError({ operation, cause })

const { _tag, ...fields } = Workspace.cases.Active.fields
const stored = { ...fields, keywords: json(fields.keywords) }

/** A stored workspace, which has the same fields in every state. */
const StoredWorkspace = Schema.TaggedUnion({
  Active: stored,
  Disabled: stored,
  Deleting: stored,
  Deleted: stored
})

/** The rows of `workspaces`, except the balance. */
export const workspaces = table({
  name: "workspaces",
  schema: StoredWorkspace,
  fields: Object.keys(Workspace.cases.Active.fields),
  renamed: { _tag: "status" }
})

/** Adds an empty workspace. Returns no row if the workspace's id or external id already exists. */
export const insertWorkspace = (sql: SqlClient.SqlClient, workspace: Workspace) =>
  sql<Row>`INSERT INTO verbatim_workspaces
    ${sql.insert({ ...workspaces.row(workspace), balance_millis: 0 })}
    ON CONFLICT DO NOTHING RETURNING id`

/**
 * Maximum number of attempts. A retry is needed only if a workspace is deleted between two
 * statements.
 */
const createAttemptMax = 100

/** Store methods that create and change workspaces. */
export const workspaceMethods = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(workspaces.columns)

  return {
    /**
     * Creates a workspace. Between the two statements, the workspace with the external id can lose
     * this id.
     */
    *create(workspace: Workspace) {
      for (let tries = 0; tries < createAttemptMax; tries += 1) {
        const added = yield* insertWorkspace(sql, workspace)
        if (added.length > 0) return workspace
        const [same] = yield* sql<Row>`SELECT ${columns} FROM verbatim_workspaces
          WHERE id = ${workspace.id} OR external_id = ${workspace.externalId}
          ORDER BY id = ${workspace.id} DESC LIMIT 1`
        if (same !== undefined) return yield* workspaces.read(same)
      }
      return yield* Effect.die(
        `an external id was freed ${createAttemptMax} times after it was found taken`
      )
    },

    *replace(next: Workspace) {
      const { id, ...row } = workspaces.row(next)
      const replaced = yield* sql`UPDATE verbatim_workspaces SET ${sql.update(row)}
        WHERE id = ${next.id} AND revision = ${next.revision - 1} RETURNING id`
      if (replaced.length > 0) return true
      const [stored] =
        yield* sql<Row>`SELECT ${columns} FROM verbatim_workspaces WHERE id = ${next.id}`
      return stored !== undefined && Equal.equals(yield* workspaces.read(stored), next)
    },

    *deleting({ after, limit }: AccountPage) {
      const rows = yield* sql<Row>`SELECT ${columns} FROM verbatim_workspaces
        WHERE status = 'Deleting' AND id > ${after ?? ""} ORDER BY id LIMIT ${limit}`
      return yield* Effect.forEach(rows, workspaces.read)
    }
  }
}
