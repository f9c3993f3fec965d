/** Lists a workspace's presets, optionally filtered. */
import { type PresetPage, trace } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { type Row, skipUnreadable } from "../row/Row.ts"
import { mapSqlError } from "./PresetFailure.ts"
import { notRemoved, presets, readCount } from "./PresetRows.ts"
import type { PresetStatements } from "./PresetStatements.ts"

/** Returns a LIKE pattern for strings that contain the given one. */
const toPattern = (text: string): string => `%${text.replace(/[!%_]/g, "!$&")}%`

/** The columns in which text is searched. */
const searchedColumns = ["slug", "name", "description"]

/** Returns the conditions for the presets of a page. */
const filtersOf = (
  sql: SqlClient.SqlClient,
  {
    isLike,
    page: { label, state, text }
  }: Pick<PresetStatements, "isLike"> & { readonly page: PresetPage }
): ReadonlyArray<Statement.Fragment> => {
  const filters: Array<Statement.Fragment> = []
  if (state !== undefined) filters.push(sql`status = ${state}`)
  if (label !== undefined) {
    // In the JSON of all labels, only a label name is followed by an object.
    filters.push(sql`labels LIKE ${toPattern(`"${label}":{`)} ESCAPE '!'`)
  }
  if (text !== undefined) {
    const pattern = toPattern(text)
    filters.push(sql.or(searchedColumns.map((column) => isLike(sql, { column, pattern }))))
  }
  return filters
}

/** Makes the method that lists presets. */
export const makeList = (sql: SqlClient.SqlClient, { isLike }: Pick<PresetStatements, "isLike">) =>
  trace("SqlPresetStore.list")(function* (workspaceId: WorkspaceId, page: PresetPage) {
    const isListed = sql.and([
      sql`workspace_id = ${workspaceId}`,
      sql.literal(notRemoved),
      ...filtersOf(sql, { isLike, page })
    ])
    const rows = yield* sql<Row>`SELECT ${sql.literal(presets.columns)} FROM verbatim_presets
      WHERE ${isListed} ORDER BY updated_at DESC, id DESC
      LIMIT ${page.limit} OFFSET ${page.offset}`.pipe(mapSqlError("list"))
    // The total is counted after the page is read. If presets are removed or changed in between,
    // the total can be less than the page shows, but this is rare.
    const [counted] =
      yield* sql<Row>`SELECT count(*) AS total FROM verbatim_presets WHERE ${isListed}`.pipe(
        mapSqlError("list")
      )
    const read = yield* Effect.forEach(rows, (row) => skipUnreadable(presets.tryRead(row)))
    return {
      presets: read.flatMap(Option.toArray),
      total: yield* readCount(counted?.total, `number of presets of ${workspaceId}`)
    }
  })
