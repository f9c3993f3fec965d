/**
 * Claims work in a database with many concurrent writers. One statement inspects rows without
 * locks, chooses in the same way as `Choice`, and locks the chosen rows in the chosen order. Rows
 * that other transactions have locked are skipped, so that no claim waits and no two claims get the
 * same work.
 */
import type { WorkKind } from "@verbatim/core/attempt"
import { fullLanes, keepsSlotsFree, laneHash } from "@verbatim/core/job"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Claim, FoundLease, WorkStatements } from "../../sql/Statements.ts"
import * as Limits from "../../sql/work/Claim.ts"
import {
  buildSkipScan,
  type ClaimCursors,
  type ClaimedRow,
  type ClaimRequest,
  type Claims,
  fullHashes,
  mergeClaims,
  rowLimits,
  wantedKinds
} from "../../sql/work/Claim.ts"
import { workFormat } from "../../sql/work/WorkRows.ts"
import { serverMillis } from "./ServerTime.ts"

type Sql = SqlClient.SqlClient

/**
 * Writes a number into the statement's text, which is possible because every claim uses the same
 * number.
 */
const literal = (sql: Sql, number: number) => sql.literal(String(number))

const now = (sql: Sql) => sql`(SELECT millis FROM now)`

/** The state that a process keeps between claims. */
interface Memory {
  readonly cursors: ClaimCursors
  /**
   * Whether the last claim found more due work than it could inspect, so that it visited the
   * workspaces in turn.
   */
  isCrowded: boolean
}

const wantedColumns = `kind TEXT, slots BIGINT, keeps_free BOOLEAN, after TEXT,
  held JSONB, full_lanes JSONB, workspace_leaps BIGINT, lane_leaps BIGINT,
  lane_reach BIGINT, no_lane_reach BIGINT, taken JSONB, lane_max BIGINT`

/** A claim's free slots: one row for each requested kind. */
const wantedRows = (request: ClaimRequest, { cursors }: Memory) =>
  wantedKinds(request).map(([kind, slots]) => {
    const held = request.held[kind] ?? {}
    const { lane, noLane } = rowLimits(request.lanes.max, slots)
    return {
      kind,
      slots,
      keeps_free: keepsSlotsFree[kind],
      after: cursors.get(kind) ?? "",
      held,
      full_lanes: fullHashes(request),
      workspace_leaps: Limits.workspacesMax + 1 + Object.keys(held).length,
      lane_leaps: Limits.lanesMax + fullLanes(request.lanes).length,
      lane_reach: lane,
      no_lane_reach: noLane,
      taken: request.lanes.taken,
      lane_max: request.lanes.max
    }
  })

/** Whether a due row can be leased: the row's format is known, and it has no valid lease. */
const isOpen = (sql: Sql) => sql`format <= ${literal(sql, workFormat)}
  AND (lease_until IS NULL OR lease_until <= ${now(sql)})`

const isOverlong = (sql: Sql) => sql`lease_until > ${now(sql)} + ${Limits.overlongMillis}`

/**
 * Selects the earliest due work, up to a limit for each kind. A kind that reaches its limit is
 * crowded.
 */
const withPeeked = (sql: Sql): Statement.Fragment => sql`
  peeked AS MATERIALIZED (
    SELECT first.* FROM wanted CROSS JOIN LATERAL (
      SELECT job_id, kind, workspace_id, lane, due_at, lease_until, format FROM verbatim_work
      WHERE kind = wanted.kind AND due_at <= ${now(sql)}
      ORDER BY due_at, job_id LIMIT ${literal(sql, Limits.peekMax)}) AS first),
  crowded AS MATERIALIZED (
    SELECT * FROM wanted WHERE kind IN (
      SELECT kind FROM peeked GROUP BY kind HAVING count(*) >= ${literal(sql, Limits.peekMax)}))`

/**
 * Selects a lane's due work as one range of an index. If the conditions used `=`, Postgres might
 * use the index by due time, and read a million rows of other lanes.
 */
const isOfLane = (sql: Sql) => sql`
  (verbatim_work.workspace_id, verbatim_work.lane_hash) >= (visited.workspace_id, lane.lane_hash)
  AND (verbatim_work.workspace_id, verbatim_work.lane_hash, verbatim_work.due_at)
    <= (visited.workspace_id, lane.lane_hash, ${now(sql)})`

