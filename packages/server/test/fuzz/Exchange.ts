/** Sends the bytes of a request over a connection of its own, and reads until its end. */
import { Buffer } from "node:buffer"
import { connect } from "node:net"
import type { Request } from "./Requests.ts"

/** How a connection ended. */
export interface Exchanged {
  readonly received: Buffer
  /** `silent`: the server neither answered nor closed in time. */
  readonly end: "closed" | "reset" | "silent"
}

/** Longer than anything may take: the server's own time-outs are longer still. */
const silenceMillis = 30_000

/** The most that is read of an answer. */
const readMax = 4_000_000

/** For the answer to bytes that may be no request: then nothing follows them. */
const patienceMillis = 20

/** The head of an answer that has no end: whoever has read it hangs up. */
const endless = /^content-type: text\/event-stream/im

/** Sends bytes. A whole request is answered; after others the connection is half closed. */
export const exchange = (
  port: number,
  { bytes, isWhole }: Pick<Request, "bytes" | "isWhole">
): Promise<Exchanged> =>
  new Promise((resolve) => {
    const pieces: Array<Buffer> = []
    let length = 0
    let isReset = false
    let isSilent = false
    const socket = connect({ port, host: "127.0.0.1" })
    socket.setTimeout(silenceMillis, () => {
      isSilent = true
      socket.destroy()
    })
    socket.on("data", (piece) => {
      if (length < readMax) pieces.push(piece)
      length += piece.length
      if (endless.test(piece.toString("latin1"))) socket.destroy()
    })
    socket.on("error", () => {
      isReset = true
    })
    socket.once("close", () => {
      const end = isSilent ? "silent" : isReset ? "reset" : "closed"
      resolve({ received: Buffer.concat(pieces), end })
    })
    socket.write(bytes)
    if (!isWhole) setTimeout(() => socket.end(), patienceMillis)
  })
