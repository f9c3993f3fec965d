/**
 * A client's capabilities in addition to running statements: direct connections, data versions,
 * limits.
 */
import { writeTimeout } from "@verbatim/core/ports"
import type { Duration, Semaphore } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"

/**
 * The state of a database as of a commit. Every commit, by any program, changes it, and no value
 * ever repeats.
 */
export type CommitVersion = number

/** Capabilities of a client. */
export interface ClientCapabilities {
  /** Whether the client's 64-bit integers are numbers, and its connections can be used directly. */
  readonly isOurs: boolean
  /**
   * Lends a connection for one statement outside of transactions, if that needs no separate
   * session.
   */
  readonly borrow: SqlConnection.Borrower | undefined
  /**
   * Returns the data version that the next statement of `borrow` reads, or a later one. Undefined
   * if only a separate statement or session could read it, or if it is currently unknown.
   */
  readonly readCommitVersion: (() => CommitVersion | undefined) | undefined
  /** The schema set for the client's sessions. Undefined to leave it to the server. */
  readonly home: string | undefined
  /** How long a write waits for others if its caller set no deadline. */
  readonly waitMax: Duration.Duration
  /** Permits for the sessions in which batched writes wait for locks. Other sessions stay free. */
  readonly waiters: Semaphore.Semaphore | undefined
}

const capabilities = new WeakMap<SqlClient.SqlClient, ClientCapabilities>()

const foreign: ClientCapabilities = {
  isOurs: false,
  borrow: undefined,
  readCommitVersion: undefined,
  home: undefined,
  waitMax: writeTimeout,
  waiters: undefined
}

/** Returns a client's capabilities, or defaults for a client made elsewhere. */
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
