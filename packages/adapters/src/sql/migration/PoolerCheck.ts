/**
 * Detects a connection pooler in transaction mode. For each transaction, such a pooler uses any
 * free session on the server, so settings are changed on the wrong sessions, and durability cannot
 * be guaranteed.
 */
import { Duration, Effect, Option } from "effect"
import type { SqlClient, SqlConnection, SqlError } from "effect/sql"
import { connectionError } from "../session/ClientErrors.ts"
import { type MigrationError, migrationError } from "./MigrationError.ts"

/** The message that states the problem and what the operator can do. */
export const poolerSentence =
  "A connection pooler in transaction mode is in front of the database. Its sessions do not keep " +
  "their settings, so a crash could lose acknowledged data: use the pooler in session mode, or " +
  "the direct address of the server (docs/poolers.md)."

/** The error for a statement that was not run because of a connection pooler. */
export const poolerError = (): SqlError.SqlError =>
  connectionError(new Error(poolerSentence), "connect")

/** Whether an error means that a statement was not run because of a connection pooler. */
export const isPoolerError = ({ message }: SqlError.SqlError): boolean => message === poolerSentence

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
 * Number of test rounds. Most poolers lend the most recently used session first, and are detected
 * in the first round. A pooler that chooses randomly among n sessions remains undetected with a
 * probability of n to the power of -16.
 */
const rounds = 8

/** Time limit for getting a second session, which a pool with only one session never provides. */
const secondTimeout = Duration.seconds(1)

/**
 * Refuses a client with sessions that do not keep their settings. To find out, marks two sessions
 * while holding both, and reads the marks alternately, in a new transaction each time. No other
 * settings are changed, because such changes could remain on the sessions of other programs.
 */
export const requireStableSessions = (
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
    // The marks are removed, so that a host's sessions stay unchanged.
    const unmark = Effect.ignore(Effect.forEach(held, (connection) => mark(connection, "")))
    if (yield* Effect.ensuring(isKept, unmark)) return
    return yield* migrationError({ _tag: "Unfit", sentence: poolerSentence })
  }).pipe(Effect.scoped)
