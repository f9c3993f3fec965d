import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Encoding, encoded, encodings, file, form, json, multipart } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { exchange } from "../Sockets.ts"

const { inference } = Deployment.keys

interface Rule {
  /** What breaks it; where it is undefined, the parameter is left out. */
  readonly broken: Readonly<Record<string, unknown>>
  readonly detail: string
  readonly only?: ReadonlyArray<Encoding>
}

const host = "https://media.example.com"

/** The rules in their order (decisions, B), for a request with a URL. */
const rules: ReadonlyArray<Rule> = [
  { broken: { url: 1 }, detail: "The 'URL' field must be a string", only: ["json"] },
  {
    broken: { callback_url: 1 },
    detail: "The 'callback_url' field must be a string",
    only: ["json"]
  },
  { broken: { url: undefined }, detail: "File or URL required" },
  {
    broken: { url: "ftp://a.example/a.txt" },
    detail: "Invalid 'URL' format. Must start with http or https"
  },
  {
    broken: { callback_url: "ftp://a.example/" },
    detail: "Invalid 'callback_url' format. Must start with http or https"
  },
  {
    broken: { language: 1 },
    detail: "Invalid language format. Must be a string",
    only: ["json"]
  },
  { broken: { language: "xx" }, detail: "Invalid language code: xx" },
  { broken: { modifier: "pdf" }, detail: "Invalid modifier: pdf" },
  { broken: { summary: "tiny" }, detail: "Invalid summary type: tiny" },
  { broken: { vad_filter: "yes" }, detail: "Invalid 'vad_filter' value. Must be a boolean" },
  {
    broken: { disable_diarization: "no" },
    detail: "Invalid 'disable_diarization' value. Must be a boolean"
  },
  {
    broken: { callback_id: "a\u0001" },
    detail:
      "Invalid 'callback_id' value. Must be a string of at most 1024 bytes without control " +
      "characters and without spaces at its ends"
  },
  {
    broken: { initial_prompt: "p".repeat(4097) },
    detail:
      "Invalid 'initial_prompt' value. Must be a string of at most 4096 characters without NUL"
  },
  { broken: { template: "none" }, detail: "Invalid template: none" },
  {
    broken: { url: "https://nowhere.example.com/a.mp3" },
    detail: "Invalid URL or file not accessible"
  }
]

/** What breaks each of the rules; of two for one parameter, the first one is reported. */
const breaking = (...all: ReadonlyArray<Rule>) =>
  Object.assign({ url: `${host}/a.mp3` }, ...all.toReversed().map(({ broken }) => broken))

const present = (parameters: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined))

const create = (call: Deployment.Call) =>
  Effect.gen(function* () {
    const deployment = yield* Deployment.Deployment
    const answer = yield* deployment.call("/v1/transcribe", { key: inference, ...call })
    return [answer.status, JSON.parse(answer.text).detail]
  })

/** Fields in their order; the name of a file stands for the file. */
const parts = (...named: ReadonlyArray<readonly [name: string, value: string]>) => ({
  body: form(named.map(([name, value]) => [name, name === "file" ? file(value) : value]))
})

const language = ["language", "xx"] as const
const wrongLanguage = [400, "Invalid language code: xx"]
const extension = [415, "Unsupported file extension: .txt"]
const twice = [400, "Invalid 'language' value. Must be sent only once"]

/** Two rules at once in a form with a file, and the one that is reported. */
const uploads: ReadonlyArray<readonly [what: string, Deployment.Call, ReadonlyArray<unknown>]> = [
  ["a code before an extension", parts(language, ["file", "a.txt"]), wrongLanguage],
  ["an extension that comes first", parts(["file", "a.txt"], language), extension],
  [
    "a parameter sent twice before an extension",
    parts(["language", "en"], ["language", "en"], ["file", "a.txt"]),
    twice
  ],
  [
    "a template before a parameter sent twice",
    parts(["template", "x"], ["language", "en"], ["language", "en"], ["file", "a.mp3"]),
    [400, "Invalid template: x"]
  ],
  [
    "a file and a url before the scheme of the url",
    parts(["url", "ftp://a"], ["file", "a.txt"]),
    [400, "Provide either file or URL, not both"]
  ],
  [
    "a file and a url before a scheme of the callback",
    parts(["url", host], ["callback_url", "x"], ["file", "a.mp3"]),
    [400, "Provide either file or URL, not both"]
  ],
  [
    "nothing to transcribe before a scheme of the callback",
    parts(["callback_url", "x"]),
    [400, "File or URL required"]
  ]
]

/** Two rules at once about what a URL leads to, and the one that is reported. */
const remotes: ReadonlyArray<readonly [what: string, url: string, ReadonlyArray<unknown>]> = [
  [
    "an address before an extension, which the answer may name",
    "https://missing.example.com/a.txt",
    [400, "Failed to resolve URL: missing.example.com: ENOTFOUND"]
  ],
  ["an extension before a size", `${host}/large.txt`, extension],
  ["a size", `${host}/large.mp3`, [413, `File size exceeds ${Deployment.fileMegabytesMax}MB limit`]]
]

