import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { disposition, file, form, handwritten, json, multipart, urlEncoded } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

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
const missing = "https://missing.example.com/a.mp3"
const filePart = [disposition("file", "a.mp3"), "", "bytes"]
const tooLarge = `File size exceeds ${Deployment.maxFileMegabytes}MB limit`

const attached = 'content-disposition: attachment; name="file"; filename="a.mp3"'
const bytes = "content-type: application/octet-stream"

const languageCode = "Invalid language code: xx"
const twice = (name: string) => `Invalid '${name}' value. Must be sent only once`

/** Each row has the broken rule, the request, the status, and the detail of the response. */
const rows: ReadonlyArray<readonly [string, Call, number, string]> = [
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
  ["a file without extension", upload("mp3"), 415, "Unsupported file extension: "],
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
  ],
  [
    "a host that does not resolve",
    json({ url: missing }),
    400,
    "Failed to resolve URL: missing.example.com: ENOTFOUND"
  ],
  [
    "a url of a file that is too large",
    json({ url: "https://media.example.com/large.mp3" }),
    413,
    tooLarge
  ],
  [
    "a url of a .txt file",
    json({ url: "https://media.example.com/a.txt" }),
    415,
    "Unsupported file extension: .txt"
  ]
]

layer(Deployment.layer(), { excludeTestServices: true })("an invalid request for a job", (it) => {
  for (const [what, call, status, detail] of rows) {
    it.effect(`is refused because of ${what}: ${status} ${detail}`, () =>
      Effect.gen(function* () {
        const deployment = yield* Deployment.Deployment
        const answer = yield* deployment.call("/v1/transcribe", {
          method: "POST",
          key: inference,
          ...call
        })
        assert.strictEqual(answer.headers.get("content-type"), "application/json")
        assert.deepStrictEqual([answer.status, JSON.parse(answer.text)], [status, { detail }])
      })
    )
  }

  it.effect("leaves nothing in the media store", () => Deployment.storesNothing)
})
