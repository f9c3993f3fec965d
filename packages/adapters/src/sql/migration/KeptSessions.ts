/**
 * Finds a connection pooler in transaction mode. It gives each transaction whichever session of the
 * server is free, so that settings end up on other sessions than those they were made for, and an
 * acknowledgement rests on nothing.
 */
import { Duration, Effect, Option } from "effect"
import { type SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { MigrationError, reasons } from "./MigrationError.ts"

/** What is wrong, and what an operator does about it. */
export const pooledSentence =
  "A connection pooler in transaction mode stands before the database. Settings do not stay with " +
  "its sessions, so a crash could lose what was acknowledged: use the pooler in session mode, or " +
  "the direct address of the server (docs/poolers.md)."

/** The same for a statement that was not run. */
export const pooledError = (): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error(pooledSentence),
      message: pooledSentence,
      operation: "connect"
    })
  })

/** Whether a statement was not run because of a pooler. */
export const isPooled = ({ message }: SqlError.SqlError): boolean => message === pooledSentence

const mark = (connection: SqlConnection.Connection, text: string) =>
  connection.executeUnprepared(
    "SELECT set_config('verbatim.probe', $1::text, FALSE)",
    [text],
    undefined
  )

const read = (connection: SqlConnection.Connection) =>
  Effect.map(
    connection.executeUnprepared(
      "SELECT current_setting('verbatim.probe', TRUE) AS probe",
      [],
      undefined
    ),
    ([row]) => (row as { readonly probe: unknown } | undefined)?.probe
  )

/**
 * A pooler that lends the session that was used last, as most do, is found in the first round. One
 * that chooses among n at random is missed with a chance of n to the power of minus sixteen.
 */
const rounds = 8

/** How long to wait for a second session, which a pool of one never lends. */
const secondTimeout = Duration.seconds(1)

/**
 * Refuses a client whose sessions do not keep their settings: marks two sessions that are held at
 * once, and reads the marks by turns, each time in another transaction. Nothing else is set, since
 * that might stay on sessions of other programs.
 */
export const mustKeepSessions = (
  sql: SqlClient.SqlClient,
  sessions: 1 | 2 = 2
): Effect.Effect<void, MigrationError | SqlError.SqlError> =>
  Effect.gen(function* () {
    const first = yield* sql.reserve
    const second =
      sessions === 1 ? Option.none() : yield* Effect.timeoutOption(sql.reserve, secondTimeout)
    const held = [first, ...Option.toArray(second)]
    const marked = held.map((connection, index) => ({ connection, text: `session ${index}` }))
    const isKept = Effect.gen(function* () {
      for (const { connection, text } of marked) yield* mark(connection, text)
      for (let round = 0; round < rounds; round += 1) {
        for (const { connection, text } of marked) {
          if ((yield* read(connection)) !== text) return false
        }
      }
      return true
    })
    // The sessions of a host stay as they were.
    const unmark = Effect.ignore(Effect.forEach(held, (connection) => mark(connection, "")))
    if (yield* Effect.ensuring(isKept, unmark)) return
    return yield* new MigrationError({ reason: reasons.Unfit.make({ sentence: pooledSentence }) })
  }).pipe(Effect.scoped)
