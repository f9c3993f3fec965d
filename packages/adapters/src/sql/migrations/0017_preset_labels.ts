/**
 * Presets have labels, versions have comments and may lose their content, and workspaces protect
 * labels.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { index, type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/**
 * An older program writes none of the new columns: a preset that it makes has no labels, and one
 * that it changes keeps those that it has. Moves of labels are a table of their own, because to an
 * older program each row of `preset_designations` designates a version.
 */
const addLabels = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, key } = (yield* SchemaStatements).types(sql)

  yield* sql`ALTER TABLE verbatim_presets ADD COLUMN labels TEXT NOT NULL DEFAULT '{}'`
  yield* sql`ALTER TABLE verbatim_preset_versions ADD COLUMN comment TEXT`
  yield* sql`ALTER TABLE verbatim_preset_versions ADD COLUMN erased TEXT`

  yield* sql`
    CREATE TABLE verbatim_preset_label_moves (
      preset_id ${key} NOT NULL,
      revision ${int} NOT NULL,
      label ${key} NOT NULL,
      version ${int},
      user_id TEXT NOT NULL,
      at ${int} NOT NULL,
      PRIMARY KEY (preset_id, revision),
      FOREIGN KEY (preset_id, version) REFERENCES verbatim_preset_versions (preset_id, version)
    ) ${clustered}`
  yield* sql`CREATE INDEX verbatim_label_moves_by_label ON verbatim_preset_label_moves (preset_id, label, revision)`

  yield* sql`
    CREATE TABLE verbatim_protected_labels (
      workspace_id ${key} NOT NULL REFERENCES verbatim_workspaces (id),
      label ${key} NOT NULL,
      user_id TEXT,
      at ${int} NOT NULL,
      PRIMARY KEY (workspace_id, label)
    ) ${clustered}`
})

/**
 * Adds columns, two tables, and an index that has only presets that were removed and whose rows are
 * still there.
 */
export const steps: ReadonlyArray<Step> = [
  statements(addLabels),
  index(
    "verbatim_presets_removed",
    (sql) => sql`verbatim_presets (workspace_id, id) WHERE status = 'Removed'`
  )
]
