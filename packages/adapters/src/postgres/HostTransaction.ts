/**
 * Runs effects in a host's open Postgres transaction: jobs and presets written over the host's
 * connection are committed or rolled back with the host's writes.
 */
import { Effect, type Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import {
  type HostEntry,
  type HostTransaction,
  makeLayer,
  makeSessionLocks,
  makeWithin,
  type RunOnConnection
} from "../sql/host/HostEntry.ts"
import type { Host } from "../sql/host/HostSavepoints.ts"
import { HostTransactionError } from "../sql/host/HostTransactionError.ts"
import { explain, type HostConnection, runQuery } from "./host/HostQueries.ts"

/**
 * The server, database and schema of a session, and whether the session can write. A server is
 * identified by its start time.
 */
interface SessionState {
  readonly database: string
  readonly schema: string | null
  readonly quoted: string | null
  readonly path: string
  readonly is_read_only: boolean
}

const stateQuery = `SELECT current_schema() AS schema, quote_ident(current_schema()) AS quoted,
  current_setting('search_path') AS path,
  current_setting('transaction_read_only')::boolean AS is_read_only,
  concat(extract(epoch FROM pg_postmaster_start_time())::text, ' ', current_database()) AS database`

const setPath = "SELECT set_config('search_path', $1, TRUE)"

/**
 * Each write has a savepoint, because otherwise a failed write would make the host's transaction
 * fail.
 */
const statementSavepoint = "verbatim_statement"

const mayWrite = (sql: string): boolean => !/^\s*SELECT\b/i.test(sql)

const isControl = (sql: string): boolean => /^(?:SAVEPOINT|RELEASE|ROLLBACK TO)\b/.test(sql)

const makeHost = (connection: HostConnection): Host => {
  const query = (sql: string, params: ReadonlyArray<unknown> = []) =>
    runQuery(connection, sql, params)
  const control = (sql: string) => Effect.asVoid(query(sql))
  const release = control(`RELEASE SAVEPOINT ${statementSavepoint}`)
  const undo = Effect.andThen(control(`ROLLBACK TO SAVEPOINT ${statementSavepoint}`), release)
  const write = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.andThen(
      control(`SAVEPOINT ${statementSavepoint}`),
      query(sql, params).pipe(
        Effect.tapError(() => Effect.ignore(undo)),
        Effect.tap(() => release)
      )
    )
  return {
    run: (sql, params) =>
      mayWrite(sql) && !isControl(sql) ? write(sql, params) : query(sql, params),
    control,
    explain
  }
}

/** Checks that a host's connection reaches the same database as the stores' own sessions. */
const makeStateCheck = (sql: SqlClient.SqlClient) => {
  let known: SessionState | undefined
  const readState = sql.unsafe<SessionState>(stateQuery).pipe(
    Effect.flatMap(([found]) =>
      found === undefined ? Effect.die("Postgres does not say where it is") : Effect.succeed(found)
    ),
    Effect.tap((found) =>
      Effect.sync(() => {
        known = found
      })
    ),
    Effect.mapError((cause) => new HostTransactionError({ reason: "Unanswered", cause }))
  )
  /**
   * Reads the state of the stores' session again if it differs from the host's session, because the
   * server may have been restarted.
   */
  return Effect.fnUntraced(function* (theirs: SessionState) {
    const first = known ?? (yield* readState)
    const ours = first.database === theirs.database ? first : yield* readState
    if (ours.database !== theirs.database) return yield* makeFailure("OtherDatabase")
    if (theirs.is_read_only) return yield* makeFailure("ReadOnly")
    return ours
  })
}

/**
 * Identifies a session by its process id. The id is read each time, because a pooler may use
 * another session for the next transaction. Sessions on two servers can have the same id; they then
 * share a lock.
 */
const sessionQuery = "SELECT pg_backend_pid() AS session"

const lockOf = makeSessionLocks()

const makeFailure = (reason: HostTransactionError["reason"]) => new HostTransactionError({ reason })

type StateCheck = ReturnType<typeof makeStateCheck>

/** Makes the stores' tables visible while an effect runs, regardless of the host's search path. */
const makeHostEntry = (host: Host, checkState: StateCheck): HostEntry => {
  let before: string | undefined
  const prepare = Effect.gen(function* () {
    const [theirs] = yield* host.run(stateQuery, [])
    const state = theirs as unknown as SessionState
    const ours = yield* checkState(state)
    before = undefined
    if (state.schema === ours.schema || ours.quoted === null) return
    yield* host.run(setPath, [ours.quoted])
    before = state.path
  })
  const cleanUp: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    before === undefined ? Effect.void : Effect.asVoid(host.run(setPath, [before]))
  )
  const lock = Effect.map(host.run(sessionQuery, []), ([row]) => lockOf(Number(row?.session)))
  return { host, lock, prepare, cleanUp }
}

/** Provides access to hosts' open transactions on Postgres. */
export const hostTransactions: Layer.Layer<HostTransaction, never, SqlClient.SqlClient> = makeLayer(
  (sql) => {
    const checkState = makeStateCheck(sql)
    return (connection: HostConnection) => makeHostEntry(makeHost(connection), checkState)
  }
)

/** Runs effects in a host's open transaction: `HostTransaction.within`. */
export const within: RunOnConnection<HostConnection> = makeWithin()
