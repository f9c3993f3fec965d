/** Tests the file limit that an operator sets, in the composed server. */
import { once } from "node:events"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inferenceKey, opened, readAnswers, serving, until } from "./Serving.ts"

const megabyte = 1_048_576

const head = (key: string, byteLength: number): string =>
  "POST /v1/transcribe HTTP/1.1\r\nHost: localhost\r\n" +
  `Authorization: Bearer ${key}\r\nContent-Length: ${byteLength}\r\n` +
  "Content-Type: multipart/form-data; boundary=b\r\n\r\n"

const text = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nx'

/** Sends a whole request before reading the response. Returns undefined if the connection broke. */
const told = (request: string, megabytes = 0) =>
  Effect.gen(function* () {
    const seen = yield* opened
    seen.socket.write(request)
    const piece = new Uint8Array(megabyte)
    seen.socket.pause()
    for (let sent = 0; sent < megabytes && !seen.isClosed; sent += 1) {
      if (!seen.socket.write(piece)) {
        yield* Effect.promise(() =>
          Promise.race([once(seen.socket, "drain"), once(seen.socket, "close")])
        )
      }
    }
    seen.socket.resume()
    yield* until(() => seen.text.endsWith('"}') || seen.isClosed)
    const [answer] = readAnswers(seen.text)
    return [answer?.status, answer?.body]
  }).pipe(Effect.scoped)

const tooLarge = (limit: number) => [413, `{"detail":"File size exceeds ${limit}MB limit"}`]
const wrongType = [415, '{"detail":"Unsupported file extension: .txt"}']
const wrongKey = [403, '{"detail":"Forbidden: Invalid API key"}']

for (const limit of [1, 300]) {
  layer(serving({ VERBATIM_MAX_FILE_MB: `${limit}` }), { excludeTestServices: true })(
    `a file limit of ${limit} MB`,
    (it) => {
      it.effect("allows a whole body to be 4 MB larger, and is named in the refusal", () =>
        Effect.gen(function* () {
          const most = (limit + 4) * megabyte
          assert.deepStrictEqual(yield* told(head(inferenceKey, most) + text), wrongType)
          assert.deepStrictEqual(yield* told(head(inferenceKey, most + 1)), tooLarge(limit))
        })
      )

      it.effect(
        "is also reported to a client that starts to read only after it has sent everything",
        () =>
          Effect.gen(function* () {
            const length = limit + 3
            const request = head("nobody-has-this-key", length * megabyte)
            assert.deepStrictEqual(yield* told(request, length), wrongKey)
          })
      )
    }
  )
}
