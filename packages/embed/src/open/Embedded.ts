/** The client of the API in this process. */
import { createClient, type VerbatimClient } from "@verbatim/client"
import type { Member } from "../Options.ts"
import { readMember } from "./HostAnswer.ts"
import type { Sent } from "./InProcess.ts"

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
   * before the connection is used again.
   */
  readonly within: (transaction: Transaction) => Embedded
}

/** No name of a server: no request leaves the process. */
const origin = "http://verbatim.invalid"

/** What answers. */
interface Answering {
  readonly call: (request: Request, sent: Sent) => Promise<Response>
  readonly prefix?: string | undefined
}

/** Makes the client of the host itself. */
export const makeEmbedded = ({ call, prefix = "" }: Answering): Embedded => {
  const embed = (sent: Sent): Embedded => {
    const client = createClient({
      baseUrl: `${origin}${prefix}`,
      fetch: (request) => call(request, sent),
      retry: false
    })
    return Object.assign(client, {
      as: (member: Member) => embed({ ...sent, member: readMember(member) }),
      within: (transaction: Transaction) => embed({ ...sent, transaction })
    })
  }
  return embed({})
}
