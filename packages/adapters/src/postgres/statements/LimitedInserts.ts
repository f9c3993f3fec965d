/**
 * Inserts new jobs for workspaces and keys with a limit on unfinished jobs. An insert locks the
 * workspace until its commit, so that the count is exact across all processes. Concurrent inserts
 * of one process share a transaction, which does not wait for other workspaces. This code is used
 * only for workspaces and keys that have a limit.
 */
import type { UnfinishedMax } from "@verbatim/core/ports"
import type { LimitOwner } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { isLocked } from "../../sql/migration/MigrationError.ts"
import { buildKeyCount, buildWorkspaceCount } from "../../sql/work/UnfinishedJobs.ts"
import {
  type Batching,
  type LockWait,
  lockLimit,
  sharedWaitMillis,
  writesMax
} from "../gather/Batching.ts"
import * as InsertStatement from "./InsertStatement.ts"

type Sql = SqlClient.SqlClient

/** A new job with the limits on unfinished jobs; the new job counts towards them. */
export interface LimitedRow {
  readonly row: InsertStatement.NewRow
  readonly max: UnfinishedMax
}

/**
 * The outcome of an insert: the job was written, its id or key is taken, or a limit is reached, in
 * which case the outcome is the limit's owner.
 */
export type Outcome = "Written" | "Taken" | LimitOwner

/** Whose jobs are counted, and up to what number. */
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

/**
 * How long a transaction waits for the locks of workspaces and keys. A shared transaction with
 * `none` does not wait.
 */
type Waiting =
  | { readonly isShared: true; readonly millis: number | "none" }
  | { readonly isShared: false; readonly millis: LockWait }

/**
 * Locks workspaces until the transaction ends, always in the same order, and returns which ones
 * were locked.
 */
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

/**
 * Counts in a separate statement, because only a new statement sees the writes of earlier holders
 * of the lock.
 */
const readCounts = Effect.fnUntraced(function* (sql: Sql, rows: ReadonlyArray<LimitedRow>) {
  const requested = new Map<string, Count>()
  for (const count of rows.flatMap(countsOf)) {
    const { count_max = 0 } = requested.get(nameOf(count)) ?? {}
    requested.set(nameOf(count), { ...count, count_max: Math.max(count_max, count.count_max) })
  }
  const max = sql`requested.count_max`
  const counted = yield* sql<Omit<Count, "count_max"> & { readonly unfinished: number }>`
    SELECT workspace_id, key_id,
      CASE WHEN key_id IS NULL THEN ${buildWorkspaceCount(sql, sql`requested.workspace_id`, max)}
        ELSE ${buildKeyCount(sql, sql`requested.key_id`, max)} END AS unfinished
    FROM json_to_recordset(${JSON.stringify([...requested.values()])}::json)
      AS requested (workspace_id TEXT, key_id TEXT, count_max BIGINT)`
  return new Map(counted.map((each) => [nameOf(each), each.unfinished]))
})

/**
 * Admits jobs in order of arrival; for each of the others, returns the owner of the limit that was
 * reached.
 */
const admitRows = (
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

/** Writes the admitted jobs, and returns the outcome of each. */
const writeAdmitted = Effect.fnUntraced(function* (
  sql: Sql,
  rows: ReadonlyArray<LimitedRow>,
  waiting: Waiting
) {
  const full = admitRows(rows, yield* readCounts(sql, rows))
  const admitted = rows.flatMap(({ row }, index) => (full[index] === undefined ? [row] : []))
  const keys = waiting.isShared ? "shared" : waiting.millis
  const written = admitted.length === 0 ? [] : yield* InsertStatement.insertAll(sql, admitted, keys)
  return rows.map(({ row }, index): Outcome => {
    const owner = full[index]
    if (owner !== undefined) return owner
    const isWritten = Option.getOrElse(written[admitted.indexOf(row)] ?? Option.none(), () => false)
    return isWritten ? "Written" : "Taken"
  })
})

type Outcomes = ReadonlyMap<LimitedRow, Outcome>

/**
 * Returns the outcomes for locked workspaces. The outcomes for the other workspaces remain unknown.
 */
const insertLimited = (
  sql: Sql,
  rows: ReadonlyArray<LimitedRow>,
  waiting: Waiting
): Effect.Effect<Outcomes, SqlError.SqlError> =>
  Effect.gen(function* () {
    const locked = yield* lockWorkspaces(sql, rows, waiting)
    const ours = rows.filter(({ row }) => locked.has(row.workspace_id))
    const outcomes = ours.length === 0 ? [] : yield* writeAdmitted(sql, ours, waiting)
    return new Map(
      ours.flatMap((limited, index) => {
        const outcome = outcomes[index]
        return outcome === undefined ? [] : [[limited, outcome] as const]
      })
    )
  }).pipe(sql.withTransaction)

/**
 * Keeps only the outcomes that are certain; the other jobs are decided again separately. An outcome
 * is uncertain if the job may have been refused because of an earlier job that was counted but
 * never written.
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

/** Makes the function that batches inserts with limits. */
export const makeBatching = (sql: Sql): Batching<LimitedRow, Outcome> => ({
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
