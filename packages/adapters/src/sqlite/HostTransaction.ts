/**
 * Runs effects in a host's open SQLite transaction: jobs and presets written over the host's
 * connection are committed or rolled back with the host's writes.
 */
import { statSync } from "node:fs"
import type { DatabaseSync, SQLInputValue } from "node:sqlite"
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
import { attempt, retryWhileBusy } from "./SqliteConnection.ts"

/** A host's connection, such as a `DatabaseSync` of `node:sqlite`. */
export type HostDatabase = Pick<DatabaseSync, "exec" | "isOpen" | "isTransaction" | "prepare">

type Row = Readonly<Record<string, unknown>>

/**
 * The error for a statement after the end of its transaction. No statement may run outside the
 * transaction.
 */
class TransactionLoss extends Error {
  readonly reason: HostTransactionError["reason"]
  constructor(reason: HostTransactionError["reason"]) {
    super(reason)
    this.reason = reason
  }
}

const requireOpen = (database: HostDatabase): void => {
  if (!database.isOpen) throw new TransactionLoss("Unusable")
  if (!database.isTransaction) throw new TransactionLoss("NotOpen")
}

/** SQLite's code for a read-only connection. The low byte of a code states the kind of error. */
const readOnly = 8

const isReadOnly = (cause: unknown): boolean => (Object(cause).errcode & 0xff) === readOnly

const explain = ({ reason: { cause } }: SqlError.SqlError): HostTransactionError | undefined => {
  if (cause instanceof TransactionLoss) return new HostTransactionError({ reason: cause.reason })
  if (isReadOnly(cause)) return new HostTransactionError({ reason: "ReadOnly", cause })
  const isGone = cause instanceof Error && /no such savepoint|not open/.test(cause.message)
  return isGone ? new HostTransactionError({ reason: "Ended", cause }) : undefined
}

/**
 * SQLite's code for a transaction that began to read before another program wrote. Waiting does not
 * help such a transaction.
 */
const busySnapshot = 517

const isStale = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === busySnapshot

const makeHost = (database: HostDatabase): Host => {
  const run = <A>(call: () => A) => {
    // No other code can run between the check and the statement.
    const once = attempt("execute", () => {
      requireOpen(database)
      return call()
    })
    return Effect.catchIf(
      once,
      (error) => !isStale(error.reason.cause),
      (error) =>
        error.reason._tag === "LockTimeoutError" ? retryWhileBusy(once) : Effect.fail(error)
    )
  }
  return {
    run: (sql, params) =>
      run((): ReadonlyArray<Row> => {
        const statement = database.prepare(sql)
        // Integers are read exactly, regardless of the host's setting.
        statement.setReadBigInts(false)
        return statement.all(...(params as Array<SQLInputValue>)) as ReadonlyArray<Row>
      }),
    control: (sql) => run(() => database.exec(sql)),
    explain
  }
}

/**
 * Returns the file's identity, which does not depend on the name used to open it, or undefined for
 * an in-memory database.
 */
const identify = (path: unknown): string | undefined => {
  if (typeof path !== "string" || path === "") return undefined
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

const fileOf = (rows: ReadonlyArray<Row>): string | undefined =>
  identify(rows.find(({ name }) => name === "main")?.file)

const listFiles = "SELECT name, file FROM pragma_database_list"

const foreignKeysQuery = "SELECT foreign_keys FROM pragma_foreign_keys"

const makeFailure = (reason: HostTransactionError["reason"]) => new HostTransactionError({ reason })

const lockOf = makeSessionLocks()

const makeHostEntry = (
  database: HostDatabase,
  ownFile: Effect.Effect<string, HostTransactionError>
) => {
  const host = makeHost(database)
  const lock = Effect.succeed(lockOf(database))
  const prepare = Effect.gen(function* () {
    const own = yield* ownFile
    const theirs = yield* host.run(listFiles, [])
    if (fileOf(theirs) !== own) return yield* makeFailure("OtherDatabase")
    const [keys] = yield* host.run(foreignKeysQuery, [])
    if (keys?.foreign_keys !== 1) return yield* makeFailure("ForeignKeysOff")
  })
  return { host, lock, prepare, cleanUp: Effect.void } satisfies HostEntry
}

/** Provides access to hosts' open transactions on SQLite. */
export const hostTransactions: Layer.Layer<HostTransaction, never, SqlClient.SqlClient> = makeLayer(
  (sql) => {
    const ownFile = sql.unsafe<Row>(listFiles).pipe(
      Effect.mapError((cause) => new HostTransactionError({ reason: "Unanswered", cause })),
      Effect.flatMap((rows) => {
        const file = fileOf(rows)
        return file === undefined ? Effect.fail(makeFailure("InMemory")) : Effect.succeed(file)
      })
    )
    return (database: HostDatabase) => makeHostEntry(database, ownFile)
  }
)

/** Runs effects in a host's open transaction: `HostTransaction.within`. */
export const within: RunOnConnection<HostDatabase> = makeWithin()
