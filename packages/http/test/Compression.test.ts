/** Long answers of a server over real HTTP: what is compressed, for whom, and what is not. */
import { request } from "node:http"
import { gunzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { jobId, largeTranscript, transcript } from "@verbatim/testkit/samples"
import { Deferred, Effect, Exit, Option } from "effect"
import * as Deployment from "./Deployment.ts"
import { losing } from "./LostParts.ts"
import { transcribed as makeTranscribed } from "./TranscribedJob.ts"

const { inference, management } = Deployment.keys

/** Jobs of this file: a transcript of a few lines, one that is sent whole, and one in pieces. */
const short = 1
const whole = 2
const pieces = 3

const transcripts = new Map([
  [short, transcript],
  [whole, largeTranscript(30_000)],
  [pieces, largeTranscript(1_500_000)]
])

const transcribed = (number: number) =>
  makeTranscribed(number, transcripts.get(number) ?? transcript)

interface Asked {
  readonly path: string
  readonly method?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Bytes {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

/** Reads the bytes of an answer as they were sent: `fetch` would have unpacked them. */
const ask = Effect.fnUntraced(function* ({ body, headers, key, method, path }: Asked) {
  const { port } = yield* Deployment.Deployment
  return yield* Effect.tryPromise(
    () =>
      new Promise<Bytes>((resolve, reject) => {
        const sent = request({
          host: "127.0.0.1",
          port,
          path,
          method: method ?? "GET",
          headers: { authorization: `Bearer ${key ?? inference}`, ...headers }
        })
        sent.on("error", reject).on("response", (answer) => {
          answer.toArray().then(
            (read) =>
              resolve({
                status: answer.statusCode,
                headers: answer.headers,
                bytes: Buffer.concat(read)
              }),
            reject
          )
        })
        sent.end(body)
      })
  )
})

const statusOf = (number: number, more: Omit<Asked, "path"> = {}) =>
  ask({ path: `/v1/status/${jobId(number)}`, ...more })

const gzip = { "accept-encoding": "gzip" }

/** The text of an answer, in whichever of its forms it came. */
const textOf = ({ bytes, headers }: Bytes): string =>
  (headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString()

layer(Deployment.layer(), { excludeTestServices: true })("a compressed answer", (it) => {
  for (const number of [whole, pieces]) {
    it.effect(`has the bytes of the other form, of job ${number}`, () =>
      Effect.gen(function* () {
        yield* transcribed(number)
        const plain = yield* statusOf(number)
        const packed = yield* statusOf(number, { headers: gzip })
        assert.strictEqual(packed.status, 200)
        assert.strictEqual(packed.headers["content-encoding"], "gzip")
        assert.strictEqual(packed.headers["content-type"], "application/json")
        assert.isUndefined(plain.headers["content-encoding"])
        assert.deepStrictEqual(
          [plain.headers.vary, packed.headers.vary],
          ["Accept-Encoding", "Accept-Encoding"]
        )
        assert.isBelow(packed.bytes.length, plain.bytes.length / 3)
        // As texts: a failure would otherwise show megabytes.
        assert.isTrue(textOf(packed) === textOf(plain))
      })
    )
  }

  it.effect("is of text and subtitles too", () =>
    Effect.gen(function* () {
      yield* transcribed(whole)
      for (const form of ["plain_text", "srt", "vtt", "word_json"]) {
        const path = `/v1/status/${jobId(whole)}/${form}`
        const plain = yield* ask({ path })
        const packed = yield* ask({ path, headers: gzip })
        assert.strictEqual(packed.headers["content-encoding"], "gzip", form)
        assert.strictEqual(packed.headers["content-type"], plain.headers["content-type"])
        assert.isTrue(textOf(packed) === textOf(plain), form)
      }
    })
  )

  it.effect("is not a short one, nor one to HEAD", () =>
    Effect.gen(function* () {
      yield* transcribed(short)
      yield* transcribed(whole)
      const few = yield* statusOf(short, { headers: gzip })
      assert.deepStrictEqual(
        [few.headers["content-encoding"], few.headers.vary],
        [undefined, undefined]
      )
      const head = yield* statusOf(whole, { headers: gzip, method: "HEAD" })
      assert.strictEqual(head.bytes.length, 0)
      assert.isUndefined(head.headers["content-encoding"])
      assert.strictEqual(head.headers.vary, "Accept-Encoding")
    })
  )

  it.effect("is none with a tag, none of a direct route, and none that needs no key", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ model: "m", input: "", instructions: "a".repeat(20_000) })
      const json = { "content-type": "application/json", ...gzip }
      const path = "/v1/presets/tagged"
      const asked = [
        { path: `${path}/responses`, key: management, method: "POST", headers: json, body },
        { path, headers: gzip },
        { path: "/openapi.json", headers: gzip }
      ]
      for (const each of asked) {
        const { bytes, headers, status } = yield* ask(each)
        assert.strictEqual(status, 200)
        assert.isAbove(bytes.length, 4_096)
        assert.deepStrictEqual(
          [headers["content-encoding"], headers.vary],
          [undefined, undefined],
          each.path
        )
      }
      const versions = yield* ask({ path: `${path}/versions`, headers: gzip })
      assert.strictEqual(versions.headers["content-encoding"], "gzip")
    })
  )
})

/** A store whose transcripts never end, until whoever reads them goes away. */
const gone = Deferred.makeUnsafe<void>()
const endless = Deployment.layer({
  jobStore: (store) => ({
    ...store,
    transcriptPart: (id, before) =>
      Option.isSome(before)
        ? Effect.onInterrupt(Effect.never, () => Deferred.succeed(gone, undefined))
        : store.transcriptPart(id, before)
  })
})

layer(endless, { excludeTestServices: true })("a compressed answer without a reader", (it) => {
  it.effect("is no longer made", () =>
    Effect.gen(function* () {
      yield* transcribed(pieces)
      const { port } = yield* Deployment.Deployment
      yield* Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            const path = `/v1/status/${jobId(pieces)}`
            const headers = { authorization: `Bearer ${inference}`, ...gzip }
            const sent = request({ host: "127.0.0.1", port, path, headers })
            sent
              .on("error", () => {})
              .on("response", (answer) => {
                assert.strictEqual(answer.headers["content-encoding"], "gzip")
                answer
                  .on("error", () => {})
                  .once("data", () => {
                    sent.destroy()
                    resolve()
                  })
              })
            sent.end()
          })
      )
      yield* Deferred.await(gone)
    })
  )
})

layer(losing, { excludeTestServices: true })("a compressed answer that breaks off", (it) => {
  it.effect("breaks the connection: a part is never taken for the whole", () =>
    Effect.gen(function* () {
      yield* transcribed(pieces)
      const exit = yield* Effect.exit(statusOf(pieces, { headers: gzip }))
      assert.isTrue(Exit.isFailure(exit))
    })
  )
})
