/**
 * What a host does in its own open transaction on Postgres: jobs and presets that are written over
 * its connection are committed or rolled back with what the host writes.
 */
import { Effect, type Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Entrance, makeTurns } from "../sql/host/HostDoor.ts"
import type { Host } from "../sql/host/HostLevel.ts"
import {
  type Door,
  type HostTransaction,
  makeDoor,
  makeLayer
} from "../sql/host/HostTransaction.ts"
import { HostTransactionError } from "../sql/host/HostTransactionError.ts"
import { type HostConnection, runQuery } from "./host/HostQueries.ts"
import { explain } from "./host/SqlState.ts"

/** Where a session is, and what it may do. A server is known by the instant of its start. */
interface Standing {
  readonly place: string
  readonly schema: string | null
  readonly quoted: string | null
  readonly path: string
  readonly is_read_only: boolean
}

const askStanding = `SELECT current_schema() AS schema, quote_ident(current_schema()) AS quoted,
  current_setting('search_path') AS path,
  current_setting('transaction_read_only')::boolean AS is_read_only,
  concat(extract(epoch FROM pg_postmaster_start_time())::text, ' ', current_database()) AS place`

const setPath = "SELECT set_config('search_path', $1, TRUE)"

/** Without one of its own, a write that fails would end the transaction of the host. */
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

/** Judges connections of hosts by a session of the stores. */
const makeJudge = (sql: SqlClient.SqlClient) => {
  let known: Standing | undefined
  const ask = sql.unsafe<Standing>(askStanding).pipe(
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
  /** Asked again where they differ: the server may have been started anew. */
  return Effect.fnUntraced(function* (theirs: Standing) {
    const first = known ?? (yield* ask)
    const ours = first.place === theirs.place ? first : yield* ask
    if (ours.place !== theirs.place) return yield* lost("OtherDatabase")
    if (theirs.is_read_only) return yield* lost("ReadOnly")
    return ours
  })
}

/**
 * A session by the number of its process. It is asked each time, because a pooler in between may
 * give another session to the next transaction. Two servers may share a number, and then a turn.
 */
const askSession = "SELECT pg_backend_pid() AS session"

const turnOf = makeTurns()

const lost = (reason: HostTransactionError["reason"]) => new HostTransactionError({ reason })

type Judge = ReturnType<typeof makeJudge>

/** Finds the tables of the stores while an effect runs, whatever path the host has. */
const makeEntrance = (host: Host, judge: Judge): Entrance => {
  let before: string | undefined
  const arrive = Effect.gen(function* () {
    const [theirs] = yield* host.run(askStanding, [])
    const standing = theirs as unknown as Standing
    const ours = yield* judge(standing)
    before = undefined
    if (standing.schema === ours.schema || ours.quoted === null) return
    yield* host.run(setPath, [ours.quoted])
    before = standing.path
  })
  const leave: Effect.Effect<void, SqlError.SqlError> = Effect.suspend(() =>
    before === undefined ? Effect.void : Effect.asVoid(host.run(setPath, [before]))
  )
  const turn = Effect.map(host.run(askSession, []), ([row]) => turnOf(Number(row?.session)))
  return { host, turn, arrive, leave }
}

/** The open transactions of hosts on Postgres. */
export const hostTransactions: Layer.Layer<HostTransaction, never, SqlClient.SqlClient> = makeLayer(
  (sql) => {
    const judge = makeJudge(sql)
    return (connection: HostConnection) => makeEntrance(makeHost(connection), judge)
  }
)

/** Runs effects in the open transaction of a host: `HostTransaction.within`. */
export const within: Door<HostConnection> = makeDoor()
