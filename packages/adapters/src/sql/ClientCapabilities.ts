/**
 * Capabilities of a client besides running statements: direct connections, data versions, limits.
 */
import { writeTimeout } from "@verbatim/core/ports"
import type { Duration, Semaphore } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"

/**
 * The state of a database as of a commit. Every commit, by any program, gives a new one, and none
 * ever repeats.
 */
export type CommitVersion = number

/** Capabilities of a client. */
export interface ClientCapabilities {
  /** Whether its 64-bit integers are numbers, and its connections can be used directly. */
  readonly isOurs: boolean
  /** Lends a connection for one statement outside of transactions, if that takes no session. */
  readonly borrow: SqlConnection.Borrower | undefined
  /**
   * Returns the data version that the next statement of `borrow` reads, or a later one. Undefined
   * if only a separate statement or a session could tell, or if it is not known now.
   */
  readonly readCommitVersion: (() => CommitVersion | undefined) | undefined
  /** The schema set for its sessions; undefined to leave it to the server. */
  readonly home: string | undefined
  /** How long a write waits for others if its caller set no deadline. */
  readonly waitMax: Duration.Duration
  /** Permits for the sessions in which batched writes wait for locks; other sessions stay free. */
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

/** Returns what is known of a client: the defaults for one made elsewhere. */
export const capabilitiesOf = (client: SqlClient.SqlClient): ClientCapabilities =>
  capabilities.get(client) ?? foreign

/** Records capabilities of a client, and returns it. */
export const withCapabilities = <Client extends SqlClient.SqlClient>(
  client: Client,
  known: Partial<ClientCapabilities>
): Client => {
  capabilities.set(client, { ...capabilitiesOf(client), ...known })
  return client
}