/** For crowded kinds, visits the workspaces and their lanes in turn. */
const withWalked = (sql: Sql, start: number): Statement.Fragment => {
  const ofWorkspaces = buildSkipScan(sql, {
    column: "workspace_id",
    where: sql`kind = crowded.kind`,
    after: sql`crowded.after`,
    max: sql`crowded.workspace_leaps`
  })
  const ofLanes = buildSkipScan(sql, {
    column: "lane_hash",
    where: sql`kind = crowded.kind AND workspace_id = visited.workspace_id`,
    after: sql`${start}`,
    max: sql`crowded.lane_leaps`
  })
  return sql`
    visited AS MATERIALIZED (
      SELECT kind, one.* FROM crowded CROSS JOIN LATERAL (
        SELECT value AS workspace_id, row_number() OVER () AS position
        FROM (${ofWorkspaces}) AS scan
        WHERE NOT keeps_free OR COALESCE((held ->> value)::bigint, 0) < slots
        LIMIT ${literal(sql, Limits.workspacesMax + 1)}) AS one),
    walked AS MATERIALIZED (
      SELECT open.* FROM crowded
      JOIN visited ON visited.kind = crowded.kind
        AND position <= ${literal(sql, Limits.workspacesMax)}
      CROSS JOIN LATERAL (
        SELECT free.* FROM (
          SELECT value AS lane_hash FROM (${ofLanes}) AS scan
          WHERE NOT COALESCE(full_lanes -> visited.workspace_id, '[]') @> to_jsonb(value)
          LIMIT ${literal(sql, Limits.lanesMax)}) AS lane
        CROSS JOIN LATERAL (
          SELECT * FROM (
            SELECT job_id, kind, workspace_id, lane, due_at, lease_until, format FROM verbatim_work
            WHERE kind = crowded.kind AND ${isOfLane(sql)}
            ORDER BY verbatim_work.workspace_id, verbatim_work.lane_hash, due_at, job_id
            LIMIT ${literal(sql, Limits.laneRowsMax)}) AS due
          WHERE ${isOpen(sql)} OR ${isOverlong(sql)}
          LIMIT CASE WHEN lane.lane_hash = ${literal(sql, Limits.noLaneHash)}
            THEN no_lane_reach ELSE lane_reach END) AS free
        LIMIT no_lane_reach / LEAST(${literal(sql, Limits.workspacesMax)},
          (SELECT count(*) FROM visited WHERE kind = crowded.kind)) + 2) AS open)`
}

/** Selects all due and unleased work from the inspected rows. */
const withFound = (sql: Sql, isRound: boolean): Statement.Fragment => sql`
  found AS MATERIALIZED (
    SELECT * FROM peeked WHERE kind NOT IN (SELECT kind FROM crowded)
    ${sql.literal(isRound ? "UNION ALL SELECT * FROM walked" : "")}),
  open AS MATERIALIZED (
    SELECT job_id, kind, workspace_id, lane, due_at FROM found WHERE ${isOpen(sql)})`

/**
 * Orders rows fairly, and marks the chosen rows. `rank` and `turn` never fall from one row to the
 * next, so if a row exceeds the slots, all later rows do too. Both can be computed without counting
 * all rows.
 */
const inFairOrder = (sql: Sql, rows: "locked" | "open") => sql`
  SELECT *, fits AND turn + CASE WHEN keeps_free THEN rank - 1 ELSE 0 END <= slots AS is_chosen
  FROM (
    SELECT *, row_number() OVER (PARTITION BY kind
      ORDER BY fits DESC, rank, workspace_id <= after, workspace_id) AS turn
    FROM (
      SELECT *, COALESCE((held ->> workspace_id)::bigint, 0) + row_number() OVER (
        PARTITION BY kind, workspace_id, fits ORDER BY due_at, job_id) AS rank
      FROM (
        SELECT one.*, slots, keeps_free, after, held, lane = '' OR row_number() OVER (
            PARTITION BY one.kind, workspace_id, lane ORDER BY due_at, job_id)
          + COALESCE((taken ->> (workspace_id || ' ' || lane))::bigint, 0) <= lane_max AS fits
        FROM ${sql.literal(rows)} AS one JOIN wanted ON wanted.kind = one.kind) AS placed
      ) AS ranked) AS turned`

/**
 * Locks rows one after the other until the chosen number is reached; rows that other transactions
 * have locked are replaced by later rows. The job is locked together with its work, so that the
 * job's current state is read: a commit may have changed the job since the statement began. The
 * rows to lease are then chosen again from the locked rows.
 */
