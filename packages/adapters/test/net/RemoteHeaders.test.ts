/** Tests how the headers of a media response are parsed. */
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { mediaFrom } from "#src/net/RemoteFile"

/** Parses headers with values that arrive as bytes. */
const media = (headers: Readonly<Record<string, string>>) =>
  mediaFrom({
    hops: [],
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString("latin1")])
    )
  })

describe("the headers of a media response", () => {
  it.each([
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
  ])("contain the file name in %j", (disposition, name) => {
    const { filename } = media({ "content-disposition": disposition })
    assert.deepStrictEqual(filename, Option.some(name))
  })

  it.each(["attachment", "inline; name=x", 'attachment; filename=""', "filename=a.mp3", ";"])(
    "contain no file name in %j",
    (disposition) => {
      const { filename } = media({ "content-disposition": disposition })
      assert.deepStrictEqual(filename, Option.none())
    }
  )

  it("contain a type and a length, unless they are malformed", () => {
    const read = media({ "content-type": "Video/MP4 ; codecs=x", "content-length": "007" })
    assert.deepStrictEqual(read.contentType, Option.some("video/mp4"))
    assert.deepStrictEqual(read.byteLength, Option.some(7))
    const none = media({ "content-type": ";" })
    assert.deepStrictEqual([none.contentType, none.byteLength], [Option.none(), Option.none()])
  })
})
