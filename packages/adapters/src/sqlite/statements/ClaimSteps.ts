/**
 * Claims work in a database with one writer at a time: small statements run in one transaction,
 * during which no other writer can run. `chooseWork` chooses from the rows that the statements
 * find.
 */
import type { WorkKind } from "@verbatim/core/attempt"
import { chooseWork, type DueWork, keepsSlotsFree, laneHash } from "@verbatim/core/job"
import { Clock, Effect } from "effect"
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
  isLaneFull,
  rowLimits,
  wantedKinds
} from "../../sql/work/Claim.ts"
import { workFormat } from "../../sql/work/WorkRows.ts"
import { isAmong } from "./Reads.ts"

type Sql = SqlClient.SqlClient

/** A row that a claim has inspected. */
interface Row extends DueWork {
  readonly kind: WorkKind
  readonly leaseUntil: number | null
  readonly format: number
}

/** A claim's search for work of one kind. */
interface Search {
  readonly request: ClaimRequest
  readonly kind: WorkKind
  readonly slots: number
  readonly after: string
  readonly nowMillis: number
}

/** The work of one kind that a claim has found. */
interface Found {
  readonly rows: ReadonlyArray<Row>
  /** The last workspace visited, if there are more workspaces. */
  readonly lastVisited?: string
  /** Whether `rows` contains all due rows. */
  readonly isAll: boolean
}

type Query<A> = Effect.Effect<A, SqlError.SqlError>

const columns = `job_id AS jobId, kind, workspace_id AS workspaceId,
  NULLIF(lane, '') AS lane, due_at AS dueAt, lease_until AS leaseUntil, format`

/** Reads the earliest due rows of every kind. */
const peek = (
  sql: Sql,
  kinds: ReadonlyArray<WorkKind>,
  nowMillis: number
): Query<ReadonlyArray<Row>> => {
  if (kinds.length === 0) return Effect.succeed([])
  const ofEach = kinds.map(
    (kind) => sql`SELECT * FROM (SELECT ${sql.literal(columns)} FROM verbatim_work
      WHERE kind = ${kind} AND due_at <= ${nowMillis}
      ORDER BY due_at, job_id LIMIT ${Limits.peekMax}) AS one_kind`
  )
  return sql<Row>`${sql.join(" UNION ALL ", false)(ofEach)}`
}

const isOpen = ({ format, leaseUntil }: Row, nowMillis: number): boolean =>
  format <= workFormat && (leaseUntil === null || leaseUntil <= nowMillis)

const values = (sql: Sql, scan: Statement.Fragment): Query<ReadonlyArray<string | number>> =>
  Effect.map(sql<{ readonly value: string | number }>`${scan}`, (rows) =>
    rows.map(({ value }) => value)
  )

/**
 * Lists the workspaces that have work of the given kind and may get a slot, starting after the
 * workspace that the last claim ended with.
 */
const workspaces = (sql: Sql, { after, kind, slots, request }: Search) => {
  const held = request.held[kind] ?? {}
  const max = Limits.workspacesMax + 1 + Object.keys(held).length
  const scan = buildSkipScan(sql, {
    column: "workspace_id",
    where: sql`kind = ${kind}`,
    after: sql`${after}`,
    max: sql`${max}`
  })
  return Effect.map(values(sql, scan), (ids) =>
    ids.map(String).filter((id) => !keepsSlotsFree[kind] || (held[id] ?? 0) < slots)
  )
}

/** Lists the hashes of a workspace's lanes that are not full, starting at a random hash. */
const lanes = (sql: Sql, workspaceId: string, { kind, request }: Search) => {
  const full = fullHashes(request)[workspaceId] ?? []
  const scan = buildSkipScan(sql, {
    column: "lane_hash",
    where: sql`kind = ${kind} AND workspace_id = ${workspaceId}`,
    after: sql`${laneHash(request.token)}`,
    max: sql`${Limits.lanesMax + full.length}`
  })
  return Effect.map(values(sql, scan), (hashes) =>
    hashes.map(Number).filter((one) => !full.includes(one))
  )
}

const laneRows = (
  sql: Sql,
  lane: { readonly workspaceId: string; readonly laneHash: number },
  { kind, nowMillis, slots, request }: Search
) => {
  const most = rowLimits(request.lanes.max, slots)
  const limit = lane.laneHash === Limits.noLaneHash ? most.noLane : most.lane
  const rows = sql<Row>`SELECT * FROM (SELECT ${sql.literal(columns)} FROM verbatim_work
      WHERE kind = ${kind} AND workspace_id = ${lane.workspaceId} AND lane_hash = ${lane.laneHash}
        AND due_at <= ${nowMillis}
      ORDER BY due_at, job_id LIMIT ${Limits.laneRowsMax}) AS one_lane
    WHERE format <= ${workFormat} AND (leaseUntil IS NULL OR leaseUntil <= ${nowMillis}
      OR leaseUntil > ${nowMillis + Limits.overlongMillis})`
  return Effect.map(rows, (found) =>
    found.filter((row) => !isLaneFull(row, request)).slice(0, limit)
  )
}

