/** The client of the API in this process. */
import { createClient } from "@verbatim/client"
import type { Member } from "../Options.ts"
import type { Embedded, Transaction } from "../Verbatim.ts"
import { readMember, readTransaction } from "./HostAnswer.ts"
import type { Sent } from "./HostRequests.ts"

/** No name of a server: no request leaves the process. */
const origin = "http://verbatim.invalid"

/** Calls that begin in one turn of the event loop: some milliseconds. */
const callsMax = 16

let begun = 0
let nextTurn: Promise<void> | undefined

/** Calls need no turn of the event loop: timers and sockets of the host would wait for them. */
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

/** An answer that has no end of its own: it breaks off when what answers is closed. */
const breakOff = (response: Response, closing: AbortSignal | undefined): Response => {
  const isEndless = response.headers.get("content-type") === "text/event-stream"
  if (closing === undefined || !isEndless || response.body === null) return response
  const left = new AbortController()
  const leave = () => left.abort()
  const body = response.body.pipeThrough(
    new TransformStream({
      start: (controller) => {
        const end = () => controller.error(closing.reason)
        closing.addEventListener("abort", end, { once: true, signal: left.signal })
      },
      flush: leave,
      cancel: leave
    })
  )
  return new Response(body, response)
}

/** What answers. */
interface Answering {
  /** Aborted when nothing answers any more. */
  readonly closing?: AbortSignal | undefined
  readonly call: (request: Request, sent: Sent) => Promise<Response>
  readonly prefix?: string | undefined
}

/** Makes the client of the host itself. */
export const makeEmbedded = ({ call, closing, prefix = "" }: Answering): Embedded => {
  const embed = (sent: Sent): Embedded => {
    const client = createClient({
      baseUrl: `${origin}${prefix}`,
      fetch: async (request) => {
        await giveWay()
        const response = await call(request, sent)
        // An interrupted call is answered with a status of its own.
        request.signal.throwIfAborted()
        return breakOff(response, closing)
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
