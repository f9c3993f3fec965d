/** Properties of a client besides its statements, such as whether we made it. */
import { writeTimeout } from "@verbatim/core/ports"
import type { Duration, Semaphore } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"

/**
 * What a database is as of a commit: after another commit, by whatever program, it is another one.
 * It never comes again.
 */
export type Edition = number

/** What is known of a client. */
export interface ClientTraits {
  /** Whether its integers of 64 bits are numbers, and its connections may be used directly. */
  readonly isOurs: boolean
  /** Lends a connection for one statement outside of transactions, where that takes no session. */
  readonly borrow: SqlConnection.Borrower | undefined
  /**
   * Tells which edition of the database the next statement of `borrow` reads, or a later one; none
   * where only a statement of its own, or a session, could tell, or where it cannot be told now.
   */
  readonly readEdition: (() => Edition | undefined) | undefined
  /** The schema that its sessions have for their own; none where that is as the server says. */
  readonly home: string | undefined
  /** How long a write waits for others where its caller has set no deadline. */
  readonly waitMax: Duration.Duration
  /** Sessions in which gathered writes wait for locks: the rest stays free for the others. */
  readonly waiters: Semaphore.Semaphore | undefined
}

const traits = new WeakMap<SqlClient.SqlClient, ClientTraits>()

const foreign: ClientTraits = {
  isOurs: false,
  borrow: undefined,
  readEdition: undefined,
  home: undefined,
  waitMax: writeTimeout,
  waiters: undefined
}

/** What is known of a client; nothing is of one that somebody else made. */
export const traitsOf = (client: SqlClient.SqlClient): ClientTraits => traits.get(client) ?? foreign

/** Remembers something of a client, and returns it. */
export const withTraits = <Client extends SqlClient.SqlClient>(
  client: Client,
  known: Partial<ClientTraits>
): Client => {
  traits.set(client, { ...traitsOf(client), ...known })
  return client
}
