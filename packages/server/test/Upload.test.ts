import { assert, describe, it } from "vitest"
import { dataDirectory, ServerProcess } from "./ServerProcess.ts"

const megabyte = 1_048_576

/**
 * The size limit of files in megabytes. The limit is above the default, so that the test finds any
 * part of the server that uses the default.
 */
const limit = 208

/** Generates a file of many megabytes while it is sent. */
const parts = async function* (megabytes: number) {
  const encoder = new TextEncoder()
  yield encoder.encode(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="long.wav"\r\n\r\n'
  )
  const chunk = new Uint8Array(megabyte)
  for (let sent = 0; sent < megabytes; sent += 1) yield chunk
  yield encoder.encode("\r\n--b--\r\n")
}

describe("a large upload", () => {
  it.skipIf(process.platform !== "linux")(
    "raises the peak memory of the server by less than 64 MB",
    async () => {
      await using directory = await dataDirectory()
      await using server = await ServerProcess.start(directory.path, {
        VERBATIM_ROLES: "http",
        VERBATIM_MAX_FILE_MB: String(limit)
      })
      const send = (megabytes: number) =>
        server.request("/v1/transcribe", {
          method: "POST",
          headers: { "content-type": "multipart/form-data; boundary=b" },
          body: ReadableStream.from(parts(megabytes)),
          duplex: "half"
        })
      await send(1)
      const before = await server.peakBytes()
      const response = await send(limit)
      assert.strictEqual(response.status, 200)
      assert.isBelow((await server.peakBytes()) - before, 64 * megabyte)
    }
  )
})
