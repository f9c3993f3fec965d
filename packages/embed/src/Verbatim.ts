/** The types of the object that `open` returns. They use no Effect types. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { VerbatimClient } from "@verbatim/client"
import type { Member } from "./Options.ts"

/**
 * A transaction of the host: a `pg` client or a `node:sqlite` `DatabaseSync` with an open
 * transaction or, for an Effect `SqlClient`, the value of `sql.transactionService` inside
 * `sql.withTransaction`.
 */
export type Transaction =
  | {
      readonly query: (
        text: string,
        values: Array<unknown>
      ) => PromiseLike<{ readonly rows: ReadonlyArray<object> }>
    }
  | { readonly prepare: (sql: string) => object; readonly exec: (sql: string) => void }
  | readonly [
      connection: { readonly execute: object; readonly executeUnprepared: object },
      depth: number
    ]

/** Every operation of the API, performed in this process. */
export interface Embedded extends VerbatimClient {
  /** Returns the client for a workspace and a user of the host, with their permissions. */
  readonly as: (member: Member) => Embedded
  /**
   * Returns the client within a transaction of the host: its writes are committed or rolled back
   * with it. Wait for each call to end before you use the connection again. Workers do not see a
   * job before the commit, so do not wait for one.
   */
  readonly within: (transaction: Transaction) => Embedded
}

/** An opened Verbatim, which calls the API as an operator and for a workspace named `default`. */
export interface Verbatim extends Embedded, AsyncDisposable {
  /** The API for hosts that use `Request`: Hono, Next, SvelteKit, Bun, Deno. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The API for hosts that use Node's HTTP: `node:http`, Express, Connect, Fastify. */
  readonly handler: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (fault?: unknown) => void
  ) => void
  /** Stops the work and the calls of this process. Jobs resume in another process, or later. */
  readonly close: () => Promise<void>
}
