/** Creates API clients whose calls run in this process. */
import { createClient } from "@verbatim/client"
import type { Member } from "../Options.ts"
import type { Embedded, Transaction } from "../Verbatim.ts"
import type { Sent } from "./HostRequests.ts"
import { readMember, readTransaction } from "./readCaller.ts"

/**
 * The origin in the URLs of in-process calls. The origin belongs to no server, because no request
 * leaves the process.
 */
const origin = "http://verbatim.invalid"

/** Number of calls that start in one turn of the event loop, for a few milliseconds in total. */
const callsMax = 16

let begun = 0
let nextTurn: Promise<void> | undefined

/**
 * Lets the event loop run between calls; otherwise they would block the host's timers and sockets.
 */
const giveWay = async (): Promise<void> => {
  while (begun >= callsMax) {
    nextTurn ??= new Promise((resolve) => {
      setImmediate(() => {
        begun = 0
        nextTurn = undefined
        resolve()
      })
    })
    await nextTurn
  }
  begun += 1
}

/** The API, and the prefix of its paths. */
interface Answering {
  readonly call: (request: Request, sent: Sent) => Promise<Response>
  readonly prefix?: string | undefined
}

/** Creates the client that the host uses. */
export const makeEmbedded = ({ call, prefix = "" }: Answering): Embedded => {
  const embed = (sent: Sent): Embedded => {
    const client = createClient({
      baseURL: `${origin}${prefix}`,
      fetch: async (request) => {
        await giveWay()
        const response = await call(request, sent)
        // If the call was interrupted, the caller must get an error instead of a response with a
        // status.
        request.signal.throwIfAborted()
        return response
      },
      retry: false
    })
    return Object.assign(client, {
      as: (member: Member) => embed({ ...sent, member: readMember(member) }),
      within: (given: Transaction) => embed({ ...sent, transaction: readTransaction(given) })
    })
  }
  return embed({})
}
