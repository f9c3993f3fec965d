/**
 * Counts the work that jobs owe by kind, and in which lanes most of it is, in one statement that
 * reads the rows of work once. No other table is read: jobs that have ended cost nothing.
 */
import { WorkKind } from "@verbatim/core/attempt"
import { shownLanesMax } from "@verbatim/core/job"
import type { KindBacklog } from "@verbatim/core/ports"
import { Effect, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type Row, reading } from "../row/Row.ts"

/** A kind, whose place is 0, or one of its lanes. */
const readPlaced = reading(
  Schema.Struct({
    kind: WorkKind,
    place: Schema.Int,
    laneCount: Schema.Int,
    workspaceId: Schema.String,
    lane: Schema.String,
    due: Schema.Int,
    later: Schema.Int,
    leased: Schema.Int,
    dueSince: Schema.OptionFromNullOr(Schema.DateTimeUtcFromMillis)
  })
)

type Placed = Effect.Success<ReturnType<typeof readPlaced>>

const countsOf = ({ due, dueSince, later, leased }: Placed) => ({ due, later, leased, dueSince })

const toDebt = ([whole, ...lanes]: ReadonlyArray<Placed>): ReadonlyArray<KindBacklog> =>
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

/** A sum of counts has more digits than a count, where nobody says otherwise. */
const sums = ["due", "later", "leased"].map((name) => `CAST(sum(${name}) AS BIGINT) AS ${name}`)

/** The rows of every kind, itself before its lanes. Work without a lane has an empty one. */
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
        ORDER BY due DESC, due + later + leased DESC, workspace_id, lane) AS place
      FROM by_lane WHERE lane <> ''
    )
    SELECT kind, 0 AS place, count(NULLIF(lane, '')) AS "laneCount", '' AS "workspaceId",
      '' AS lane, ${sql.literal(sums.join(", "))}, min(due_since) AS "dueSince"
    FROM by_lane GROUP BY kind
    UNION ALL
    SELECT kind, place, 0, workspace_id, lane, due, later, leased, due_since
    FROM placed WHERE place <= ${shownLanesMax}
    ORDER BY 1, 2`
}

/** What the rows say, by kind in the order of their names. */
export const read = (rows: ReadonlyArray<Row>): Effect.Effect<ReadonlyArray<KindBacklog>> =>
  Effect.map(
    Effect.forEach(rows, (row) => readPlaced(row, `work of kind ${row.kind}`)),
    (placed) => [...Map.groupBy(placed, ({ kind }) => kind).values()].flatMap(toDebt)
  )
