import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

const megabyte = 1_048_576

/** A file of many megabytes that is made while it is sent. */
const parts = async function* (megabytes: number) {
  const encoder = new TextEncoder()
  yield encoder.encode(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="long.wav"\r\n\r\n'
  )
  const chunk = new Uint8Array(megabyte)
  for (let sent = 0; sent < megabytes; sent += 1) yield chunk
  yield encoder.encode("\r\n--b--\r\n")
}

const send = (server: ServerProcess, megabytes: number) =>
  server.request("/v1/transcribe", {
    method: "POST",
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: ReadableStream.from(parts(megabytes)),
    duplex: "half"
  })

describe.skipIf(process.platform !== "linux")("a large upload", () => {
  it("moves the peak memory of the server by less than 64 MB", { timeout: 180_000 }, async () => {
    await using directory = await dataDirectory()
    await using server = await ServerProcess.start(directory.path, { VERBATIM_ROLES: "http" })
    await send(server, 1)
    const before = await server.peakBytes()
    const response = await send(server, 190)
    assert.strictEqual(response.status, 200)
    assert.isBelow((await server.peakBytes()) - before, 64 * megabyte)
  })

  it("is refused at the limit, and nothing stays behind", { timeout: 180_000 }, async () => {
    await using directory = await dataDirectory()
    const settings = { VERBATIM_ROLES: "http", VERBATIM_MAX_FILE_MB: "20" }
    await using server = await ServerProcess.start(directory.path, settings)
    const response = await send(server, 21)
    assert.strictEqual(response.status, 413)
    assert.deepStrictEqual(await response.json(), { detail: "File size exceeds 20MB limit" })
    const left = await readdir(join(directory.path, "media"), { recursive: true })
    assert.deepStrictEqual(
      left.filter((name) => name.includes("wav")),
      []
    )
  })
})
