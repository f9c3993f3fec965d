/** What `open` returns: types alone, without any of Effect. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { VerbatimClient } from "@verbatim/client"
import type { Member } from "./Options.ts"

/**
 * A transaction of the host: a client of `pg` or a `DatabaseSync` of `node:sqlite` that is in one,
 * or, where the database is a `SqlClient` of Effect, what `sql.transactionService` gives inside
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

/** Every operation of the API, answered in this process. */
export interface Embedded extends VerbatimClient {
  /** The same for a workspace and a user of the host, with what they may do. */
  readonly as: (member: Member) => Embedded
  /**
   * The same in a transaction of the host: committed with it, or rolled back. Wait for each call
   * before the connection is used again. No worker sees a job before that: do not wait for one.
   */
  readonly within: (transaction: Transaction) => Embedded
}

/** An opened Verbatim. Its calls are those of a workspace named `default`, and of an operator. */
export interface Verbatim extends Embedded, AsyncDisposable {
  /** The API for hosts of `Request`: Hono, Next, SvelteKit, Bun, Deno. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The API for hosts of Node: `node:http`, Express, Connect, Fastify. */
  readonly handler: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (fault?: unknown) => void
  ) => void
  /** Ends the work and the calls of this process. Jobs resume elsewhere, or later. */
  readonly close: () => Promise<void>
}
