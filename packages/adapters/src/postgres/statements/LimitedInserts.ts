/**
 * New jobs of workspaces and keys that may have only so many unfinished. Whoever inserts one has
 * the workspace to itself until the commit, so the count is exact over all processes; others of the
 * same process come along in the same transaction, and do not wait for a workspace that is not
 * theirs. Without a limit nothing of this is asked.
 */
import type { UnfinishedMax } from "@verbatim/core/ports"
import type { LimitOwner } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { isLocked } from "../../sql/migration/MigrationError.ts"
import { ofKey, ofWorkspace } from "../../sql/work/Unfinished.ts"
import {
  type Gathering,
  type LockWait,
  lockLimit,
  sharedWaitMillis,
  writesMax
} from "../gather/Gathered.ts"
import * as InsertStatement from "./InsertStatement.ts"

type Sql = SqlClient.SqlClient

/** A new job, and how many may owe work with it. */
export interface LimitedRow {
  readonly row: InsertStatement.NewRow
  readonly max: UnfinishedMax
}

/** What became of a new job: it is written, its id or its key is taken, or there is no room. */
export type Outcome = "Written" | "Taken" | LimitOwner

/** Whose work is counted, and how far. */
interface Count {
  readonly workspace_id: string
  readonly key_id: string | null
  readonly count_max: number
}

const nameOf = ({ key_id, workspace_id }: Omit<Count, "count_max">): string =>
  `${workspace_id} ${key_id ?? ""}`

const countsOf = ({ max, row: { key_id, workspace_id } }: LimitedRow): ReadonlyArray<Count> => [
  ...(max.workspace === null ? [] : [{ workspace_id, key_id: null, count_max: max.workspace }]),
  ...(max.key === null || key_id == null ? [] : [{ workspace_id, key_id, count_max: max.key }])
]

/** How a transaction waits for workspaces and keys: a shared one for so long at most, if at all. */
type Waiting =
  | { readonly isShared: true; readonly millis: number | "none" }
  | { readonly isShared: false; readonly millis: LockWait }

/** Takes workspaces until the transaction ends, all in one order, and says which it has. */
const lockWorkspaces = (sql: Sql, rows: ReadonlyArray<LimitedRow>, waiting: Waiting) => {
  const ids = JSON.stringify([...new Set(rows.map(({ row }) => row.workspace_id))])
  const name = sql.literal(`hashtext('verbatim unfinished'), hashtext(id)`)
  const lock =
    waiting.millis === "none"
      ? sql`pg_try_advisory_xact_lock(${name})`
      : sql`pg_advisory_xact_lock(${name}) IS NOT NULL`
  const limit = lockLimit(sql, waiting.millis === "none" ? undefined : waiting.millis)
  const locked = sql<{ readonly id: string; readonly is_locked: boolean }>`
    SELECT id, ${lock} AS is_locked
    FROM (SELECT id FROM json_array_elements_text(${ids}::json) AS ids (id) ${limit}
      ORDER BY hashtext(id)) AS ordered`
  return Effect.map(
    locked,
    (found) => new Set(found.flatMap(({ id, is_locked }) => (is_locked ? [id] : [])))
  )
}

/** Counts in a statement of its own, which sees what those wrote who had the workspace before. */
const readCounts = Effect.fnUntraced(function* (sql: Sql, rows: ReadonlyArray<LimitedRow>) {
  const asked = new Map<string, Count>()
  for (const count of rows.flatMap(countsOf)) {
    const { count_max = 0 } = asked.get(nameOf(count)) ?? {}
    asked.set(nameOf(count), { ...count, count_max: Math.max(count_max, count.count_max) })
  }
  const max = sql`asked.count_max`
  const counted = yield* sql<Omit<Count, "count_max"> & { readonly unfinished: number }>`
    SELECT workspace_id, key_id,
      CASE WHEN key_id IS NULL THEN ${ofWorkspace(sql, sql`asked.workspace_id`, max)}
        ELSE ${ofKey(sql, sql`asked.key_id`, max)} END AS unfinished
    FROM json_to_recordset(${JSON.stringify([...asked.values()])}::json)
      AS asked (workspace_id TEXT, key_id TEXT, count_max BIGINT)`
  return new Map(counted.map((each) => [nameOf(each), each.unfinished]))
})

