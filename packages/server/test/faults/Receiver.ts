/** Starts a webhook receiver that usually succeeds, and records everything. */
import { createHash } from "node:crypto"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import type { Dice } from "./Dice.ts"

export interface Arrived {
  readonly callbackId: string
  readonly webhookId: string
  readonly bodyHash: string
  readonly at: number
  /** The status of the response, or 0 if the connection was cut. */
  readonly status: number
}

/** This share of the requests fails. */
const failureShare = 0.1

const answer = async (response: ServerResponse, status: number, isSlow: boolean) => {
  if (isSlow) await sleep(300)
  if (status === 0) response.destroy()
  else response.writeHead(status).end()
}

export const startReceiver = async (dice: Dice) => {
  const arrived: Array<Arrived> = []
  let isHolding = false
  let held = 0
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const isHeld = isHolding
    const failing = dice.chance(failureShare)
    const answered = failing ? ([500, 302, 404, 0][dice.below(4)] ?? 500) : 204
    const status = isHeld ? 0 : answered
    arrived.push({
      callbackId: String(request.headers["x-callback-id"]),
      webhookId: String(request.headers["webhook-id"]),
      bodyHash: createHash("sha256").update(body).digest("hex"),
      at: Date.now(),
      status
    })
    if (isHeld) held += 1
    else await answer(response, status, dice.chance(0.05))
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    arrived,
    /** Stops responding, so that each request waits until its sender is killed. */
    hold: () => {
      isHolding = true
    },
    /** Responds to new requests again. Those that are being held never get a response. */
    release: () => {
      isHolding = false
    },
    /** Number of requests that wait for a response. */
    get held() {
      return held
    },
    [Symbol.dispose]: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
