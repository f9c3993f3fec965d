/** File names are untrusted, so only the last part of a name and its extension are used. */
import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import {
  contentTypes,
  extensionOf,
  extensionOfContentType,
  extensionOfRemote,
  isAccepted,
  lastPart
} from "#src/domain/transcription/MediaType"

const specified =
  ".mp3, .wav, .flac, .ogg, .oga, .aac, .m4a, .wma, .mp4, .mov, .avi, .mkv, .webm, .wmv, .m4v, .flv"

describe("MediaType", () => {
  it("accepts exactly the extensions in the specification", () => {
    assert.deepStrictEqual(Object.keys(contentTypes), specified.split(", "))
  })

  it.each([
    ["meeting.mp3", ".mp3"],
    ["MEETING.Mp3", ".mp3"],
    ["meeting.mp3.txt", ".txt"],
    ["meeting.txt.mp3", ".mp3"],
    ["C:\\audio\\meeting.wav", ".wav"],
    ["/v1/audio/meeting.ogg", ".ogg"],
    [".mp3", ".mp3"],
    ["meeting.transcription_of_monday", ".transcription_of_monday"],
    [`a.${"b".repeat(253)}`, `.${"b".repeat(253)}`],
    ["meeting", ""],
    ["", ""],
    ["meeting.", ""],
    ["meeting.mp3/", ""],
    ["meeting.mp3/part", ""],
    ["meeting.mp3\\part", ""],
    ["meeting.exe\0.mp3", ""],
    ["meeting.mp3\0", ""],
    ["meeting.mp3\r\nX: y", ""],
    [`a.${"b".repeat(100_000)}`, ""],
    [`${"a".repeat(100_000)}.flac`, ".flac"],
    ["..", ""],
    ["会議.m4a", ".m4a"]
  ])("reads the extension of %j as %j", (name, extension) => {
    assert.strictEqual(extensionOf(name), extension)
  })

  it.each([
    ["Audio/MPEG; charset=binary", Option.some(".mp3")],
    [" video/mp4 ", Option.some(".mp4")],
    ["audio/webm;codecs=opus", Option.some(".webm")],
    ["text/html", Option.none()],
    ["application/octet-stream", Option.none()],
    ["", Option.none()],
    ["__proto__", Option.none()]
  ])("reads the content type %j as %j", (contentType, expected) => {
    assert.deepStrictEqual<unknown>(extensionOfContentType(contentType), expected)
  })

  it("keeps the last part of a path and the end of a long name, and only whole characters", () => {
    assert.strictEqual(lastPart("C:\\Users\\ann/a.mp3"), "a.mp3")
    assert.strictEqual(lastPart(`${"x".repeat(300)}.mp3`), `${"x".repeat(251)}.mp3`)
    assert.isTrue(lastPart(`\u{1F3B5}${"x".repeat(250)}.mp3`).isWellFormed())
  })

  it("identifies a download by path, file name, redirects and content type, in this order", () => {
    const remote = (
      path: string,
      filename: string | null,
      contentType: string | null,
      ...paths: ReadonlyArray<string>
    ) =>
      Option.getOrNull(
        extensionOfRemote({
          url: `https://a.example${path}`,
          hops: paths.map((hop) => `https://b.example${hop}?c=d.flv`),
          filename: Option.fromNullOr(filename),
          contentType: Option.fromNullOr(contentType)
        })
      )
    assert.strictEqual(remote("/a.mp3", "b.wav", "audio/ogg"), ".mp3")
    assert.strictEqual(remote("/download.php", "b.wav", "audio/ogg"), ".wav")
    assert.strictEqual(remote("/download.php", "b.bin", "audio/ogg"), ".ogg")
    assert.strictEqual(remote("/download", null, "audio/ogg"), ".ogg")
    assert.strictEqual(remote("/a.mp3", "b.wav", "audio/ogg", "/c.flac"), ".mp3")
    assert.strictEqual(remote("/a", "b.wav", "audio/ogg", "/c.flac"), ".wav")
    assert.strictEqual(remote("/a", "b.bin", "audio/ogg", "/c.flac", "/d.aac"), ".aac")
    assert.strictEqual(remote("/a", null, "audio/ogg", "/c.flac", "/d"), ".flac")
    assert.strictEqual(remote("/a", null, "audio/ogg", "/c.txt", "/d"), ".ogg")
    assert.isNull(remote("/a.txt", null, "text/plain", "/b", "/c.php"))
    assert.isNull(remote("/a.txt", null, "text/plain"))
    assert.isNull(remote("/a.txt", null, null))
  })

  it.prop(
    "returns an empty extension, or a dot and at most 16 characters",
    [Schema.String],
    ([name]) => {
      const extension = extensionOf(name)
      assert.isTrue(extension === "" || /^\.[^./\\]{1,16}$/u.test(extension))
      assert.strictEqual(isAccepted(extension), extension in contentTypes)
    }
  )
})
