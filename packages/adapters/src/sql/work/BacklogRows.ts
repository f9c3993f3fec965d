/**
 * Counts pending work by kind and in the lanes with the most work, in one statement that reads the
 * work rows once. No other table is read, so the number of ended jobs does not matter.
 */
import { WorkKind } from "@verbatim/core/attempt"
import { shownLanesMax } from "@verbatim/core/job"
import type { KindBacklog } from "@verbatim/core/ports"
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"

/** A row for a kind of work (at position 0) or for one of its lanes. */
const readBacklogRow = makeReader(
  Schema.Struct({
    kind: WorkKind,
    position: Schema.Int,
    laneCount: Schema.Int,
    workspaceId: Schema.String,
    lane: Schema.String,
    due: Schema.Int,
    later: Schema.Int,
    leased: Schema.Int,
    dueSince: Schema.OptionFromNullOr(Schema.DateTimeUtcFromMillis)
  })
)

type BacklogRow = Effect.Success<ReturnType<typeof readBacklogRow>>

const countsOf = ({ due, dueSince, later, leased }: BacklogRow) => ({
  due,
  later,
  leased,
  dueSince
})

const toBacklog = ([whole, ...lanes]: ReadonlyArray<BacklogRow>): ReadonlyArray<KindBacklog> =>
  whole === undefined
    ? []
    : [
        {
          kind: whole.kind,
          ...countsOf(whole),
          laneCount: whole.laneCount,
          lanes: lanes.map((each) => ({
            workspaceId: each.workspaceId,
            lane: each.lane,
            ...countsOf(each)
          }))
        }
      ]

/** The sums are cast, because otherwise a sum of counts would have a wider type than a count. */
const sums = ["due", "later", "leased"].map((name) => `CAST(sum(${name}) AS BIGINT) AS ${name}`)

/**
 * Reads the rows for every kind of work, each followed by the rows for its lanes. The lane is empty
 * for work without a lane.
 */
export const find = (
  sql: SqlClient.SqlClient,
  now: Statement.Fragment
): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> => {
  const isFree = sql.literal("(lease_until IS NULL OR lease_until <= millis)")
  return sql<Row>`WITH by_lane AS (
      SELECT kind, workspace_id, lane,
        count(CASE WHEN ${isFree} AND due_at <= millis THEN 1 END) AS due,
        count(CASE WHEN ${isFree} AND due_at > millis THEN 1 END) AS later,
        count(CASE WHEN lease_until > millis THEN 1 END) AS leased,
        min(CASE WHEN ${isFree} AND due_at <= millis THEN due_at END) AS due_since
      FROM (SELECT ${now} AS millis) AS clock CROSS JOIN verbatim_work
        GROUP BY kind, workspace_id, lane
    ), placed AS (
      SELECT by_lane.*, row_number() OVER (PARTITION BY kind
        ORDER BY due DESC, due + later + leased DESC, workspace_id, lane) AS position
      FROM by_lane WHERE lane <> ''
    )
    SELECT kind, 0 AS position, count(NULLIF(lane, '')) AS "laneCount", '' AS "workspaceId",
      '' AS lane, ${sql.literal(sums.join(", "))}, min(due_since) AS "dueSince"
    FROM by_lane GROUP BY kind
    UNION ALL
    SELECT kind, position, 0, workspace_id, lane, due, later, leased, due_since
    FROM placed WHERE position <= ${shownLanesMax}
    ORDER BY 1, 2`
}

/** Decodes the rows, by kind in alphabetical order. */
export const read = (rows: ReadonlyArray<Row>): Effect.Effect<ReadonlyArray<KindBacklog>> =>
  Effect.map(
    Effect.forEach(rows, (row) => readBacklogRow(row, `work of kind ${row.kind}`)),
    (placed) => [...Map.groupBy(placed, ({ kind }) => kind).values()].flatMap(toBacklog)
  )
