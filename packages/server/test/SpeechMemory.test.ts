/**
 * A call in OpenAI's form with a large file: it goes to disk while it is sent, and its digest is
 * taken as it passes, so that memory grows neither with its length nor much with their number.
 */
import { bytesInUseBy, tellingMemory } from "@verbatim/testkit/servers"
import { assert, it } from "vitest"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

const mebibyte = 1_048_576

/** Of one file. It shows in its first byte which one it is. */
const mebibytes = 64

const headers = { "content-type": "multipart/form-data; boundary=b" }

const encode = (text: string) => new TextEncoder().encode(text)
const field = '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n'
const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'

/** A call as it is written, piece by piece, so that this process never holds the whole of it. */
const piecesOf = async function* (number: number, beforeEnd: () => Promise<void>) {
  yield encode(field + file)
  const piece = new Uint8Array(mebibyte / 4).fill(number)
  for (let sent = 0; sent < mebibytes * 4; sent += 1) yield piece
  await beforeEnd()
  yield encode("\r\n--b--\r\n")
}

it("takes many large files at once with little memory", async () => {
  await using directory = await dataDirectory()
  await using server = await ServerProcess.start(directory.path, {
    NODE_OPTIONS: tellingMemory,
    VERBATIM_ROLES: "http"
  })
  const leaving = new AbortController()
  let number = 0
  /** Nobody does the work: the calls wait until they are given up. */
  const call = async (beforeEnd: () => Promise<void>) => {
    number += 1
    const body = ReadableStream.from(piecesOf(number, beforeEnd))
    const init = { method: "POST", headers, body, duplex: "half" } as const
    const going = server.request("/v1/audio/transcriptions", { ...init, signal: leaving.signal })
    const response = await going.catch((reason: unknown) => reason)
    if (response instanceof Response) assert.fail(await response.text())
  }
  const calls: Array<Promise<void>> = []
  /** What is held when so many more are sent, each all but its end. */
  const heldOf = async (count: number) => {
    const [all, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let left = count
    const beforeEnd = () => {
      left -= 1
      if (left === 0) all.resolve()
      return ended.promise
    }
    for (let index = 0; index < count; index += 1) calls.push(call(beforeEnd))
    await all.promise
    const held = (await bytesInUseBy(server.child)) / mebibyte
    ended.resolve()
    for (;;) {
      const page = await server.json("/v1/transcriptions?limit=100")
      if (page.data?.length === calls.length) return held
    }
  }
  const peak = async () => (await server.peakBytes()) / mebibyte
  const atRest = await peak()
  // The first one loads the code, and takes what the engine lets pile up before it collects.
  await heldOf(1)
  const first = await peak()
  const one = await heldOf(1)
  const second = await peak()
  const many = await heldOf(16)
  const last = await peak()
  const waiting = (await bytesInUseBy(server.child)) / mebibyte
  leaving.abort()
  await Promise.all(calls)
  const told = [one, many, waiting, atRest, first, second, last].map(Math.round).join(", ")
  // Each has a block of its digest, and pieces that wait for the disk.
  assert.isBelow(many - one, 15 * 4, told)
  assert.isBelow(waiting - one, 4, told)
  assert.isBelow(first - atRest, 96, told)
  assert.isBelow(second - first, 32, told)
  assert.isBelow(last - second, 16 * 12, told)
})
