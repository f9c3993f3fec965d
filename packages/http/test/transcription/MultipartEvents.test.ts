import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  fieldBytesMax,
  type MultipartEvent,
  makeReader
} from "#src/serve/transcription/MultipartEvents"

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Joins adjacent pieces of a file, because the pieces depend on where the body was cut. */
const join = (events: ReadonlyArray<MultipartEvent>) => {
  const joined: Array<unknown> = []
  let bytes = ""
  for (const event of events) {
    if (event._tag === "FileBytes") {
      bytes += decoder.decode(event.bytes, { stream: true })
    } else {
      if (event._tag === "FileEnded") joined.push(bytes)
      if (event._tag === "FileBegan") bytes = ""
      joined.push(event)
    }
  }
  return joined
}

/** Reads a body cut at these positions. */
const read = (body: string, ends: ReadonlyArray<number>) => {
  const bytes = encoder.encode(body)
  const reader = makeReader("multipart/form-data; boundary=b")
  const places = [0, ...ends, bytes.length]
  const events = places.flatMap((end, index) =>
    reader.write(bytes.slice(places[index - 1] ?? 0, end))
  )
  return join([...events, ...reader.end()])
}

const padding = fc.constantFrom("", " ", "\t  ", " ".repeat(100))
const fold = fc.constantFrom(" ", "\r\n ", "\r\n\t", " \r\n \t ")

/** Contents that look like boundaries or headers. */
const content = fc.constantFrom(
  "",
  "x",
  "\r\n",
  "\r\n--",
  "\r\n--a\r\n--c--",
  "x--b--",
  "\r\r\n\n- \r\n-\r",
  "a: b\r\n\r\n c: d"
)

const part = fc.record({
  name: fc.constantFrom("language", "file", "other"),
  filename: fc.constantFrom(
    ...[undefined, "", "a b.mp3", 'a\\"b\\".mp3', "C:\\talks\\a.mp3", "a%22b.mp3"]
  ),
  content,
  padding,
  fold
})

interface Part {
  readonly name: string
  readonly filename: string | undefined
  readonly content: string
  readonly padding: string
  readonly fold: string
}

const write = (parts: ReadonlyArray<Part>): string =>
  [
    ...parts.map(({ content, filename, fold, name, padding }) => {
      const file = filename === undefined ? "" : `;${fold}filename="${filename}"`
      const head = `content-disposition:${fold}form-data;${fold}name="${name}"${file}`
      return `--b${padding}\r\n${head}\r\n\r\n${content}\r\n`
    }),
    "--b--\r\n"
  ].join("")

/** The default content type of a part. */
const usualType = (filename: string | undefined) =>
  filename === undefined ? "text/plain" : "application/octet-stream"

/** Removes the backslash before a quote. All other backslashes belong to a path. */
const nameOf = (filename = "") => filename.replaceAll('\\"', '"')

const expected = (parts: ReadonlyArray<Part>): ReadonlyArray<unknown> => [
  ...parts.flatMap(
    ({ content, filename, name }): ReadonlyArray<unknown> =>
      filename !== undefined || name === "file"
        ? [
            {
              _tag: "FileBegan",
              name,
              filename: nameOf(filename),
              contentType: usualType(filename)
            },
            content,
            { _tag: "FileEnded" }
          ]
        : [{ _tag: "Field", name, value: content }]
  ),
  { _tag: "Ended" }
]

const cuts = fc
  .array(fc.nat(400), { maxLength: 12 })
  .map((places) => places.toSorted((one, other) => one - other))

