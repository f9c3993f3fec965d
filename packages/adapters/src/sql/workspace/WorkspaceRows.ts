/**
 * Implements the workspace store's methods for workspaces and API keys in SQL. Some statements are
 * also used for operator keys.
 */
import { type AccountPage, type Rotation, WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKey, type ApiKeyId, Workspace, type WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Equal, Schema } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { json, type Row, table } from "../row/Row.ts"
import type { RowReads } from "../row/RowStatements.ts"
import type { LockedTransaction } from "../session/Sessions.ts"

/** Converts a database failure to a store failure with the operation's name. */
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

/** Reads and writes the rows of `workspaces`, except the balance. */
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
 * Maximum number of attempts to create a workspace. A retry is needed only if a workspace is
 * deleted between two statements.
 */
const createAttemptMax = 100

/** Store methods that create and change workspaces. */
export const workspaceMethods = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(workspaces.columns)

  return {
    /**
     * Creates a workspace, or returns an existing one with the same id or external id. Between the
     * two statements, such a workspace can be deleted or lose its external id.
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

/** Creates the statements for one of the two tables of keys. */
export const makeKeyStatements = (
  sql: SqlClient.SqlClient,
  table: "verbatim_api_keys" | "verbatim_operator_keys"
) => {
  const keys = sql.literal(table)
  return {
    /** Whether the key with the given hash also has the given id. */
    isSame: ({ hash, id }: Pick<ApiKey, "hash" | "id">) =>
      Effect.map(
        sql`SELECT id FROM ${keys} WHERE hash = ${hash} AND id = ${id}`,
        (same) => same.length > 0
      ),
    /** Revokes a key permanently. If the key was already revoked, the first timestamp is kept. */
    revoke: (id: ApiKeyId, at: DateTime.Utc) =>
      Effect.map(
        sql`UPDATE ${keys} SET revoked_at = COALESCE(revoked_at, ${DateTime.toEpochMillis(at)})
          WHERE id = ${id} RETURNING id`,
        (revoked) => revoked.length > 0
      ),
    /** Records when a key was used, unless a later use is already recorded. */
    noteUse: (id: ApiKeyId, at: DateTime.Utc) => {
      const millis = DateTime.toEpochMillis(at)
      return Effect.asVoid(sql`UPDATE ${keys} SET last_used_at = ${millis}
        WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < ${millis})`)
    }
  }
}

const apiKeys = table({
  name: "api_keys",
  schema: Schema.Struct({
    ...ApiKey.fields,
    scopes: Schema.NullOr(json(Schema.Array(Schema.String)))
  }),
  fields: Object.keys(ApiKey.fields)
})

/** The stored expiry of a key that never expires. */
const never = -1

/** Maximum number of keys looked up by one statement. */
const keysMax = 64

/**
 * Adds an API key. Returns no row if the key's hash or id already exists. If an insert is retried,
 * it may violate the uniqueness of the id before that of the hash.
 */
export const insertKey = (
  sql: SqlClient.SqlClient,
  key: ApiKey
): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> =>
  sql<Row>`INSERT INTO verbatim_api_keys ${sql.insert(apiKeys.row(key))}
    ON CONFLICT DO NOTHING RETURNING id`

/** Writes a rotation: the new key, and an earlier expiry for the old key. */
const makeRotate = (
  sql: SqlClient.SqlClient,
  { isSame }: Pick<ReturnType<typeof makeKeyStatements>, "isSame">
) =>
  Effect.fnUntraced(function* ({ id, successor, until }: Rotation) {
    const taken = yield* sql`SELECT id FROM verbatim_api_keys WHERE hash = ${successor.hash}`
    if (taken.length > 0) return yield* isSame(successor)
    const end = DateTime.toEpochMillis(until)
    const { expiresAt } = successor
    const seenEnd = expiresAt === null ? never : DateTime.toEpochMillis(expiresAt)
    const ended = yield* sql`UPDATE verbatim_api_keys
      SET expires_at = CASE WHEN expires_at < ${end} THEN expires_at ELSE ${end} END
      WHERE id = ${id} AND workspace_id = ${successor.workspaceId} AND revoked_at IS NULL
        AND COALESCE(expires_at, ${never}) = ${seenEnd}
      RETURNING id`
    if (ended.length === 0) return false
    yield* sql`INSERT INTO verbatim_api_keys ${sql.insert(apiKeys.row(successor))}`
    return true
  })

/** The workspace store's methods for API keys. */
export const apiKeyMethods = (
  sql: SqlClient.SqlClient,
  { exclusive, reads }: { readonly exclusive: LockedTransaction; readonly reads: RowReads }
) => {
  const keyColumns = sql.literal(apiKeys.columns)
  const { isSame, noteUse, revoke } = makeKeyStatements(sql, "verbatim_api_keys")
  const rotate = makeRotate(sql, { isSame })

  const findRow = reads.makeFind(sql, {
    name: "api key",
    by: [{ column: "verbatim_api_keys.hash", field: "api_keys.hash" }],
    sizeMax: keysMax,
    select: (isMeant) => sql<Row>`SELECT ${keyColumns}, ${sql.literal(workspaces.columns)}
      FROM verbatim_api_keys JOIN verbatim_workspaces
        ON verbatim_workspaces.id = verbatim_api_keys.workspace_id
      WHERE ${isMeant} AND verbatim_api_keys.revoked_at IS NULL`,
    aliases: [...apiKeys.aliases, ...workspaces.aliases],
    read: (row) => Effect.all({ key: apiKeys.read(row), workspace: workspaces.read(row) })
  })

  return {
    findKey: (hash: ApiKey["hash"]) => findRow(hash),
    *addKey(key: ApiKey) {
      const added = yield* insertKey(sql, key)
      return added.length > 0 || (yield* isSame(key))
    },
    *keys(id: WorkspaceId) {
      const rows = yield* sql<Row>`SELECT ${keyColumns} FROM verbatim_api_keys
        WHERE workspace_id = ${id} ORDER BY created_at, id`
      return yield* Effect.forEach(rows, apiKeys.read)
    },
    // If a rotation is retried concurrently, the retry waits, and then finds the successor.
    rotateKey: (rotation: Rotation) => exclusive(sql, "rotation", rotate(rotation)),
    forgetKeys: (id: WorkspaceId, before: DateTime.Utc) =>
      Effect.asVoid(sql`DELETE FROM verbatim_api_keys
        WHERE workspace_id = ${id}
          AND COALESCE(revoked_at, expires_at) < ${DateTime.toEpochMillis(before)}`),
    revokeKey: revoke,
    noteUse
  }
}
