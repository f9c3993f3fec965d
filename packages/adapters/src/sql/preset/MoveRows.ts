/** Reads and writes the histories of presets: designations of versions, and moves of labels. */
import type { Page } from "@verbatim/core/ports"
import type { Designation, LabelMove } from "@verbatim/core/preset"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Row } from "../row/Row.ts"
import { presetVersions, readCount } from "./PresetRows.ts"

/** Returns the row for a move without the previous version, which the preceding row contains. */
export const moveRow = ({
  at,
  by,
  presetId,
  revision,
  to
}: Omit<Designation | LabelMove, "from">): Row => ({
  preset_id: presetId,
  revision,
  version: to,
  user_id: by,
  at: DateTime.toEpochMillis(at)
})

/** A table of moves, with the columns that only this table has. */
interface Moves<Move> {
  readonly table: "verbatim_preset_designations" | "verbatim_preset_label_moves"
  readonly columns?: string
  readonly read: (row: Row, name: string) => Effect.Effect<Move>
}

/** Creates the functions that read the moves that meet a condition. */
export const makeMoveReads = <Move>(
  sql: SqlClient.SqlClient,
  { columns = "", read, table }: Moves<Move>
) => {
  const moves = sql.literal(table)
  return {
    *page(isMeant: Statement.Fragment, { limit, offset }: Page) {
      const rows = yield* sql<Row>`SELECT preset_id AS "presetId", revision, version AS "to",
          user_id AS "by", at, ${sql.literal(columns)}
          lag(version) OVER (ORDER BY revision) AS "from"
        FROM ${moves} WHERE ${isMeant} ORDER BY revision LIMIT ${limit} OFFSET ${offset}`
      return yield* Effect.forEach(rows, (row) =>
        read(row, `${table} ${row.presetId} ${row.revision}`)
      )
    },
    *count(isMeant: Statement.Fragment) {
      const [counted] = yield* sql<Row>`SELECT count(*) AS total FROM ${moves} WHERE ${isMeant}`
      return yield* readCount(counted?.total, `number of ${table}`)
    },
    /** Finds the version at a point in time. After a removed label, there is none. */
    *versionAt(isMeant: Statement.Fragment, at: DateTime.Utc) {
      const [row] = yield* sql<Row>`SELECT ${sql.literal(presetVersions.columns)}
        FROM (SELECT preset_id, version FROM ${moves}
          WHERE ${isMeant} AND at <= ${DateTime.toEpochMillis(at)}
          ORDER BY revision DESC LIMIT 1) AS moved
        JOIN verbatim_preset_versions ON verbatim_preset_versions.preset_id = moved.preset_id
          AND verbatim_preset_versions.version = moved.version`
      return row === undefined ? Option.none() : Option.some(yield* presetVersions.read(row))
    }
  }
}
