/** How the headers of an answer are read, seen through a check. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { check } from "./Fetching.ts"
import { listen } from "./LoopbackServer.ts"

const media = (...lines: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const head = ["HTTP/1.1 200 OK", ...lines, "", ""].join("\r\n")
    const server = yield* listen({ onRequest: (socket) => socket.write(head, "utf8") })
    return yield* check(server.origin)
  })

describe("Headers of remote media", () => {
  it.live.each([
    ["attachment; filename=talk.mp3", "talk.mp3"],
    ['attachment;filename="a b; c.mp3"; size=1', "a b; c.mp3"],
    ['attachment; FileName = "say \\"hi\\".ogg"', 'say "hi".ogg'],
    ["attachment; filename=\"plain.mp3\"; filename*=UTF-8''d%C3%A9mo.mp3", "d\u00e9mo.mp3"],
    ["attachment; filename*=utf-8'en'a%20b.mp3", "a b.mp3"],
    ["attachment; filename*=utf-8''%ff.mp3; filename=b.mp3", "b.mp3"],
    ["attachment; filename*=utf-16''x; filename=b.mp3", "b.mp3"],
    ['attachment; filename="d\u00e9mo.mp3"', "d\u00e9mo.mp3"],
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ['attachment; filename="C:\\\\a\\\\b.mp3"', "b.mp3"],
    ["attachment; filename*=UTF-8''a%00b%0a.mp3", "ab.mp3"],
    [`inline; filename=${"a".repeat(300)}.mp3`, `${"a".repeat(251)}.mp3`]
  ])("reads the name in %j", ([disposition, name]) =>
    Effect.gen(function* () {
      const { filename } = yield* media(`content-disposition: ${disposition}`)
      assert.deepStrictEqual(filename, Option.some(name))
    })
  )

  it.live.each(["attachment", "inline; name=x", 'attachment; filename=""', "filename=a.mp3", ";"])(
    "reads no name in %j",
    (disposition) =>
      Effect.gen(function* () {
        const { filename } = yield* media(`content-disposition: ${disposition}`)
        assert.deepStrictEqual(filename, Option.none())
      })
  )

  it.live("reads a type and a length, and ignores malformed ones", () =>
    Effect.gen(function* () {
      const read = yield* media("Content-Type: Video/MP4 ; codecs=x", "content-length: 007")
      assert.deepStrictEqual(read.contentType, Option.some("video/mp4"))
      assert.deepStrictEqual(read.byteLength, Option.some(7))
      const none = yield* media("content-type: ;", "transfer-encoding: chunked")
      assert.deepStrictEqual(none.contentType, Option.none())
      assert.deepStrictEqual(none.byteLength, Option.none())
    })
  )
})
