/**
 * Describes a database client: the kind of database, and features beyond running statements, such
 * as direct connections and limits.
 */
import { writeTimeout } from "@verbatim/core/ports"
import type { Duration, Semaphore } from "effect"
import { type SqlClient, type SqlConnection, Statement } from "effect/sql"

/** A client's features beyond running statements. */
export interface ClientCapabilities {
  /**
   * Whether Verbatim created the client. If so, 64-bit integers are numbers, and connections can be
   * used directly.
   */
  readonly isOurs: boolean
  /**
   * Lends a connection for one statement outside transactions, or is undefined if every call would
   * open another session.
   */
  readonly borrow: SqlConnection.Borrower | undefined
  /** The schema that the client's sessions use, or undefined to leave the choice to the server. */
  readonly home: string | undefined
  /** How long a write waits for other writers if the caller has set no deadline. */
  readonly waitMax: Duration.Duration
  /**
   * Permits for the few sessions in which batched writes may wait for locks, so that all other
   * sessions stay available.
   */
  readonly waiters: Semaphore.Semaphore | undefined
}

const capabilities = new WeakMap<SqlClient.SqlClient, ClientCapabilities>()

const foreign: ClientCapabilities = {
  isOurs: false,
  borrow: undefined,
  home: undefined,
  waitMax: writeTimeout,
  waiters: undefined
}

/** Returns a client's capabilities, or defaults for a client that Verbatim did not create. */
export const capabilitiesOf = (client: SqlClient.SqlClient): ClientCapabilities =>
  capabilities.get(client) ?? foreign

/** Records a client's capabilities, and returns the client. */
export const withCapabilities = <Client extends SqlClient.SqlClient>(
  client: Client,
  known: Partial<ClientCapabilities>
): Client => {
  capabilities.set(client, { ...capabilitiesOf(client), ...known })
  return client
}

/** The syntax that all Postgres drivers share. No store uses the compiler's update syntax. */
const postgresCompiler = () =>
  Statement.makeCompiler({
    dialect: "pg",
    placeholder: (number) => `$${number}`,
    onIdentifier: Statement.defaultEscape('"'),
    onRecordUpdate: (placeholders, alias, columns, values) => [
      `(values ${placeholders}) AS ${alias}${columns}`,
      values.flat()
    ],
    onCustom: () => ["NULL", []]
  })

/** Whether a client's database is Postgres. */
export const isPostgresClient = (client: SqlClient.SqlClient): boolean =>
  client.onDialectOrElse({ pg: () => true, orElse: () => false })

/** Creates the compiler for a client's database. */
export const compilerFor = (client: SqlClient.SqlClient): Statement.Compiler =>
  isPostgresClient(client) ? postgresCompiler() : Statement.makeCompilerSqlite()
