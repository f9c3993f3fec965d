import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { exchange } from "../Sockets.ts"

const { inference } = Deployment.keys

const host = "https://media.example.com"

const create = (call: Deployment.Call) =>
  Effect.gen(function* () {
    const deployment = yield* Deployment.Deployment
    const answer = yield* deployment.call("/v1/transcribe", { key: inference, ...call })
    return [answer.status, JSON.parse(answer.text).detail]
  })

const wrongLanguage = [400, "Invalid language code: xx"]
const extension = [415, "Unsupported file extension: .txt"]

/** Requests with a URL that break two rules, each with the rule that is reported. */
const remotes: ReadonlyArray<readonly [what: string, url: string, ReadonlyArray<unknown>]> = [
  [
    "an unknown host before an extension, which the answer may name",
    "https://missing.example.com/a.txt",
    [400, "Failed to resolve URL: missing.example.com: ENOTFOUND"]
  ],
  ["an extension before a size", `${host}/large.txt`, extension],
  ["a size", `${host}/large.mp3`, [413, `File size exceeds ${Deployment.maxFileMegabytes}MB limit`]]
]

layer(Deployment.layer(), { excludeTestServices: true })(
  "a request that breaks several rules",
  (it) => {
    for (const [what, url, expected] of remotes) {
      it.effect(`is refused for the first broken rule if it names a URL: ${what}`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* create(json({ url })), expected)
          assert.deepStrictEqual(yield* create(json({ url, language: "xx" })), wrongLanguage)
        })
      )
    }

    it.effect("leaves nothing in the media store", () => Deployment.storesNothing)
  }
)

const noKey = [403, "Forbidden: Invalid API key format"]
const wrongKey = [403, "Forbidden: Invalid API key"]
const poor = [403, "Insufficient balance"]

/**
 * Refused credentials: each row has what is sent, and the response for a workspace without minutes.
 */
const credentials: ReadonlyArray<readonly [what: string, Deployment.Call, ReadonlyArray<unknown>]> =
  [
    ["without a key", { key: undefined }, noKey],
    ["with an empty key", { key: undefined, headers: { authorization: "Bearer " } }, noKey],
    ["with an unknown key", { key: "nobody" }, wrongKey],
    ["with the key of a workspace without minutes", { key: inference }, poor]
  ]

layer(Deployment.layer({ minutes: 60 }), { excludeTestServices: true })(
  "a request whose body is not read",
  (it) => {
    for (const [who, credential, expected] of credentials) {
      it.effect(`is refused ${who} before any byte of the body has arrived`, () =>
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

    it.effect("leaves nothing in the media store", () => Deployment.storesNothing)
  }
)
