/**
 * What a host does in its own open transaction on SQLite: jobs and presets that are written over
 * its connection are committed or rolled back with what the host writes.
 */
import { statSync } from "node:fs"
import type { DatabaseSync, SQLInputValue } from "node:sqlite"
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
import { attempt, patiently } from "./SqliteConnection.ts"

/** A connection of a host: a `DatabaseSync` of `node:sqlite` is one. */
export type HostDatabase = Pick<DatabaseSync, "exec" | "isOpen" | "isTransaction" | "prepare">

type Row = Readonly<Record<string, unknown>>

/** Thrown before a statement that would not be in the transaction. */
class Loss extends Error {
  readonly reason: HostTransactionError["reason"]
  constructor(reason: HostTransactionError["reason"]) {
    super(reason)
    this.reason = reason
  }
}

const mustBeOpen = (database: HostDatabase): void => {
  if (!database.isOpen) throw new Loss("Unusable")
  if (!database.isTransaction) throw new Loss("NotOpen")
}

/** The connection only reads. The low byte of a code is its kind. */
const readOnly = 8

const isReadOnly = (cause: unknown): boolean => (Object(cause).errcode & 0xff) === readOnly

const explain = ({ reason: { cause } }: SqlError.SqlError): HostTransactionError | undefined => {
  if (cause instanceof Loss) return new HostTransactionError({ reason: cause.reason })
  if (isReadOnly(cause)) return new HostTransactionError({ reason: "ReadOnly", cause })
  const isGone = cause instanceof Error && /no such savepoint|not open/.test(cause.message)
  return isGone ? new HostTransactionError({ reason: "Ended", cause }) : undefined
}

/** Another program wrote after the transaction had first read: waiting does not help. */
const busySnapshot = 517

const isStale = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === busySnapshot

const makeHost = (database: HostDatabase): Host => {
  const run = <A>(call: () => A) => {
    // Nothing comes between the look and the statement.
    const once = attempt("execute", () => {
      mustBeOpen(database)
      return call()
    })
    return Effect.catchIf(
      once,
      (error) => !isStale(error.reason.cause),
      (error) => (error.reason._tag === "LockTimeoutError" ? patiently(once) : Effect.fail(error))
    )
  }
  return {
    run: (sql, params) =>
      run((): ReadonlyArray<Row> => {
        const statement = database.prepare(sql)
        // Whatever the host has set for its own.
        statement.setReadBigInts(false)
        return statement.all(...(params as Array<SQLInputValue>)) as ReadonlyArray<Row>
      }),
    control: (sql) => run(() => database.exec(sql)),
    explain
  }
}

/** What tells a file from all others, by whatever name it was opened; none in memory. */
const identify = (path: unknown): string | undefined => {
  if (typeof path !== "string" || path === "") return undefined
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

const fileOf = (rows: ReadonlyArray<Row>): string | undefined =>
  identify(rows.find(({ name }) => name === "main")?.file)

const listFiles = "SELECT name, file FROM pragma_database_list"

const askKeys = "SELECT foreign_keys FROM pragma_foreign_keys"

const lost = (reason: HostTransactionError["reason"]) => new HostTransactionError({ reason })

const turnOf = makeTurns()

const makeEntrance = (
  database: HostDatabase,
  ownFile: Effect.Effect<string, HostTransactionError>
) => {
  const host = makeHost(database)
  const turn = Effect.succeed(turnOf(database))
  const arrive = Effect.gen(function* () {
    const own = yield* ownFile
    const theirs = yield* host.run(listFiles, [])
    if (fileOf(theirs) !== own) return yield* lost("OtherDatabase")
    const [keys] = yield* host.run(askKeys, [])
    if (keys?.foreign_keys !== 1) return yield* lost("ForeignKeysOff")
  })
  return { host, turn, arrive, leave: Effect.void } satisfies Entrance
}

/** The open transactions of hosts on SQLite. */
export const hostTransactions: Layer.Layer<HostTransaction, never, SqlClient.SqlClient> = makeLayer(
  (sql) => {
    const ownFile = sql.unsafe<Row>(listFiles).pipe(
      Effect.mapError((cause) => new HostTransactionError({ reason: "Unanswered", cause })),
      Effect.flatMap((rows) => {
        const file = fileOf(rows)
        return file === undefined ? Effect.fail(lost("InMemory")) : Effect.succeed(file)
      })
    )
    return (database: HostDatabase) => makeEntrance(database, ownFile)
  }
)

/** Runs effects in the open transaction of a host: `HostTransaction.within`. */
export const within: Door<HostDatabase> = makeDoor()