layer(Deployment.layer(), { excludeTestServices: true })(
  "of the rules, the first is told",
  (it) => {
    for (const [index, rule] of rules.entries()) {
      for (const encoding of rule.only ?? encodings) {
        const later = rules
          .slice(index + 1)
          .filter(({ only }) => only === undefined || only.includes(encoding))
        it.effect(`in ${encoding}: ${rule.detail}`, () =>
          Effect.gen(function* () {
            const both = later.map((other) => breaking(rule, other))
            for (const parameters of [...both, breaking(rule), breaking(rule, ...later)]) {
              const answer = yield* create(encoded(encoding, present(parameters)))
              assert.deepStrictEqual(answer, [400, rule.detail], JSON.stringify(parameters))
            }
          })
        )
      }
    }

    for (const [what, call, expected] of uploads) {
      it.effect(`with a file: ${what}`, () =>
        Effect.map(create(call), (answer) => assert.deepStrictEqual(answer, expected))
      )
    }

    for (const [what, url, expected] of remotes) {
      it.effect(`of a url: ${what}`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* create(json({ url })), expected)
          assert.deepStrictEqual(yield* create(json({ url, language: "xx" })), wrongLanguage)
        })
      )
    }

    it.effect("and nothing stays behind", () =>
      Effect.gen(function* () {
        const { stored } = yield* Deployment.Deployment
        assert.deepStrictEqual(yield* stored, [])
      })
    )
  }
)

const noKey = [403, "Forbidden: Invalid API key format"]
const wrongKey = [403, "Forbidden: Invalid API key"]
const poor = [403, "Insufficient balance"]

/** The keys that are refused: what is sent, and what a workspace without minutes says. */
const credentials: ReadonlyArray<readonly [what: string, Deployment.Call, ReadonlyArray<unknown>]> =
  [
    ["without a key", { key: undefined }, noKey],
    ["with Basic", { key: undefined, headers: { authorization: `Basic ${inference}` } }, noKey],
    ["without a scheme", { key: undefined, headers: { authorization: inference } }, noKey],
    ["with an empty key", { key: undefined, headers: { authorization: "Bearer " } }, noKey],
    ["with an unknown key", { key: "nobody" }, wrongKey],
    ["with a key in other letters", { key: inference.toUpperCase() }, wrongKey],
    ["with the start of a key", { key: inference.slice(0, -1) }, wrongKey],
    ["with a poor key", { key: inference }, poor],
    ["with a poor management key", { key: Deployment.keys.management }, poor]
  ]

/** Bodies that are refused by their own fault, from callers who may send one. */
const bodies: ReadonlyArray<readonly [what: string, Deployment.Call]> = [
  ["without a body", { method: "POST" }],
  ["with JSON that does not parse", json("{")],
  ["with a bad parameter", json({ url: 1 })],
  ["with a bad form", { headers: multipart, body: "x" }],
  ["with a bad file", parts(["file", "a.txt"])],
  ["with a bad idempotency key", { ...json({}), headers: { "idempotency-key": "a b" } }]
]

layer(Deployment.layer({ minutes: 60 }), { excludeTestServices: true })(
  "before the body is read, a request is refused",
  (it) => {
    for (const [who, credential, expected] of credentials) {
      it.effect(`${who}, whatever else is wrong`, () =>
        Effect.gen(function* () {
          for (const [what, call] of bodies) {
            const headers = { ...call.headers, ...credential.headers }
            const answer = yield* create({ ...call, ...credential, headers })
            assert.deepStrictEqual(answer, expected, what)
          }
        })
      )

      it.effect(`${who}, although no byte of the body has come`, () =>
        Effect.gen(function* () {
          const { port } = yield* Deployment.Deployment
          const { headers = {}, key } = credential
          const { authorization = `Bearer ${key}` } = headers
          const isSent = authorization !== "Bearer undefined"
          const lines = [
            "POST /v1/transcribe HTTP/1.1",
            "host: localhost",
            ...(isSent ? [`authorization: ${authorization}`] : []),
            "content-type: application/json",
            "content-length: 1000",
            "",
            ""
          ]
          const answer = yield* exchange(port, [lines.join("\r\n")])
          const [status, detail] = expected
          assert.include(answer, `HTTP/1.1 ${status} `)
          assert.include(answer, JSON.stringify({ detail }))
        })
      )
    }

    it.effect("and nothing stays behind", () =>
      Effect.gen(function* () {
        const { stored } = yield* Deployment.Deployment
        assert.deepStrictEqual(yield* stored, [])
      })
    )
  }
)

/** Minutes of the workspace, whether that is enough, and how it is shown. */
const balances: ReadonlyArray<readonly [minutes: number, isEnough: boolean, shown: string]> = [
  [0, false, "0.00"],
  [59.99, false, "59.99"],
  [60, false, "60.00"],
  [60 + 1 / 60_000, true, "60.00"],
  [60.01, true, "60.01"],
  [61, true, "61.00"]
]

for (const [minutes, isEnough, shown] of balances) {
  layer(Deployment.layer({ minutes }), { excludeTestServices: true })(
    `a balance of ${minutes} minutes`,
    (it) => {
      it.effect(isEnough ? `is enough, and shown as ${shown}` : "is not enough", () =>
        Effect.gen(function* () {
          const { call } = yield* Deployment.Deployment
          for (const key of Object.values(Deployment.keys)) {
            const answer = yield* call("/v1/transcribe", { key, ...json({ url: `${host}/a.mp3` }) })
            const body = JSON.parse(answer.text)
            if (isEnough) assert.deepInclude(body, { balance_minutes: shown })
            else assert.deepStrictEqual([answer.status, body.detail], poor)
            const list = yield* call("/v1/transcriptions", { key })
            assert.strictEqual(list.status, 200)
          }
        })
      )
    }
  )
}
