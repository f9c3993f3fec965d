/** The types of the object that `open` returns, which contain no Effect types. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { VerbatimClient } from "@verbatim/client"
import type { Member } from "./Options.ts"

/**
 * A host's transaction: a `pg` client or a `node:sqlite` `DatabaseSync` with an open transaction
 * or, for an Effect `SqlClient`, the value of `sql.transactionService` inside
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
  /**
   * Returns the client for one of the host's workspaces and users, with that user's permissions.
   */
  readonly as: (member: Member) => Embedded
  /**
   * Returns the client within a host's transaction: its writes are committed or rolled back with
   * it. Wait for each call to end before you use the connection again. Workers do not see a job
   * before the commit, so do not wait for the job to finish within the transaction.
   */
  readonly within: (transaction: Transaction) => Embedded
}

/**
 * An opened Verbatim, which calls the API as an operator and on behalf of a workspace named
 * `default`.
 */
export interface Verbatim extends Embedded, AsyncDisposable {
  /** The API for hosts that use `Request`: Hono, Next, SvelteKit, Bun, Deno. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The API for hosts that use Node's HTTP server: `node:http`, Express, Connect, Fastify. */
  readonly handler: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (fault?: unknown) => void
  ) => void
  /** Stops the work and calls in this process. Jobs resume in another process, or later. */
  readonly close: () => Promise<void>
}
