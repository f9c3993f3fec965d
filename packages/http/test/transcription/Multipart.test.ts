import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { disposition, form, handwritten, multipart } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { mebibyte, path } from "../Sockets.ts"

type Call = Deployment.Call

/** The expected response. If there is no message, the response is a job. */
type Expected = readonly [status: number, detail?: string]

/** A request and its expected response. */
type Row = readonly [what: string, call: Call, ...expected: Expected]

/** The expected response if the file has no name. */
const withoutExtension = [415, "Unsupported file extension: "] as const

/** Builds a body from raw lines, without adding boundaries. */
const lines = (contentType: string, ...texts: ReadonlyArray<string>): Call => ({
  headers: { "content-type": contentType },
  body: texts.join("\r\n")
})

/** Clients, each with a request that it sends and the expected response. */
const clients: ReadonlyArray<Row> = [
  [
    "curl -F file=<x",
    lines(
      "multipart/form-data; boundary=------------------------d74496d66958873e",
      "--------------------------d74496d66958873e",
      'Content-Disposition: form-data; name="file"',
      "",
      "some text",
      "--------------------------d74496d66958873e--",
      ""
    ),
    ...withoutExtension
  ],
  [
    "curl -F file=@x.mp3",
    lines(
      "multipart/form-data; boundary=------------------------d74496d66958873e",
      "--------------------------d74496d66958873e",
      'Content-Disposition: form-data; name="file"; filename="x.mp3"',
      "Content-Type: audio/mpeg",
      "",
      "some text",
      "--------------------------d74496d66958873e--",
      ""
    ),
    200
  ],
  [
    "a client that ends its headers with a semicolon",
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
  ["fetch with text as the file", { body: form([["file", "text"]]) }, ...withoutExtension]
]

const { inference } = Deployment.keys

const parts = (...texts: ReadonlyArray<ReadonlyArray<string>>): Call => ({
  headers: multipart,
  body: handwritten(...texts)
})

const good = [disposition("file", "a.mp3"), "content-type: audio/mpeg", "", "bytes"]
const nameless = [disposition("file"), "", "bytes"]
const emptyName = [disposition("file", ""), "", "bytes"]
const text = (name: string, value: string) => [disposition(name), "", value]
const asFile = (name: string, value = "x") => [disposition(name, "x.txt"), "", value]

const twice = (name: string): Expected => [400, `Invalid '${name}' value. Must be sent only once`]

/** Requests that send the part `file` in different forms. */
const files: ReadonlyArray<Row> = [
  ["without a name", parts(nameless), ...withoutExtension],
  ["with an empty name", parts(emptyName), ...withoutExtension],
  [
    "without a name and longer than any text",
    parts([disposition("file"), "", "x".repeat(8 * mebibyte)]),
    ...withoutExtension
  ],
  ["first as a text, then as a file", parts(nameless, good), ...twice("file")]
]

/** Parameters sent as files instead of strings. */
const asFiles: ReadonlyArray<Row> = [
  ["url", parts(asFile("url")), 400, "The 'URL' field must be a string"],
  [
    "language",
    parts(good, asFile("language", "en")),
    400,
    "Invalid language format. Must be a string"
  ],
  [
    "vad_filter",
    parts(good, asFile("vad_filter", "true")),
    400,
    "Invalid 'vad_filter' value. Must be a boolean"
  ],
  ["another name", parts(good, asFile("other"), asFile("other")), 200]
]

/** Requests with parameters of more than 64 KiB. */
const longs: ReadonlyArray<Row> = [
  ["another name", parts(text("other", "o".repeat(mebibyte)), good), 200],
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
    "Invalid request body"
  ]
]

const tables = {
  "the file of": clients,
  "a file": files,
  "a parameter as a file:": asFiles,
  "a parameter over 64 KiB:": longs
}

layer(Deployment.layer(), { excludeTestServices: true })("multipart bodies", (it) => {
  for (const [kind, rows] of Object.entries(tables)) {
    for (const [what, call, status, detail] of rows) {
      it.effect(
        `get the documented response: ${kind} ${what}: ${status} ${detail?.slice(0, 60) ?? ""}`,
        () =>
          Effect.gen(function* () {
            const deployment = yield* Deployment.Deployment
            const before = yield* deployment.stored
            const answer = yield* deployment.call(path, { key: inference, ...call })
            const reported: unknown = JSON.parse(answer.text).detail
            assert.deepStrictEqual([answer.status, reported], [status, detail])
            if (status !== 200) assert.deepStrictEqual(yield* deployment.stored, before)
          })
      )
    }
  }
})
