/**
 * Defines requests and results of claims. A claim inspects the earliest due work. If more work is
 * due, the claim visits the workspaces in turn. `Choice` chooses the work to take.
 */
import type { WorkKind } from "@verbatim/core/attempt"
import { type DueWork, fullLanes, laneHash, laneOf } from "@verbatim/core/job"
import { type Capacity, type LeaseToken, leaseDuration } from "@verbatim/core/ports"
import { Array, Duration, Record } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** Duration of a lease in milliseconds. */
export const leaseMillis: number = Duration.toMillis(leaseDuration)

/**
 * A lease that ends at least this much later than a new lease was granted before the clock was set
 * back. The margin allows for renewals while a claim runs.
 */
export const overlongMillis: number = leaseMillis + 2_000

/**
 * Number of rows of each kind, including leased rows, that a claim inspects in order of due time.
 * If there are fewer rows, the claim has seen all due work.
 */
export const peekMax = 128

/**
 * The number of workspaces that a claim inspects if there are more rows, starting where the last
 * claim ended.
 */
export const workspacesMax = 16

/**
 * Number of lanes that a claim inspects in each of these workspaces; full lanes are skipped. With
 * four tasks in each, these lanes fill half of 128 slots.
 */
export const lanesMax = 16

/**
 * Number of rows, including leased rows, that a claim inspects in each lane. If all processes
 * together run more attempts than this in one lane, a claim does not find the work that follows.
 */
export const laneRowsMax = 1_000

/** The lane hash of work that has no lane. */
export const noLaneHash: number = laneHash("")

/** A worker's request for work. */
export interface ClaimRequest extends Capacity {
  readonly token: LeaseToken
}

/** A leased row, with the job's state after the last commit. */
export interface ClaimedRow {
  readonly job_id: string
  readonly due_at: number
  readonly state: unknown
}

/** The leased rows, in no particular order, and the store's time. */
export interface Claims {
  readonly nowMillis: number
  readonly rows: ReadonlyArray<ClaimedRow>
  readonly hasMore: boolean
}

/** For each kind, the workspace that the next claim begins after. */
export type ClaimCursors = Map<WorkKind, string>

/** Number of extra rows to read, in case other claims take some of the rows. */
const spareRows = 32

/**
 * Returns how many unleased rows to read: `lane` is for a lane with a limit, and `noLane` for all
 * work without a lane, divided among the workspaces.
 */
export const rowLimits = (laneMax: number, slots: number) => {
  const all = slots + spareRows
  return { lane: Math.min(laneMax + 2, all), noLane: all }
}

/** Returns the kinds with free slots. */
export const wantedKinds = ({ kinds }: Capacity): ReadonlyArray<readonly [WorkKind, number]> =>
  (Object.entries(kinds) as ReadonlyArray<[WorkKind, number]>).filter(([, slots]) => slots > 0)

/** Returns the hashes of full lanes, keyed by workspace. */
export const fullHashes = ({
  lanes
}: Capacity): Readonly<Record<string, ReadonlyArray<number>>> => {
  const named = fullLanes(lanes).map((key) => {
    const at = key.indexOf(" ")
    return { workspaceId: key.slice(0, at), laneHash: laneHash(key.slice(at + 1)) }
  })
  return Record.map(
    Array.groupBy(named, ({ workspaceId }) => workspaceId),
    (some) => some.map(({ laneHash }) => laneHash)
  )
}

/** Whether a task's lane is full. */
export const isLaneFull = (
  work: Pick<DueWork, "lane" | "workspaceId">,
  { lanes }: Capacity
): boolean => {
  const key = laneOf(work)
  return key !== null && (lanes.taken[key] ?? 0) >= lanes.max
}

/**
 * Merges the results of a claim's two statements. If a commit between the two statements releases a
 * job that the first statement has leased, the second statement may lease the job again. In that
 * case, only the second lease and its copy of the job's state are valid.
 */
export const mergeClaims = (
  first: ReadonlyArray<ClaimedRow>,
  second: ReadonlyArray<ClaimedRow>
): ReadonlyArray<ClaimedRow> => {
  const again = new Set(second.map(({ job_id }) => job_id))
  return [...first.filter(({ job_id }) => !again.has(job_id)), ...second]
}

/** The column to scan, which must follow the condition's columns in an index on `work`. */
interface SkipScan {
  readonly column: "lane_hash" | "workspace_id"
  readonly where: Statement.Fragment
  /** The value that the scan starts after. Values up to and including this one come last. */
  readonly after: Statement.Fragment
  /** The maximum number of values to read on each side of the start. */
  readonly max: Statement.Fragment
}

/**
 * Builds a query with one column, `value`: a column's distinct values, found with a skip scan
 * through an index. The cost per value does not depend on the number of rows with that value. The
 * query starts in the middle of the values and continues from the beginning.
 */
export const buildSkipScan = (
  sql: SqlClient.SqlClient,
  { after, column, max, where }: SkipScan
): Statement.Fragment => {
  const value = sql(column)
  // Each step has only one lower bound, because if there were two, Postgres might start at the more
  // distant one.
  const leaps = (
    name: "earlier" | "later",
    { first, next }: { readonly first: Statement.Fragment; readonly next: Statement.Fragment }
  ) => {
    const from = sql(name)
    return sql`${from} (value, leaps) AS (
      SELECT min(${value}), 1 FROM verbatim_work WHERE ${where} AND ${first}
      UNION ALL
      SELECT (SELECT min(${value}) FROM verbatim_work
        WHERE ${where} AND ${value} > ${from}.value AND ${next}), leaps + 1
      FROM ${from} WHERE value IS NOT NULL AND leaps < ${max})`
  }
  const isUpTo = sql`${value} <= ${after}`
  return sql`
    WITH RECURSIVE ${leaps("later", { first: sql`${value} > ${after}`, next: sql`TRUE` })},
    ${leaps("earlier", { first: isUpTo, next: isUpTo })}
    SELECT value FROM later WHERE value IS NOT NULL
    UNION ALL SELECT value FROM earlier WHERE value IS NOT NULL`
}
