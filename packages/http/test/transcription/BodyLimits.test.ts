import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { disposition, handwritten, multipart } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { exchange, headersOf, mebibyte, path, wrapping } from "../Sockets.ts"

const { inference } = Deployment.keys

/** A body can have 1 MiB for the file and 4 MiB for everything else. */
const bodyMax = 5 * mebibyte

const tooLarge = { status: 413, detail: "File size exceeds 1MB limit" }

const parse = (text: string) => ({
  status: Number(text.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)),
  detail: JSON.parse(text.slice(text.indexOf("\r\n\r\n"))).detail
})

/** Declares a body's length, sends its beginning, and waits for the response. */
const announce = (key: string, byteLength: number, beginning = "") =>
  Effect.gen(function* () {
    const { port } = yield* Deployment.Deployment
    const headers = { host: "localhost", ...headersOf(key), "content-length": byteLength }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const head = `POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`
    return parse(yield* exchange(port, [head + beginning]))
  })

/** Sends a body without a declared length. */
const send = (...pieces: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { call } = yield* Deployment.Deployment
    const body = new Blob([...pieces]).stream()
    const answer = yield* call(path, { key: inference, headers: multipart, body })
    return { status: answer.status, detail: JSON.parse(answer.text).detail }
  })

const good = [disposition("file", "a.mp3"), "", "bytes"]
const large = "x".repeat(bodyMax)
const accepted = { status: 200, detail: undefined }

layer(Deployment.layer({ maxFileMegabytes: 1 }), { excludeTestServices: true })(
  "a body with a file limit of 1 MB",
  (it) => {
    it.effect("is refused for its declared length before it is read", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* announce(inference, bodyMax + 1), tooLarge)
        assert.deepStrictEqual(yield* announce(inference, 3e8), tooLarge)
        assert.deepStrictEqual(yield* announce(inference, 9e15), tooLarge)
        assert.deepStrictEqual(
          yield* announce(inference, bodyMax, `${wrapping("a.txt").before}x`),
          {
            status: 415,
            detail: "Unsupported file extension: .txt"
          }
        )
      })
    )

    for (const [where, ...pieces] of [
      ["before the first part", large, "\r\n", handwritten(good)],
      ["in an unknown part", handwritten([disposition("x"), "", large], good)],
      ["in an unknown file", handwritten([disposition("x", "y"), "", large], good)],
      ["in a parameter", handwritten([disposition("language"), "", large], good)],
      ["in a second file", handwritten(good, [disposition("file", "b"), "", large])],
      ["after the last part", handwritten(good), large]
    ] as const) {
      it.effect(`is refused if it is too large ${where}, and leaves nothing stored`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* send(...pieces), tooLarge)
          yield* Deployment.storesNothing
        })
      )
    }

    it.effect("can have 4 MB in addition to the file", () =>
      Effect.gen(function* () {
        const around = "x".repeat(2 * mebibyte - 1000)
        const file = [disposition("file", "a.mp3"), "", "x".repeat(mebibyte)]
        const answer = yield* send(around, "\r\n", handwritten(file), around)
        assert.deepStrictEqual(answer, accepted)
      })
    )
  }
)
