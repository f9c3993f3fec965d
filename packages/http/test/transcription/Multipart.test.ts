import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { disposition, handwritten, multipart } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { mebibyte, path } from "../Sockets.ts"
import { clients, type Expected, lines, type Row, withoutExtension } from "./MultipartClients.ts"

type Call = Deployment.Call

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
const callbackId =
  "Invalid 'callback_id' value. Must be a string of at most 1024 bytes without control " +
  "characters and without spaces at its ends"
const prompt =
  "Invalid 'initial_prompt' value. Must be a string of at most 4096 characters without NUL"
const unreachable = "Invalid URL or file not accessible"
const long = 70_000

/** A part `file`, in whatever form. */
const files: ReadonlyArray<Row> = [
  ["without a name", parts(nameless), ...withoutExtension],
  ["with an empty name", parts(emptyName), ...withoutExtension],
  [
    "with an empty name, and empty",
    parts([disposition("file", ""), "", ""]),
    400,
    "File or URL required"
  ],
  [
    "without a name and longer than any text",
    parts([disposition("file"), "", "x".repeat(8 * mebibyte)]),
    ...withoutExtension
  ],
  [
    "without a name, before a wrong language",
    parts(nameless, text("language", "xx")),
    400,
    "Invalid language code: xx"
  ],
  [
    "without a name, beside a url",
    parts(nameless, text("url", "https://media.example.com/a.mp3")),
    400,
    "Provide either file or URL, not both"
  ],
  ["first as a text, then as a file", parts(nameless, good), ...twice("file")],
  ["first as a file, then as a text", parts(good, nameless), ...twice("file")],
  ["twice as a text", parts(nameless, nameless), ...twice("file")],
  ["twice as a file", parts(good, good), ...twice("file")],
  ["twice, once without content", parts([disposition("file"), "", ""], good), ...twice("file")]
]

/** A parameter as a file, which is not a string. */
const asFiles: ReadonlyArray<Row> = [
  ["url", parts(asFile("url")), 400, "The 'URL' field must be a string"],
  [
    "callback_url",
    parts(good, asFile("callback_url")),
    400,
    "The 'callback_url' field must be a string"
  ],
  [
    "language",
    parts(good, asFile("language", "en")),
    400,
    "Invalid language format. Must be a string"
  ],
  ["modifier", parts(good, asFile("modifier")), 400, "Invalid 'modifier' value. Must be a string"],
  ["summary", parts(good, asFile("summary")), 400, "Invalid 'summary' value. Must be a string"],
  [
    "vad_filter",
    parts(good, asFile("vad_filter", "true")),
    400,
    "Invalid 'vad_filter' value. Must be a boolean"
  ],
  ["callback_id", parts(good, asFile("callback_id")), 400, callbackId],
  ["initial_prompt", parts(good, asFile("initial_prompt")), 400, prompt],
  ["template", parts(good, asFile("template")), 400, "Invalid 'template' value. Must be a string"],
  [
    "language with an empty name",
    parts(good, [disposition("language", ""), "", "en"]),
    400,
    "Invalid language format. Must be a string"
  ],
  [
    "language, after a url that is a file",
    parts(asFile("language"), asFile("url")),
    400,
    "The 'URL' field must be a string"
  ],
  [
    "language, before a wrong scheme",
    parts(asFile("language"), text("url", "ftp://a")),
    400,
    "Invalid 'URL' format. Must start with http or https"
  ],
  [
    "language, and once more",
    parts(good, asFile("language"), text("language", "en")),
    400,
    "Invalid language format. Must be a string"
  ],
  [
    "language, and before",
    parts(good, text("language", "en"), asFile("language")),
    ...twice("language")
  ],
  ["another name", parts(good, asFile("other"), asFile("other")), 200]
]

/** A parameter of more than 64 KiB. */
const longs: ReadonlyArray<Row> = [
  ["language", "l", `Invalid language code: ${"l".repeat(100)}`] as const,
  ["modifier", "m", `Invalid modifier: ${"m".repeat(100)}`] as const,
  ["summary", "s", `Invalid summary type: ${"s".repeat(100)}`] as const,
  ["template", "t", `Invalid template: ${"t".repeat(100)}`] as const,
  ["vad_filter", "v", "Invalid 'vad_filter' value. Must be a boolean"] as const,
  ["callback_id", "c", callbackId] as const,
  ["callback_id", "é", callbackId] as const,
  ["initial_prompt", "p", prompt] as const,
  ["initial_prompt", "🎙", prompt] as const,
  ["callback_url", "c", "Invalid 'callback_url' format. Must start with http or https"] as const
].map(([name, letter, detail]) => [
  `${name} of ${letter}`,
  parts(text(name, letter.repeat(long)), good),
  400,
  detail
])