/** Gives room to those who came first; the others are told whose limit leaves them none. */
const giveRoom = (
  rows: ReadonlyArray<LimitedRow>,
  unfinished: ReadonlyMap<string, number>
): ReadonlyArray<LimitOwner | undefined> => {
  const taken = new Map(unfinished)
  return rows.map((limited) => {
    const counts = countsOf(limited)
    const full = counts.find((count) => (taken.get(nameOf(count)) ?? 0) >= count.count_max)
    if (full !== undefined) return full.key_id === null ? "workspace" : "key"
    for (const count of counts) taken.set(nameOf(count), (taken.get(nameOf(count)) ?? 0) + 1)
    return undefined
  })
}

/** Writes those that there is room for, and says what became of each. */
const writeRoomed = Effect.fnUntraced(function* (
  sql: Sql,
  rows: ReadonlyArray<LimitedRow>,
  waiting: Waiting
) {
  const full = giveRoom(rows, yield* readCounts(sql, rows))
  const admitted = rows.flatMap(({ row }, place) => (full[place] === undefined ? [row] : []))
  const keys = waiting.isShared ? "shared" : waiting.millis
  const written = admitted.length === 0 ? [] : yield* InsertStatement.insertAll(sql, admitted, keys)
  return rows.map(({ row }, place): Outcome => {
    const owner = full[place]
    if (owner !== undefined) return owner
    const isWritten = Option.getOrElse(written[admitted.indexOf(row)] ?? Option.none(), () => false)
    return isWritten ? "Written" : "Taken"
  })
})

type Outcomes = ReadonlyMap<LimitedRow, Outcome>

/** What became of those whose workspace could be had; nothing is known of the others. */
const insertLimited = (
  sql: Sql,
  rows: ReadonlyArray<LimitedRow>,
  waiting: Waiting
): Effect.Effect<Outcomes, SqlError.SqlError> =>
  Effect.gen(function* () {
    const locked = yield* lockWorkspaces(sql, rows, waiting)
    const ours = rows.filter(({ row }) => locked.has(row.workspace_id))
    const outcomes = ours.length === 0 ? [] : yield* writeRoomed(sql, ours, waiting)
    return new Map(
      ours.flatMap((limited, place) => {
        const outcome = outcomes[place]
        return outcome === undefined ? [] : [[limited, outcome] as const]
      })
    )
  }).pipe(sql.withTransaction)

/**
 * What was told to one who came behind another who needed no room after all is asked again, alone:
 * a batch says yes, and no where it is sure.
 */
const settle = (
  rows: ReadonlyArray<LimitedRow>,
  outcomes: Outcomes
): ReadonlyArray<Option.Option<Outcome>> => {
  const uncertain = new Set(
    rows.flatMap((limited) => (outcomes.get(limited) === "Taken" ? [limited.row.workspace_id] : []))
  )
  return rows.map((limited) => {
    const outcome = outcomes.get(limited)
    const isSure = outcome === "Written" || !uncertain.has(limited.row.workspace_id)
    return isSure ? Option.fromUndefinedOr(outcome) : Option.none()
  })
}

/** How such jobs are written together. */
export const gathering = (sql: Sql): Gathering<LimitedRow, Outcome> => ({
  name: "limited insert",
  sizeMax: writesMax,
  subjects: ({ row }) => InsertStatement.subjectsOf(row),
  locks: ({ row }) => [row.workspace_id],
  answerAll: (rows) =>
    insertLimited(sql, rows, { isShared: true, millis: sharedWaitMillis }).pipe(
      Effect.catchIf(isLocked, () => insertLimited(sql, rows, { isShared: true, millis: "none" })),
      Effect.map((outcomes) => settle(rows, outcomes))
    ),
  answerOne: (limited, millis) =>
    insertLimited(sql, [limited], { isShared: false, millis }).pipe(
      Effect.map((outcomes) => outcomes.get(limited) ?? "Taken"),
      Effect.catchIf(InsertStatement.isTaken, () => Effect.succeed("Taken" as const))
    )
})
