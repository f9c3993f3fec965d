/** Opens Verbatim inside a host: the client of its API, answered in this process. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { createClient, type VerbatimClient } from "@verbatim/client"
import { MediaIdentity } from "@verbatim/core/services"
import { Effect, ManagedRuntime } from "effect"
import type { Member, Options } from "../Options.ts"
import { makeApi } from "./Api.ts"
import { ground } from "./Ground.ts"
import { makeHost } from "./Host.ts"
import { readMember } from "./HostAnswer.ts"
import type { Sent } from "./InProcess.ts"
import { judge, judgeNode } from "./Judgement.ts"
import { makeOwners } from "./Workspaces.ts"

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

/** The client of the API in this process. */
export interface Embedded extends VerbatimClient {
  /** The same for a workspace and a user of the host, with what they may do. */
  readonly as: (member: Member) => Embedded
  /**
   * The same in a transaction of the host: committed with it, or rolled back. Wait for each call
   * before the connection is used again.
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
  /** Ends the work here, and whatever is pending. Jobs go on elsewhere, or later. */
  readonly close: () => Promise<void>
}

/** Ten million minutes are nineteen years of speech: a host that sells none need not count. */
const usualMinutes = 10_000_000

/** No name of a server: no request leaves the process. */
const origin = "http://verbatim.invalid"

/**
 * Opens the stores, brings them to the current schema, and begins to work unless the roles say
 * otherwise. Rejects with `InvalidOptions`, or with what the database says.
 */
export const open = async (options: Options): Promise<Verbatim> => {
  judgeNode(process.versions)
  judge(options)
  const runtime = ManagedRuntime.make(ground(options))
  const { close, isClosing } = makeHost(runtime)
  const begin = makeOwners(options.openingMinutes ?? usualMinutes).pipe(
    // The first one to store media writes down whose it is: not within a transaction of the host.
    Effect.tap(() => Effect.flatMap(MediaIdentity, ({ verify }) => verify))
  )
  const owners = await runtime.runPromise(begin).catch(async (fault: unknown) => {
    await close()
    throw fault
  })
  const { call, fetch, handler } = makeApi({ options, owners, runtime, isClosing })
  const embed = (sent: Sent): Embedded => {
    const client = createClient({
      baseUrl: `${origin}${options.prefix ?? ""}`,
      fetch: (request) => call(request, sent),
      retry: false
    })
    return Object.assign(client, {
      as: (member: Member) => embed({ ...sent, member: readMember(member) }),
      within: (transaction: Transaction) => embed({ ...sent, transaction })
    })
  }
  return Object.assign(embed({}), { fetch, handler, close, [Symbol.asyncDispose]: close })
}
