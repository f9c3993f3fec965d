import { join } from "node:path"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { Guard, GuardedUpload } from "@verbatim/adapters/net"
import { bytesInUse } from "@verbatim/testkit/servers"
import { Duration, Effect, FileSystem, Option, Stream } from "effect"
import { clientSockets, eventually, listen as listenRaw } from "../net/LoopbackServer.ts"
import { respondWith, serve } from "./ScriptedServer.ts"
import { tone, transcribe, writeAudio } from "./Transcribing.ts"

/** Sends a small request to a URL, with one trusted origin. */
const post = (url: string, trusted: string, limits = {}) =>
  GuardedUpload.upload(
    {
      url,
      headers: {},
      content: Stream.make(new Uint8Array([104, 105])),
      byteLength: 2,
      maxAnswerBytes: 100,
      timeout: Duration.seconds(5)
    },
    Option.getOrThrow(Guard.trust(trusted, { limits }))
  )

describe("a trusted origin", () => {
  it.live("can have a private address, unlike any other origin", () =>
    Effect.gen(function* () {
      const server = yield* serve(() => ({ body: "ok" }))
      const other = yield* serve(() => ({ body: "never" }))
      const reply = yield* post(`${server.url}/v1/x`, `${server.url}/v1`)
      assert.strictEqual(Buffer.from(reply.body).toString(), "ok")

      const sockets = yield* clientSockets
      const urls = [
        `${other.url}/x`,
        server.url.replace("127.0.0.1", "localhost"),
        server.url.replace("http:", "https:"),
        server.url.replace("127.0.0.1", "127.0.0.1.example.com"),
        `${server.url.replace("http://", "http://127.0.0.1@")}`,
        "not a URL"
      ]
      for (const url of urls) {
        const error = yield* Effect.flip(post(url, server.url))
        assert.strictEqual(error.reason._tag, "Unreachable", url)
      }
      assert.deepStrictEqual([sockets.length, other.received.length], [0, 0])
    })
  )

  it.live("is the only origin that receives the API key, and its redirects are not followed", () =>
    Effect.gen(function* () {
      const other = yield* serve(() => ({ body: "never" }))
      const server = yield* serve(() => ({
        status: 307,
        headers: { location: other.url },
        body: ""
      }))
      const reply = yield* post(server.url, server.url)
      assert.deepStrictEqual([reply.status, other.received.length], [307, 0])
    })
  )

  it("must be an HTTP or HTTPS address", () => {
    for (const text of ["", "ollama", "file:///etc/passwd", "ftp://host"]) {
      assert.isTrue(Option.isNone(Guard.trust(text)), text)
    }
  })
})

describe("an upload", () => {
  it.live("ends if the server reads nothing", () =>
    Effect.gen(function* () {
      // The server accepts the connection but never reads. Network buffers hold several megabytes.
      const { origin: url } = yield* listenRaw({ onConnection: (socket) => socket.pause() })
      const megabyte = new Uint8Array(1_000_000)
      const error = yield* Effect.flip(
        GuardedUpload.upload(
          {
            url,
            headers: {},
            content: Stream.range(1, 100).pipe(Stream.map(() => megabyte)),
            byteLength: 100_000_000,
            maxAnswerBytes: 100,
            timeout: Duration.minutes(10)
          },
          Option.getOrThrow(Guard.trust(url, { limits: { paceWindow: Duration.millis(300) } }))
        )
      )
      assert.deepStrictEqual(error.reason, {
        _tag: "Unreachable",
        detail: "127.0.0.1: UploadTooSlow"
      })
    })
  )

  it.live("waits for a response until the time limit, and disconnects if it is interrupted", () =>
    Effect.gen(function* () {
      const server = yield* listenRaw({})
      const trusted = Option.getOrThrow(Guard.trust(server.origin))
      const request = {
        url: server.origin,
        headers: {},
        content: Stream.make(new Uint8Array([1])),
        byteLength: 1,
        maxAnswerBytes: 1
      }
      const slow = { ...request, timeout: Duration.millis(100) }
      const error = yield* Effect.flip(GuardedUpload.upload(slow, trusted))
      assert.deepStrictEqual(error.reason, {
        _tag: "Unreachable",
        detail: "no answer within 100ms"
      })
      assert.isTrue(yield* eventually(() => server.open() === 0))

      const waiting = yield* GuardedUpload.upload(
        { ...request, timeout: Duration.minutes(1) },
        trusted
      ).pipe(Effect.timeoutOption(Duration.millis(100)))
      assert.isTrue(Option.isNone(waiting))
      assert.isTrue(yield* eventually(() => server.open() === 0))
    })
  )

  it.live("stops reading an endless response at the size limit", () =>
    Effect.gen(function* () {
      const server = yield* listenRaw({
        onRequest: (socket) => {
          socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
          const chunk = `3e8\r\n${"x".repeat(1_000)}\r\n`
          const more = () => {
            if (!socket.destroyed) socket.write(chunk, () => setImmediate(more))
          }
          more()
        }
      })
      const reply = yield* post(server.origin, server.origin)
      assert.deepStrictEqual([reply.status, reply.isCut, reply.body.byteLength], [200, true, 100])
      assert.isTrue(yield* eventually(() => server.open() === 0))
    })
  )

  it.live("distinguishes a file that ends early from a server that disconnects", () =>
    Effect.gen(function* () {
      const server = yield* serve(() => respondWith({ text: "never" }))
      const audio = yield* writeAudio(tone(2))
      const short = { ...audio, sampleCount: audio.sampleCount + 1 }
      const gone = { ...audio, path: `${audio.path}.gone` }
      for (const broken of [short, gone]) {
        const error = yield* Effect.flip(transcribe(server.url, { recognition: { audio: broken } }))
        assert.strictEqual(error.reason._tag, "StorageFailed")
      }
      assert.strictEqual(server.received.length, 0)
    })
  )

  it.live("sends 100 MB with less than 16 MB in memory at any time", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = join(yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-test-" }), "pcm")
      const seconds = 3_200
      const sound = tone(100)
      for (let part = 0; part < seconds / 100; part++) {
        yield* fs.writeFile(path, sound, { flag: "a" })
      }
      let peak = 0
      let looks = 0
      const look = (byteLength: number) => {
        if (byteLength < looks * 20_000_000) return
        looks += 1
        peak = Math.max(peak, bytesInUse())
      }
      const script = () => respondWith({ text: "Long.", language: "en" })
      const server = yield* serve(script, { keeps: false, look })
      const send = (sampleCount: number) =>
        transcribe(server.url, {
          // Large pieces are sent only if the job requests speakers.
          options: { model: "gpt-4o-transcribe-diarize", maxUploadBytes: 200_000_000 },
          recognition: { audio: { path, sampleCount }, isDiarized: true }
        })
      // The first run loads and compiles the code, so it is not measured.
      yield* send(200 * 16_000)
      const before = bytesInUse()
      peak = before
      looks = 0
      yield* send(seconds * 16_000)
      assert.isAtLeast(looks, 5)
      assert.isAbove(server.received[1]?.byteLength ?? 0, 102_400_000)
      assert.isBelow(peak - before, 16_000_000)
    }).pipe(Effect.provide(nodeFileSystem))
  )
})