const withLeased = (sql: Sql, request: ClaimRequest): Statement.Fragment => sql`
  ordered AS MATERIALIZED (${inFairOrder(sql, "open")}),
  locked AS MATERIALIZED (
    SELECT one.* FROM wanted CROSS JOIN LATERAL (
      SELECT due.*, job.state FROM (
        SELECT job_id FROM ordered WHERE kind = wanted.kind
        ORDER BY is_chosen DESC, turn OFFSET 0) AS next
      CROSS JOIN LATERAL (
        SELECT job_id, kind, workspace_id, lane, due_at FROM verbatim_work
        WHERE job_id = next.job_id AND kind = wanted.kind AND due_at <= ${now(sql)}
          AND ${isOpen(sql)}
        FOR UPDATE SKIP LOCKED) AS due
      CROSS JOIN LATERAL (SELECT state FROM verbatim_jobs WHERE id = next.job_id
        FOR SHARE SKIP LOCKED) AS job
      LIMIT (SELECT count(*) FROM ordered WHERE kind = wanted.kind AND is_chosen)) AS one),
  chosen AS MATERIALIZED (SELECT * FROM (${inFairOrder(sql, "locked")}) AS again
    WHERE is_chosen),
  leased AS (
    UPDATE verbatim_work
    SET token = ${request.token}, progress = NULL, lease_until = ${now(sql)} + ${Limits.leaseMillis}
    FROM chosen WHERE verbatim_work.job_id = chosen.job_id
      AND verbatim_work.job_id = ANY (ARRAY(SELECT job_id FROM chosen))
    RETURNING verbatim_work.job_id, chosen.kind, chosen.workspace_id, chosen.due_at, turn,
      chosen.state)`

/** Shortens inspected leases that are too long because the clock was set back. */
const cut = (sql: Sql): Statement.Fragment => sql`
  overlong AS MATERIALIZED (
    SELECT job_id FROM (SELECT job_id AS id FROM found WHERE ${isOverlong(sql)}) AS seen
    CROSS JOIN LATERAL (SELECT job_id FROM verbatim_work WHERE job_id = id AND ${isOverlong(sql)}
      FOR UPDATE SKIP LOCKED) AS late),
  cut AS (
    UPDATE verbatim_work SET lease_until = ${now(sql)} + ${Limits.leaseMillis}
    WHERE job_id = ANY (ARRAY(SELECT job_id FROM overlong)))`

/** A row in the result: a kind of work, with one leased task, if any. */
interface Answer {
  readonly now_millis: number
  /** The kind of work, or null if no slots are free. */
  readonly kind: WorkKind | null
  /** Whether there is more due work than the claim inspected. */
  readonly is_crowded: boolean
  /** The number of workspaces that were visited. */
  readonly workspaces: number | null
  readonly last_visited: string | null
  /** The leased task's job, or null if no work was leased. */
  readonly job_id: string | null
  readonly workspace_id: string
  readonly due_at: number
  readonly turn: number
  readonly state: unknown
}

/** Reads the leased work of one kind, and the last workspace, after which the next claim begins. */
const read = (rows: ReadonlyArray<Answer>, slots: number, after: string) => {
  const [first] = rows
  const leasedRows = rows
    .filter((row): row is Answer & ClaimedRow => row.job_id !== null)
    .sort((one, other) => one.turn - other.turn)
  const isUsed = leasedRows.length === slots
  const isRoundCut = (first?.workspaces ?? 0) > Limits.workspacesMax
  const lastVisited = isRoundCut && !isUsed ? first?.last_visited : undefined
  return {
    rows: leasedRows,
    next: lastVisited ?? leasedRows.at(-1)?.workspace_id ?? after,
    hasMore: isUsed || first?.is_crowded === true
  }
}

/**
 * Builds a claim's statement, with or without the part that visits the workspaces. That part is
 * rarely needed, and the statement starts faster without it.
 */
