import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { disposition, file, form, handwritten, json, multipart, urlEncoded } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { mebibyte, path } from "../Sockets.ts"

type Call = Deployment.Call

const { inference } = Deployment.keys

const url = "https://media.example.com/a.mp3"

/** Builds a form with a valid file after the fields. */
const fields = (...pairs: ReadonlyArray<readonly [string, string]>): Call => ({
  body: form([...pairs, ["file", file("a.mp3")]])
})

const upload = (name: string): Call => ({ body: form([["file", file(name)]]) })

const body = (contentType: string, text: string): Call => ({
  headers: { "content-type": contentType },
  body: text
})

const parts = (...texts: ReadonlyArray<ReadonlyArray<string>>): Call => ({
  headers: multipart,
  body: handwritten(...texts)
})

const malformed = "Invalid request body"
const nothing = "File or URL required"
const both = "Provide either file or URL, not both"
const filePart = [disposition("file", "a.mp3"), "", "bytes"]

const attached = 'content-disposition: attachment; name="file"; filename="a.mp3"'
const bytes = "content-type: application/octet-stream"

const withoutExtension = [415, "Unsupported file extension: "] as const

/** Builds a body from raw lines, without adding boundaries. */
const lines = (contentType: string, ...texts: ReadonlyArray<string>) =>
  body(contentType, texts.join("\r\n"))

/** Builds a form with its fields in this order. A file is given by its name. */
const inOrder = (...named: ReadonlyArray<readonly [name: string, value: string]>): Call => ({
  body: form(named.map(([name, value]) => [name, name === "file" ? file(value) : value]))
})

const language = ["language", "xx"] as const
const english = ["language", "en"] as const
const languageCode = "Invalid language code: xx"
const twice = (name: string) => `Invalid '${name}' value. Must be sent only once`

/**
 * A request, with the status and the detail of its response. A response without a detail is a job.
 */
type Row = readonly [what: string, call: Call, status: number, detail?: string]

const refusals: ReadonlyArray<Row> = [
  ["no body", {}, 400, nothing],
  ["a body of another type", body("audio/mpeg", "x"), 400, nothing],
  ["an empty form", urlEncoded(""), 400, nothing],
  ["a form without a file", { body: form([["language", "en"]]) }, 400, nothing],
  ["a file field without a chosen file", parts([disposition("file", ""), "", ""]), 400, nothing],
  ["nothing in JSON", json({}), 400, nothing],
  ["a url that is null", json({ url: null }), 400, nothing],
  ["a url that is empty", urlEncoded("url="), 400, nothing],
  ["JSON that does not parse", json("{"), 400, malformed],
  ["JSON that is empty", json(""), 400, malformed],
  ["a JSON array", json([]), 400, malformed],
  ["a JSON null", json("null"), 400, malformed],
  ["JSON with too many levels", json("[".repeat(100_000)), 400, malformed],
  ["JSON over 1 MiB", json({ url: "u".repeat(1_048_576) }), 400, malformed],
  ["a broken escape in a form", urlEncoded("url=%E0%A4%A"), 400, malformed],
  ["a multipart body without a boundary", body("multipart/form-data", "x"), 400, malformed],
  ["an empty multipart body", { headers: multipart, body: "" }, 400, malformed],
  ["a multipart body that ends early", { ...parts(filePart), body: "--the-bound" }, 400, malformed],
  ["a first part without headers", parts([disposition("language")], filePart), 400, malformed],
  ["a last part without headers", parts(filePart, [disposition("file")]), 400, malformed],
  ["a part without a name", parts(["content-disposition: form-data", "", "x"]), 400, malformed],
  ["a part that is not a form field", parts([attached, "", "x"]), 400, malformed],
  ["a part without Content-Disposition", parts(["x-a: b", "", "x"], filePart), 400, malformed],
  ["too many fields", urlEncoded("a=1&".repeat(1025)), 400, malformed],
  ["an empty file", parts([disposition("file", "a.mp3"), "", ""]), 400, "The file is empty"],
  ["a .txt file", upload("a.txt"), 415, "Unsupported file extension: .txt"],
  ["a file and a url", fields(["url", url]), 400, both],
  [
    "a field sent as binary data",
    parts([disposition("language"), bytes, "", "xx"], filePart),
    400,
    languageCode
  ],
  [
    "two files",
    {
      body: form([
        ["file", file("a.mp3")],
        ["file", file("b.mp3")]
      ])
    },
    400,
    twice("file")
  ]
]