/** Visits the workspaces in turn until the work found is enough for all slots. */
const walk = Effect.fnUntraced(function* (sql: Sql, search: Search) {
  const { kind, nowMillis, slots, request } = search
  const held = request.held[kind] ?? {}
  const ids = yield* workspaces(sql, search)
  const visited = ids.slice(0, Limits.workspacesMax)
  const most = rowLimits(request.lanes.max, slots)
  const share = Math.floor(most.noLane / visited.length) + 2
  const rows: Array<Row> = []
  let served = 0
  for (const workspaceId of visited) {
    // There is enough work for all slots, and the workspaces visited so far come before any later
    // ones.
    if (served >= slots) break
    const own: Array<Row> = []
    for (const laneHash of (yield* lanes(sql, workspaceId, search)).slice(0, Limits.lanesMax)) {
      if (own.length >= share) break
      own.push(...(yield* laneRows(sql, { workspaceId, laneHash }, search)))
    }
    const isServed = own.some((row) => isOpen(row, nowMillis))
    if (isServed && (held[workspaceId] ?? 0) === 0) served += 1
    rows.push(...own.slice(0, share))
  }
  const last = ids.length > Limits.workspacesMax ? visited.at(-1) : undefined
  return { rows, isAll: false, ...(last === undefined ? {} : { lastVisited: last }) }
})

/** Shortens leases that are too long because the clock was set back. */
const cutLeases = (sql: Sql, rows: ReadonlyArray<Row>, nowMillis: number): Query<unknown> => {
  const overlong = rows.filter(
    ({ leaseUntil }) => (leaseUntil ?? 0) > nowMillis + Limits.overlongMillis
  )
  if (overlong.length === 0) return Effect.void
  const ids = overlong.map(({ jobId }) => jobId)
  return sql`UPDATE verbatim_work SET lease_until = ${nowMillis + Limits.leaseMillis}
    WHERE ${isAmong(sql, "job_id", ids)}`
}

/** Chooses from the found rows, and remembers where the next claim begins. */
const choose = ({ isAll, lastVisited, rows }: Found, search: Search, cursors: ClaimCursors) => {
  const { after, kind, nowMillis, slots, request } = search
  const open = rows.filter((row) => isOpen(row, nowMillis))
  const chosen = chooseWork(open, {
    kind,
    free: slots,
    held: request.held[kind] ?? {},
    lanes: request.lanes,
    after
  })
  const isUsed = chosen.length === slots
  cursors.set(kind, (isUsed ? undefined : lastVisited) ?? chosen.at(-1)?.workspaceId ?? after)
  return { chosen, hasMore: isUsed || !isAll }
}

/** Chooses from the due work, and leases the chosen work. */
const claim = (
  sql: Sql,
  request: ClaimRequest,
  cursors: ClaimCursors
): Effect.Effect<Claims, SqlError.SqlError> => {
  const wanted = wantedKinds(request)
  const lease = (nowMillis: number, ids: ReadonlyArray<string>) => sql<ClaimedRow>`
    UPDATE verbatim_work
    SET token = ${request.token}, progress = NULL, lease_until = ${nowMillis + Limits.leaseMillis}
    WHERE ${isAmong(sql, "job_id", ids)}
    RETURNING job_id, due_at, (SELECT state FROM verbatim_jobs
      WHERE verbatim_jobs.id = verbatim_work.job_id) AS state`
  const steps = Effect.gen(function* () {
    const nowMillis = yield* Clock.currentTimeMillis
    const kinds = wanted.map(([kind]) => kind)
    const peeked = yield* peek(sql, kinds, nowMillis)
    const choices = yield* Effect.forEach(wanted, ([kind, slots]) => {
      const search = { request, kind, slots, after: cursors.get(kind) ?? "", nowMillis }
      const rows = peeked.filter((row) => row.kind === kind)
      const isAll = rows.length < Limits.peekMax
      const found = isAll ? Effect.succeed({ rows, isAll }) : walk(sql, search)
      return Effect.tap(
        Effect.map(found, (all: Found) => ({ ...choose(all, search, cursors), rows: all.rows })),
        (one) => cutLeases(sql, one.rows, nowMillis)
      )
    })
    const ids = choices.flatMap(({ chosen }) => chosen.map(({ jobId }) => jobId))
    const rows = ids.length === 0 ? [] : yield* lease(nowMillis, ids)
    return { nowMillis, rows, hasMore: choices.some(({ hasMore }) => hasMore) }
  })
  return sql.withTransaction(steps)
}

/** Creates a process's claim function, which remembers where the next claim begins. */
export const makeClaim = (sql: Sql): Claim => {
  const cursors: ClaimCursors = new Map()
  return (request) => claim(sql, request, cursors)
}

/**
 * Changes the leases that are still held. Because there is one writer at a time, no row is ever
 * locked.
 */
export const changeLeases: WorkStatements["changeLeases"] = (sql, leases, changes) =>
  sql<FoundLease>`
    WITH held AS (
      SELECT value ->> 'jobId' AS job_id, value ->> 'token' AS token,
        value ->> 'progress' AS progress
      FROM json_each(${JSON.stringify(leases)}))
    UPDATE verbatim_work SET ${changes} FROM held
    WHERE verbatim_work.job_id = held.job_id AND verbatim_work.token = held.token
    RETURNING verbatim_work.job_id AS job_id, TRUE AS is_changed`