const buildClaim = (sql: Sql, request: ClaimRequest, memory: Memory, isRound: boolean) => {
  const wanted = JSON.stringify(wantedRows(request, memory))
  const round = isRound ? sql`${withWalked(sql, laneHash(request.token))},` : sql``
  const visited = isRound
    ? sql`(SELECT max(position) FROM visited WHERE kind = wanted.kind) AS workspaces,
      (SELECT workspace_id FROM visited WHERE kind = wanted.kind
        AND position = ${literal(sql, Limits.workspacesMax)}) AS last_visited`
    : sql`NULL AS workspaces, NULL AS last_visited`
  return sql<Answer>`
    WITH now AS MATERIALIZED (SELECT ${serverMillis(sql)} AS millis),
    wanted AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${wanted}::jsonb)
        AS wanted (${sql.literal(wantedColumns)})),
    ${withPeeked(sql)}, ${round} ${withFound(sql, isRound)},
    ${withLeased(sql, request)}, ${cut(sql)}
    SELECT millis AS now_millis, wanted.kind,
      wanted.kind IN (SELECT kind FROM crowded) AS is_crowded, ${visited},
      leased.job_id, leased.workspace_id, leased.due_at, turn, state
    FROM now LEFT JOIN (wanted LEFT JOIN leased ON leased.kind = wanted.kind) ON TRUE`
}

/** Reads the results for all kinds, and remembers where the next claim of each kind begins. */
const readAll = (answers: ReadonlyArray<Answer>, request: ClaimRequest, { cursors }: Memory) => {
  const ofKinds = wantedKinds(request).map(([kind, slots]) => {
    const ofKind = answers.filter((row) => row.kind === kind)
    const one = read(ofKind, slots, cursors.get(kind) ?? "")
    cursors.set(kind, one.next)
    return one
  })
  return {
    nowMillis: answers[0]?.now_millis ?? 0,
    rows: ofKinds.flatMap(({ rows }) => rows),
    hasMore: ofKinds.some(({ hasMore }) => hasMore)
  }
}

/**
 * Leases due work of the requested kinds. If a kind turns out to be crowded, a second statement
 * visits the workspaces in turn.
 */
const claim = Effect.fnUntraced(function* (
  sql: Sql,
  request: ClaimRequest,
  memory: Memory
): Effect.fn.Return<Claims, SqlError.SqlError> {
  const isRound = memory.isCrowded
  const answers = yield* buildClaim(sql, request, memory, isRound)
  const crowded = new Set(answers.flatMap((row) => (row.is_crowded ? [row.kind] : [])))
  memory.isCrowded = crowded.size > 0
  const first = readAll(answers, request, memory)
  if (isRound || !memory.isCrowded) return first
  const kinds = Object.fromEntries(wantedKinds(request).filter(([kind]) => crowded.has(kind)))
  const others = { ...request, kinds }
  // If the second statement fails, the whole claim fails, and the leases of the first statement
  // expire. A claim must return all its leases, and the failed statement may have created leases
  // before its result was lost.
  const second = readAll(yield* buildClaim(sql, others, memory, true), others, memory)
  return { ...second, rows: mergeClaims(first.rows, second.rows) }
})

/** Creates a process's claim function, with the state that is kept between claims. */
export const makeClaim = (sql: Sql): Claim => {
  const memory: Memory = { cursors: new Map(), isCrowded: false }
  return (request) => claim(sql, request, memory)
}

/**
 * Changes those held leases that no other transaction has locked. Returns the changed leases and
 * the locked ones. The statement never waits for a lock, because otherwise a single locked row
 * would delay all leases.
 */
export const changeLeases: WorkStatements["changeLeases"] = (sql, leases, changes) =>
  sql<FoundLease>`
    WITH lease AS MATERIALIZED (
      SELECT "jobId" AS job_id, token, progress
      FROM jsonb_to_recordset(${JSON.stringify(leases)}::jsonb)
        AS lease ("jobId" TEXT, token TEXT, progress BIGINT)),
    held AS MATERIALIZED (
      SELECT lease.* FROM lease CROSS JOIN LATERAL (
        SELECT FROM verbatim_work WHERE verbatim_work.job_id = lease.job_id
          AND verbatim_work.token = lease.token
        FOR UPDATE SKIP LOCKED) AS locked),
    changed AS (
      UPDATE verbatim_work SET ${changes} FROM held
      WHERE verbatim_work.job_id = held.job_id AND verbatim_work.token = held.token
        AND verbatim_work.job_id = ANY (ARRAY(SELECT job_id FROM held))
      RETURNING verbatim_work.job_id)
    SELECT job_id, TRUE AS is_changed FROM changed
    UNION ALL
    SELECT lease.job_id, FALSE FROM lease CROSS JOIN LATERAL (
      SELECT FROM verbatim_work WHERE verbatim_work.job_id = lease.job_id
        AND verbatim_work.token = lease.token) AS seen
    WHERE lease.job_id NOT IN (SELECT job_id FROM held)`
