/**
 * A call in OpenAI's form with a large file: it goes to disk while it is sent, and its digest is
 * taken as it passes, so that memory grows neither with its length nor much with their number.
 */
import { assert, it } from "vitest"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

const mebibyte = 1_048_576

/** Of one file. It shows in its first byte which one it is. */
const mebibytes = 64

const headers = { "content-type": "multipart/form-data; boundary=b" }

/** A call as it is written, piece by piece, so that this process never holds the whole of it. */
const bodyOf = (number: number) => {
  const encode = (text: string) => new TextEncoder().encode(text)
  const field = '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n'
  const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
  const piece = new Uint8Array(mebibyte / 4).fill(number)
  let sent = -1
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (sent < 0) controller.enqueue(encode(field + file))
      else if (sent < mebibytes * 4) controller.enqueue(piece)
      else {
        controller.enqueue(encode("\r\n--b--\r\n"))
        controller.close()
      }
      sent += 1
    }
  })
}

it("takes many large files at once with little memory", async () => {
  await using directory = await dataDirectory()
  await using server = await ServerProcess.start(directory.path, { VERBATIM_ROLES: "http" })
  const leaving = new AbortController()
  let number = 0
  /** Nobody does the work: the calls wait until they are given up. */
  const call = async () => {
    number += 1
    const init = { method: "POST", headers, body: bodyOf(number), duplex: "half" } as const
    const going = server.request("/v1/audio/transcriptions", { ...init, signal: leaving.signal })
    const response = await going.catch((reason: unknown) => reason)
    if (response instanceof Response) assert.fail(await response.text())
  }
  const calls: Array<Promise<void>> = []
  const send = async (count: number) => {
    for (let index = 0; index < count; index += 1) calls.push(call())
    for (;;) {
      const page = await server.json("/v1/transcriptions?limit=100")
      if (page.data?.length === calls.length) break
    }
    return (await server.peakBytes()) / mebibyte
  }
  const atRest = (await server.peakBytes()) / mebibyte
  // The first one takes what the engine lets pile up before it collects.
  const first = await send(1)
  const second = await send(1)
  const many = await send(16)
  leaving.abort()
  await Promise.all(calls)
  const told = [atRest, first, second, many].map(Math.round).join(", ")
  assert.isBelow(first - atRest, 96, told)
  assert.isBelow(second - first, 32, told)
  // Each has a block of its digest, and pieces that wait for the disk.
  assert.isBelow(many - second, 16 * 12, told)
})
