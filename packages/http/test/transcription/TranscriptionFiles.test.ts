import { Buffer } from "node:buffer"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Schedule } from "effect"
import { disposition, handwritten, multipart } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { begin, exchange, headersOf, mebibyte, path, wrapping } from "../Sockets.ts"

const { inference } = Deployment.keys

layer(Deployment.layer(), { excludeTestServices: true })("a file", (it) => {
  it.effect("is refused before it is read completely", () =>
    Effect.gen(function* () {
      const { port, stored } = yield* Deployment.Deployment
      const before = yield* stored
      const lines = Object.entries({ host: "localhost", ...headersOf(inference) })
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")
      const answer = yield* exchange(port, [
        `POST ${path} HTTP/1.1\r\n${head}content-length: ${mebibyte}\r\n\r\n`,
        wrapping("a.txt").before,
        "the first bytes"
      ])
      assert.match(answer, /^HTTP\/1.1 415 /)
      assert.deepStrictEqual(yield* stored, before)
    })
  )
})

/** Sends a file of this many bytes twice: once chunked, and once with a declared length. */
const send = (byteLength: number, fields: ReadonlyArray<ReadonlyArray<string>> = []) =>
  Effect.gen(function* () {
    const { call } = yield* Deployment.Deployment
    const content = "x".repeat(byteLength)
    const body = handwritten(...fields, [disposition("file", "a.mp3"), "", content])
    const whole: Deployment.Call = { key: inference, headers: multipart, body }
    const pieces = { ...whole, body: new Blob([body]).stream() }
    const answers = yield* Effect.forEach([whole, pieces], (request) => call(path, request))
    return answers.map(({ status, text }) => [status, JSON.parse(text).detail])
  })

layer(Deployment.layer({ maxFileMegabytes: 1 }), { excludeTestServices: true })(
  "a file of 1 MB",
  (it) => {
    const tooLarge = [413, "File size exceeds 1MB limit"]
    it.effect("is refused if it exceeds the limit by one byte, and leaves nothing stored", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* send(mebibyte + 1), [tooLarge, tooLarge])
        assert.deepStrictEqual(yield* send(8 * mebibyte), [tooLarge, tooLarge])
        yield* Deployment.storesNothing
      })
    )

    it.effect("leaves nothing in the store if its upload is aborted at any point", () =>
      Effect.gen(function* () {
        const { port, stored } = yield* Deployment.Deployment
        const { after, before } = wrapping("a.mp3")
        const content = Buffer.alloc(mebibyte / 2, 65)
        const whole = Buffer.concat([Buffer.from(before), content, Buffer.from(after)])
        const points = [1, before.length, before.length + 1, whole.length / 2, whole.length - 5]
        for (const point of points) {
          const sending = begin(port, inference)
          sending.on("error", () => {})
          sending.write(whole.subarray(0, point))
          yield* Effect.sleep(Duration.millis(50))
          sending.destroy()
        }
        yield* Effect.repeat(stored, {
          until: (names) => names.length === 0,
          schedule: Schedule.spaced(Duration.millis(20))
        })
        assert.deepStrictEqual(yield* stored, [])
      })
    )

    it.effect("is accepted, but an empty file is refused", () =>
      Effect.gen(function* () {
        const { stored } = yield* Deployment.Deployment
        const accepted = [200, undefined]
        assert.deepStrictEqual(yield* send(mebibyte), [accepted, accepted])
        const empty = [400, "The file is empty"]
        assert.deepStrictEqual(yield* send(0), [empty, empty])
        assert.lengthOf(yield* stored, 4)
      })
    )
  }
)