describe("a multipart body", () => {
  it("yields the same events wherever its chunks begin and end", () => {
    const bodies = fc.array(part, { maxLength: 4 })
    fc.assert(
      fc.property(bodies, cuts, (parts, ends) => {
        const body = write(parts)
        const each = Array.from({ length: body.length }, (_, index) => index)
        assert.deepStrictEqual(read(body, ends), expected(parts))
        assert.deepStrictEqual(read(body, each), expected(parts))
      })
    )
  })

  it("yields a whole text up to the limit, and only the beginning of a longer one", () => {
    for (const letter of ["x", "é", "🎙"]) {
      const whole = letter.repeat(fieldBytesMax / encoder.encode(letter).length)
      const field = (value: string) =>
        read(`--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n${value}\r\n--b--`, [100, 999])
      const events = [{ _tag: "Field", name: "a", value: whole }, { _tag: "Ended" }]
      assert.deepStrictEqual(field(whole), events)
      assert.deepStrictEqual(field(`${whole}y`), events)
      assert.deepStrictEqual(field(`${whole}${letter}`), events)
    }
  })

  it("is invalid if anything follows the last boundary on the same line", () => {
    const body = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n--b--'
    for (const after of ["", " \t", "\r\n", "  \r\nanything\r\n--b\r\n", "\n"]) {
      for (const ends of [[], [body.length - 1], [body.length + 1]]) {
        const events = read(body + after, ends)
        assert.deepStrictEqual(events, [
          { _tag: "Field", name: "a", value: "x" },
          { _tag: "Ended" }
        ])
      }
    }
    for (const after of ["x", " x", "-", "--", "y--b--\r\n"]) {
      assert.deepStrictEqual(read(body + after, []).at(-1), { _tag: "Broken" }, after)
      assert.deepStrictEqual(read(body + after, [body.length]).at(-1), { _tag: "Broken" }, after)
    }
  })

  it("is invalid if its end is missing, wherever it breaks off", () => {
    const whole = write([
      { name: "other", filename: undefined, content: "x", padding: "", fold: " " },
      { name: "file", filename: "a.mp3", content: "x", padding: "", fold: " " }
    ])
    const end = whole.indexOf("--b--") + "--b--".length
    for (let length = 0; length < end; length += 1) {
      assert.deepStrictEqual(read(whole.slice(0, length), []).at(-1), { _tag: "Broken" })
    }
    assert.deepStrictEqual(read(whole.slice(0, end), []).at(-1), { _tag: "Ended" })
  })

  it.each([
    ["two boundaries", "; boundary=b; boundary=c", "--b\r\nH\r\n\r\nx\r\n--b--"],
    ["an empty boundary", '; boundary=""', "--\r\nH\r\n\r\nx\r\n----"],
    ["no boundary", "", "--b\r\nH\r\n\r\nx\r\n--b--"],
    ["letters after a boundary", "; boundary=b", "--bc\r\nH\r\n\r\nx\r\n--b--"],
    ["endless padding", "; boundary=b", `--b${" ".repeat(2_000)}\r\nH\r\n\r\nx\r\n--b--`],
    ["headers that end in a boundary", "; boundary=b", "--b\r\nH\r\n\r\n--b--"],
    ["headers that do not end", "; boundary=b", `--b\r\nH\r\nx: ${"x".repeat(20_000)}`]
  ])("is invalid if it has %s", (_, parameters, body) => {
    const reader = makeReader(`multipart/form-data${parameters}`)
    const whole = body.replace("H", 'content-disposition: form-data; name="a"')
    const events = [...reader.write(encoder.encode(whole)), ...reader.end()]
    assert.deepStrictEqual(events.at(-1), { _tag: "Broken" })
  })

  it("can have a preamble, an epilogue and no parts", () => {
    assert.deepStrictEqual(read("hello\r\n--b--\r\nbye", [3]), [{ _tag: "Ended" }])
  })

  it("can have a boundary of up to 70 characters, the limit of RFC 2046", () => {
    const readWith = (boundary: string) => {
      const reader = makeReader(`multipart/form-data; boundary=${boundary}`)
      const head = 'content-disposition: form-data; name="a"'
      const body = encoder.encode(`--${boundary}\r\n${head}\r\n\r\nx\r\n--${boundary}--`)
      return [...reader.write(body), ...reader.end()].at(-1)
    }
    assert.deepStrictEqual(readWith("b".repeat(70)), { _tag: "Ended" })
    assert.deepStrictEqual(readWith("b".repeat(71)), { _tag: "Broken" })
  })
})
