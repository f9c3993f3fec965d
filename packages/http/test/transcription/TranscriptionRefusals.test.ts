import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { disposition, file, form, handwritten, json, multipart, urlEncoded } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { keyless } from "../KeylessCalls.ts"

type Call = Deployment.Call

const { inference } = Deployment.keys

const url = "https://media.example.com/a.mp3"

/** A form with a good file after the fields. */
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

const wrongFormat = "Forbidden: Invalid API key format"
const wrongKey = "Forbidden: Invalid API key"
const malformed = "Invalid request body"
const nothing = "File or URL required"
const both = "Provide either file or URL, not both"
const urlScheme = "Invalid 'URL' format. Must start with http or https"
const urlText = "The 'URL' field must be a string"
const callbackScheme = "Invalid 'callback_url' format. Must start with http or https"
const callbackText = "The 'callback_url' field must be a string"
const unreachable = "Invalid URL or file not accessible"
const missing = "https://missing.example.com/a.mp3"
const filePart = [disposition("file", "a.mp3"), "", "bytes"]
const tooLarge = `File size exceeds ${Deployment.fileMegabytesMax}MB limit`

const attached = 'content-disposition: attachment; name="file"; filename="a.mp3"'
const bytes = "content-type: application/octet-stream"

const languageCode = "Invalid language code: xx"
const languageText = "Invalid language format. Must be a string"
const notFlag = "Invalid 'vad_filter' value. Must be a boolean"
const twice = (name: string) => `Invalid '${name}' value. Must be sent only once`

/** What is wrong, the request, the status, and the detail. */
const rows: ReadonlyArray<readonly [string, Call, number, string]> = [
  ...keyless(inference).map(([what, call]) => [what, call, 403, wrongFormat] as const),
  ["a wrong key", { key: "nobody-has-this-key" }, 403, wrongKey],
  ["a wrong key and a good file", { key: "nobody", ...fields() }, 403, wrongKey],
  ["no body", {}, 400, nothing],
  ["a body of another type", body("audio/mpeg", "x"), 400, nothing],
  ["an empty form", urlEncoded(""), 400, nothing],
  ["a form without a file", { body: form([["language", "en"]]) }, 400, nothing],
  ["a file that was not chosen", parts([disposition("file", ""), "", ""]), 400, nothing],
  ["nothing in JSON", json({}), 400, nothing],
  ["a url that is null", json({ url: null }), 400, nothing],
  ["a url that is empty", urlEncoded("url="), 400, nothing],
  ["JSON that does not parse", json("{"), 400, malformed],
  ["JSON that is empty", json(""), 400, malformed],
  ["a JSON array", json([]), 400, malformed],
  ["a JSON null", json("null"), 400, malformed],
  ["JSON nested too deep", json("[".repeat(100_000)), 400, malformed],
  ["JSON over 1 MiB", json({ url: "u".repeat(1_048_576) }), 400, malformed],
  ["a broken escape in a form", urlEncoded("url=%E0%A4%A"), 400, malformed],
  ["a multipart body without a boundary", body("multipart/form-data", "x"), 400, malformed],
  ["an empty multipart body", { headers: multipart, body: "" }, 400, malformed],
  ["a multipart body that ends early", { ...parts(filePart), body: "--the-bound" }, 400, malformed],
  ["a part without headers first", parts([disposition("language")], filePart), 400, malformed],
  ["a part without headers last", parts(filePart, [disposition("file")]), 400, malformed],
  ["a part without a name", parts(["content-disposition: form-data", "", "x"]), 400, malformed],
  ["a part that is not of a form", parts([attached, "", "x"]), 400, malformed],
  ["a part that says nothing of itself", parts(["x-a: b", "", "x"], filePart), 400, malformed],
  ["more fields than anybody counts", urlEncoded("a=1&".repeat(1025)), 400, malformed],
  ["an empty file", parts([disposition("file", "a.mp3"), "", ""]), 400, "The file is empty"],
  ["a .txt file", upload("a.txt"), 415, "Unsupported file extension: .txt"],
  ["a file without extension", upload("mp3"), 415, "Unsupported file extension: "],
  [
    "a long extension",
    upload("a.transcription_of_monday"),
    415,
    "Unsupported file extension: .transcription_of_monday"
  ],
  ["the last of two extensions", upload("a.mp3.EXE"), 415, "Unsupported file extension: .exe"],
  ["a url that is a number", json({ url: 1 }), 400, urlText],
  ["a url of another scheme", json({ url: "ftp://a.example/b.mp3" }), 400, urlScheme],
  ["a url without a scheme", urlEncoded("url=a.mp3"), 400, urlScheme],
  ["a callback that is an object", json({ url, callback_url: {} }), 400, callbackText],
  ["a callback of another scheme", fields(["callback_url", "mailto:a@b"]), 400, callbackScheme],
  ["a file and a url", fields(["url", url]), 400, both],
  ["an unknown language", fields(["language", "xx"]), 400, languageCode],
  ["a language that is a number", json({ url, language: 1 }), 400, languageText],
  [
    "a field that is bytes",
    parts([disposition("language"), bytes, "", "xx"], filePart),
    400,
    languageCode
  ],
  ["an unknown modifier", fields(["modifier", "pdf"]), 400, "Invalid modifier: pdf"],
  ["an unknown summary", fields(["summary", "tiny"]), 400, "Invalid summary type: tiny"],
  ["a flag that is none", fields(["vad_filter", "yes"]), 400, notFlag],
  ["a flag as text in JSON", json({ url, vad_filter: "true" }), 400, notFlag],
  ["a field sent twice", fields(["language", "en"], ["language", "en"]), 400, twice("language")],
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
    "a url that is unreachable",
    json({ url: "https://nowhere.example.com/a.mp3" }),
    400,
    unreachable
  ],
  [
    "a host without address",
    json({ url: missing }),
    400,
    "Failed to resolve URL: missing.example.com: ENOTFOUND"
  ],
  ["a url that is too large", json({ url: "https://media.example.com/large.mp3" }), 413, tooLarge],
  [
    "a url of a .txt file",
    json({ url: "https://media.example.com/a.txt" }),
    415,
    "Unsupported file extension: .txt"
  ]
]

layer(Deployment.layer(), { excludeTestServices: true })("a job is not accepted", (it) => {
  for (const [what, call, status, detail] of rows) {
    it.effect(`from ${what}: ${status} ${detail}`, () =>
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

  it.effect("and no media stays behind", () =>
    Effect.gen(function* () {
      const { stored } = yield* Deployment.Deployment
      assert.deepStrictEqual(yield* stored, [])
    })
  )
})

layer(Deployment.layer({ minutes: 60 }), { excludeTestServices: true })(
  "a balance of 60 minutes",
  (it) => {
    it.effect("accepts no job, and reads none of it", () =>
      Effect.gen(function* () {
        const { call, stored } = yield* Deployment.Deployment
        const answer = yield* call("/v1/transcribe", { key: inference, ...upload("a.txt") })
        assert.deepStrictEqual(
          [answer.status, answer.text],
          [403, '{"detail":"Insufficient balance"}']
        )
        assert.deepStrictEqual(yield* stored, [])
      })
    )
  }
)