/** The file names that decide whether a file is accepted. */
const names: ReadonlyArray<Row> = [
  ["the name B.MP4", upload("B.MP4"), 200],
  ["a path as the name", upload("C:\\music\\a.Mp3"), 200],
  ["spaces and accents in the name", upload("ä ö.mp3"), 200],
  ["the name a.MP3.EXE", upload("a.MP3.EXE"), 415, "Unsupported file extension: .exe"],
  ["a name without extension", upload("a"), ...withoutExtension],
  ["a very long extension", upload(`a.${"x".repeat(256)}`), ...withoutExtension]
]

const curlBoundary = "------------------------d74496d66958873e"
const good = [disposition("file", "a.mp3"), "content-type: audio/mpeg", "", "bytes"]
const text = (name: string, value: string) => [disposition(name), "", value]
const asFile = (name: string, value = "x") => [disposition(name, "x.txt"), "", value]

/** Multipart bodies as clients write them, and with unusual parts. */
const bodies: ReadonlyArray<Row> = [
  [
    "a file from curl",
    lines(
      `multipart/form-data; boundary=${curlBoundary}`,
      `--${curlBoundary}`,
      'Content-Disposition: form-data; name="file"; filename="x.mp3"',
      "Content-Type: audio/mpeg",
      "",
      "some text",
      `--${curlBoundary}--`,
      ""
    ),
    200
  ],
  [
    "a file from a client that ends its headers with a semicolon",
    lines(
      "multipart/form-data; boundary=b",
      "--b",
      'Content-Disposition: form-data; name="file"; filename="x.mp3"; ',
      "Content-Type: audio/mpeg;",
      "",
      "some text",
      "--b--",
      ""
    ),
    200
  ],
  ["a file without a name", parts([disposition("file"), "", "bytes"]), ...withoutExtension],
  ["a file with an empty name", parts([disposition("file", ""), "", "bytes"]), ...withoutExtension],
  [
    "a file without a name and longer than any text",
    parts([disposition("file"), "", "x".repeat(8 * mebibyte)]),
    ...withoutExtension
  ],
  [
    "a file after a text of its name",
    parts([disposition("file"), "", "bytes"], good),
    400,
    twice("file")
  ],
  ["a file as the url", parts(asFile("url")), 400, "The 'URL' field must be a string"],
  [
    "a file as the language",
    parts(good, asFile("language", "en")),
    400,
    "Invalid language format. Must be a string"
  ],
  [
    "a file as vad_filter",
    parts(good, asFile("vad_filter", "true")),
    400,
    "Invalid 'vad_filter' value. Must be a boolean"
  ],
  ["files under other names", parts(good, asFile("other"), asFile("other")), 200],
  ["another name with 1 MiB", parts(text("other", "o".repeat(mebibyte)), good), 200],
  [
    "a text with invalid UTF-8 at its end",
    {
      headers: multipart,
      body: new Blob([
        handwritten(text("other", "a\u00e9@"), good).split("é@")[0] ?? "",
        new Uint8Array([0xc3]),
        "\r\n",
        handwritten(good)
      ])
    },
    400,
    malformed
  ]
]

/** Forms that break two rules. The rule of the first part is reported; core tests all others. */
const orders: ReadonlyArray<Row> = [
  ["a language code before an extension", inOrder(language, ["file", "a.txt"]), 400, languageCode],
  [
    "an extension before a language code",
    inOrder(["file", "a.txt"], language),
    415,
    "Unsupported file extension: .txt"
  ],
  [
    "a parameter sent twice before an extension",
    inOrder(english, english, ["file", "a.txt"]),
    400,
    twice("language")
  ]
]

layer(Deployment.layer(), { excludeTestServices: true })("a request for a job", (it) => {
  for (const [what, call, status, detail] of [...refusals, ...names, ...bodies, ...orders]) {
    it.effect(`gets the documented response: ${what}: ${status} ${detail ?? ""}`, () =>
      Effect.gen(function* () {
        const { call: send, stored } = yield* Deployment.Deployment
        const before = yield* stored
        const answer = yield* send(path, { method: "POST", key: inference, ...call })
        const body = JSON.parse(answer.text)
        assert.strictEqual(answer.headers.get("content-type"), "application/json")
        assert.deepStrictEqual([answer.status, body.detail], [status, detail])
        if (detail === undefined) return
        assert.deepStrictEqual(body, { detail })
        assert.deepStrictEqual(yield* stored, before)
      })
    )
  }
})
