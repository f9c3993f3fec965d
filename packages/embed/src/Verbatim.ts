/** The types of the object that `open` returns, without any Effect types. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { VerbatimClient } from "@verbatim/client"
import type { Member } from "./Options.ts"

/**
 * Your open transaction: a `pg` client or a `node:sqlite` `DatabaseSync` in a transaction or, for
 * an Effect `SqlClient`, the value of `sql.transactionService` inside `sql.withTransaction`.
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

/** Every operation of the API, as a method that runs in this process. */
export interface Embedded extends VerbatimClient {
  /**
   * Returns the client for one of your workspaces and users, with that user's permissions.
   *
   * @example
   * ```ts
   * const ana = verbatim.as({ workspace: "acme", user: "ana", kind: "inference" })
   * await ana.transcriptions.create({ path: "talk.mp3" })
   * ```
   */
  readonly as: (member: Member) => Embedded
  /**
   * Returns the client within your transaction: its writes are committed or rolled back together
   * with yours. Wait for each call to end before you use the connection again. Workers do not see a
   * job before the commit, so do not wait for a job within the transaction.
   *
   * @example
   * ```ts
   * await connection.query("BEGIN")
   * const { id } = await verbatim.within(connection).transcriptions.create({ path: "talk.mp3" })
   * await connection.query("INSERT INTO talks (job) VALUES ($1)", [id])
   * await connection.query("COMMIT")
   * ```
   */
  readonly within: (transaction: Transaction) => Embedded
}

/**
 * An opened Verbatim, which calls the API as an operator and on behalf of the workspace named
 * `default`.
 */
export interface Verbatim extends Embedded, AsyncDisposable {
  /**
   * Serves the API in frameworks that use `Request`: Hono, Next, SvelteKit, Bun, Deno.
   *
   * @example
   * ```ts
   * hono.all("/v1/*", (context) => verbatim.fetch(context.req.raw))
   * ```
   */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * Serves the API in frameworks that use Node's HTTP server: `node:http`, Express, Connect,
   * Fastify. Throws `InvalidOptions` if the package `@effect/platform-node` is not installed.
   *
   * @example
   * ```ts
   * createServer(verbatim.handler).listen(3000)
   * ```
   */
  readonly handler: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (fault?: unknown) => void
  ) => void
  /**
   * Stops this process's work and calls. Unfinished jobs continue in another process, or after a
   * restart.
   */
  readonly close: () => Promise<void>
}