const longUrls: ReadonlyArray<Row> = [
  [
    "url",
    parts(text("url", "u".repeat(long))),
    400,
    "Invalid 'URL' format. Must start with http or https"
  ],
  [
    "callback_url of a good scheme",
    parts(text("callback_url", "https://a.example/".padEnd(long, "a")), good),
    400,
    unreachable
  ],
  ["another name", parts(text("other", "o".repeat(mebibyte)), good), 200],
  [
    "a text that is broken at its very end",
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

const marked = "multipart/form-data; boundary=b"

/** What RFC 2046 allows, and what two readers could understand differently. */
const forms: ReadonlyArray<Row> = [
  [
    "with spaces and a tab after each boundary",
    lines(marked, "--b \t ", ...good, "--b-- \t", ""),
    200
  ],
  ["that ends without a line", lines(marked, "--b", ...good, "--b--"), 200],
  ["with a preamble and an epilogue", lines(marked, "hello", "--b", ...good, "--b--", "bye"), 200],
  [
    "with folded headers",
    lines(
      marked,
      "--b",
      "content-disposition: form-data;",
      ' name="file";',
      '\t filename="a.mp3"',
      "",
      "x",
      "--b--"
    ),
    200
  ],
  [
    "with a folded name",
    lines(
      marked,
      "--b",
      'content-disposition: form-data; name="language"; x="',
      ' y"',
      "",
      "xx",
      "--b",
      ...good,
      "--b--"
    ),
    400,
    "Invalid language code: xx"
  ],
  [
    "with a quoted boundary",
    lines('multipart/form-data; charset=utf-8; boundary="b c:d"', "--b c:d", ...good, "--b c:d--"),
    200
  ],
  [
    "with a boundary of many characters",
    lines("multipart/form-data;\tboundary=b=_Part/1", "--b=_Part/1", ...good, "--b=_Part/1--"),
    200
  ],
  [
    "with two boundaries",
    lines("multipart/form-data; boundary=b; boundary=c", "--b", ...good, "--b--"),
    400,
    "Invalid request body"
  ],
  [
    "with an empty boundary",
    lines('multipart/form-data; boundary=""', "--", ...good, "----"),
    400,
    "Invalid request body"
  ],
  [
    "with letters after a boundary",
    lines(marked, "--bc", ...good, "--b--"),
    400,
    "Invalid request body"
  ],
  [
    "with endless padding",
    lines(marked, `--b${" ".repeat(2000)}`, ...good, "--b--"),
    400,
    "Invalid request body"
  ],
  [
    "whose first header is folded",
    lines(marked, "--b", ` ${good[0]}`, "", "x", "--b--"),
    400,
    "Invalid request body"
  ],
  [
    "whose headers end in a boundary",
    lines(marked, "--b", good[0] ?? "", "", "--b--"),
    400,
    "Invalid request body"
  ],
  [
    "whose headers do not end",
    lines(marked, "--b", ...good.slice(0, 1), `x: ${"x".repeat(20_000)}`),
    400,
    "Invalid request body"
  ],
  ["with no part", lines(marked, "--b--"), 400, "File or URL required"]
]

const tables = {
  "the file of": clients,
  "a file": files,
  "a parameter as a file:": asFiles,
  "a parameter over 64 KiB:": [...longs, ...longUrls],
  "a form": forms
}

layer(Deployment.layer(), { excludeTestServices: true })("multipart", (it) => {
  for (const [kind, rows] of Object.entries(tables)) {
    for (const [what, call, status, detail] of rows) {
      it.effect(`${kind} ${what}: ${status} ${detail?.slice(0, 60) ?? ""}`, () =>
        Effect.gen(function* () {
          const deployment = yield* Deployment.Deployment
          const before = yield* deployment.stored
          const answer = yield* deployment.call(path, { key: inference, ...call })
          const told: unknown = JSON.parse(answer.text).detail
          assert.deepStrictEqual([answer.status, told], [status, detail])
          if (status !== 200) assert.deepStrictEqual(yield* deployment.stored, before)
        })
      )
    }
  }
})
