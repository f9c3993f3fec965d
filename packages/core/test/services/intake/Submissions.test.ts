import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Stream } from "effect"
import type { IncomingPart } from "#src/domain/transcription/TranscriptionRequest"
import { Submissions } from "#src/services/intake/Submissions"
import { stored, withCaller } from "../../world/caller.ts"

type Part = IncomingPart<never>

const file = (name: string, filename = "a.mp3", byteLength = 4): Part => ({
  _tag: "File",
  name,
  filename,
  content: Stream.succeed(new Uint8Array(byteLength))
})

const parameter = (name: string, value: unknown): Part => ({ _tag: "Parameter", name, value })

/** Requests as lists of their parts, with the expected error messages. */
const refusals: ReadonlyArray<readonly [ReadonlyArray<Part>, string]> = [
  [[parameter("file", "x")], "File or URL required"],
  [[file("other")], "File or URL required"],
  [[file("file", "", 0)], "File or URL required"],
  [[file("file", "")], "Unsupported file extension: "],
  [[file("file", ""), parameter("language", "xx")], "Invalid language code: xx"],
  [[file("file", "", 65_537), parameter("language", "xx")], "Unsupported file extension: "],
  [[file("file", ""), file("file")], "Invalid 'file' value. Must be sent only once"],
  [[file("file", "", 0), file("file")], "Invalid 'file' value. Must be sent only once"],
  [[file("file", "a.txt")], "Unsupported file extension: .txt"],
  [[file("file", "a.txt"), parameter("language", "xx")], "Unsupported file extension: .txt"],
  [[parameter("language", "xx"), file("file", "a.txt")], "Invalid language code: xx"],
  [[file("file", "a.mp3", 0)], "The file is empty"],
  [[parameter("language", "xx"), file("file", "a.mp3", 0)], "Invalid language code: xx"],
  [[file("file", "a.txt", 0)], "Unsupported file extension: .txt"],
  [[file("file"), file("file")], "Invalid 'file' value. Must be sent only once"],
  [[file("file"), parameter("file", "x")], "Invalid 'file' value. Must be sent only once"],
  [[file("file"), file("language")], "Invalid language format. Must be a string"],
  [[file("file"), parameter("language", "xx")], "Invalid language code: xx"],
  ...[
    "http://127.0.0.1/hook",
    "http://localhost/hook",
    "http://user:secret@example.com/",
    "http://example.com/\u0000",
    "http://example.com/\ud800",
    "http://example.com/\r\nX-Other: 1",
    `http://example.com/${"a".repeat(2_048)}`
  ].map(
    (url) =>
      [
        [file("file"), parameter("callback_url", url)],
        "Invalid URL or file not accessible"
      ] as const
  )
]

describe("Submissions.submit", () => {
  it.effect.each(refusals)(
    "refuses the invalid request %# and stores none of its files",
    ([parts, sentence]) =>
      withCaller(function* (principal) {
        const submissions = yield* Submissions
        const refusal = yield* Effect.flip(
          submissions.submit(principal, { parts: Stream.fromIterable(parts), isTextual: false })
        )
        assert.strictEqual(refusal.message, sentence)
        assert.deepStrictEqual(yield* stored, [])
      })
  )

  it.effect("reports only URLs in private networks to the operator", () => {
    const lines: Array<string> = []
    const submit = (name: string, url: string) =>
      withCaller(function* (principal) {
        const submissions = yield* Submissions
        const parts = [parameter(name, url), ...(name === "url" ? [] : [file("file")])]
        yield* Effect.flip(
          submissions.submit(principal, { parts: Stream.fromIterable(parts), isTextual: false })
        )
      }).pipe(
        Effect.provide(Logger.layer([Logger.make(({ message }) => lines.push(`${message}`))]))
      )
    return Effect.gen(function* () {
      for (const url of ["ftp://example.com/a.mp3", "http://user:secret@example.com/a.mp3"]) {
        yield* submit("callback_url", url)
        yield* submit("url", url)
      }
      assert.deepStrictEqual(lines, [])
      for (const url of ["http://localhost:3000/a.mp3", "http://192.168.0.1/a.mp3"]) {
        yield* submit("callback_url", url)
        yield* submit("url", url)
      }
      assert.lengthOf(lines, 4)
      for (const line of lines) assert.include(line, "VERBATIM_ALLOW_NETWORKS")
    })
  })
})
