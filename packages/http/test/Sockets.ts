/**
 * Clients that can misbehave in ways that `fetch` cannot: they upload piece by piece, or send raw
 * bytes.
 */
import { Buffer } from "node:buffer"
import { type ClientRequest, type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { Effect } from "effect"
import { disposition, handwritten, multipart } from "./Bodies.ts"
import { keys } from "./Deployment.ts"

export const mebibyte = 1_048_576

export const path = "/v1/transcribe"

export const headersOf = (key: string) => ({ ...multipart, authorization: `Bearer ${key}` })

/** Returns the bytes of a multipart body before and after the content of a file. */
export const wrapping = (name: string) => {
  const [before = "", after = ""] = handwritten([disposition("file", name), "", "@"]).split("@")
  return { before, after }
}

/** Begins an upload. The caller then sends the body. */
export const begin = (port: number, key: string): ClientRequest =>
  request({ host: "127.0.0.1", port, method: "POST", path, headers: headersOf(key) })

/**
 * Sends a file of this many MiB piece by piece, in chunked encoding. The optional callback runs
 * before the last piece.
 */
export const sendFile = (
  port: number,
  name: string,
  mebibytes: number,
  beforeEnd: () => void = () => undefined
) =>
  Effect.promise(async () => {
    const { after, before } = wrapping(name)
    const sending = begin(port, keys.inference)
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sending.on("response", resolve).on("error", reject)
    })
    let isAnswered = false
    sending.once("response", () => {
      isAnswered = true
    })
    const piece = Buffer.alloc(mebibyte / 4, 65)
    sending.write(before)
    for (let count = 0; count < mebibytes * 4 && !isAnswered; count += 1) {
      const drained = new Promise((resolve) => sending.once("drain", resolve))
      if (!sending.write(piece)) await Promise.race([drained, answered])
      sending.removeAllListeners("drain")
    }
    beforeEnd()
    sending.end(after)
    const answer = await answered
    const text = (await answer.toArray()).join("")
    return { status: answer.statusCode, text }
  })

/** Sends bytes, and then reads the response up to the end of a JSON body, or up to a given text. */
export const exchange = (port: number, bytes: ReadonlyArray<string | Uint8Array>, until = '"}') =>
  Effect.callback<string, Error>((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1").setNoDelay()
    const answer = () => {
      socket.on("data", (piece) => {
        received += piece
        if (!received.includes(until)) return
        socket.destroy()
        resume(Effect.succeed(received))
      })
    }
    socket.on("error", (error) => resume(Effect.fail(error)))
    socket.on("end", () => resume(Effect.succeed(received)))
    const [last = "", ...others] = bytes.toReversed()
    for (const piece of others.toReversed()) socket.write(piece)
    socket.write(last, answer)
    return Effect.sync(() => socket.destroy())
  })
