/** Lists hostile request bodies, each with the rule that it breaks. */

import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { chooseCases } from "@verbatim/testkit/laws"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import type { Call } from "../Deployment.ts"
import * as Deployment from "../Deployment.ts"

/** A hostile body: its name, its request, and the rule that the refusal must mention. */
type Hostile = readonly [what: string, call: Call, rule: string]

const { headers } = json({})

/** Builds a request with this JSON text as its body. */
const raw = (
  body: NonNullable<Call["body"]>,
  more: Readonly<Record<string, string>> = {}
): Call => ({ headers: { ...headers, ...more }, body })

/** Maximum size of a request body: 2 MiB. */
const byteMax = 2_097_152

/** Builds an object with this many keys, each as short as possible. */
const keysOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join(",")}}`

/**
 * Builds a body with one field, a list of this many items. By default, the list has as many items
 * as fit into the body.
 */
const listOf = (
  name: string,
  item: string,
  count = Math.floor((byteMax - 50) / (item.length + 1))
): string => `{"${name}":[${`${item},`.repeat(count - 1)}${item}]}`

const around = (...bytes: ReadonlyArray<number>) =>
  new Uint8Array([...Buffer.from('{"user":"'), ...bytes, ...Buffer.from('"}')])

const text = "must not contain NUL or a lone surrogate"
const depth = "body: at most 64 levels of nesting"
const keys = "body: at most 20000 keys in the whole document"
const bytes = `body: at most ${byteMax} bytes`
const utf8 = "body: must be UTF-8"
const type = "body: must be sent as application/json"
const encoding = "body: must be sent without a content encoding"

/** Bodies that every operation refuses. */
const unreadable: ReadonlyArray<Hostile> = [
  ["arrays 100,000 deep", raw("[".repeat(100_000)), depth],
  ["arrays 65 deep", raw(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`), depth],
  ["20,001 keys", raw(keysOf(20_001)), keys],
  ["2 MiB and a byte", raw(" ".repeat(byteMax + 1)), bytes],
  ["a number that is not finite", raw('{"top_p":1e400}'), "top_p: must be a finite number"],
  ["a NUL, escaped", raw('{"user":"a\\u0000b"}'), `user: ${text}`],
  ["a high surrogate, escaped", raw('{"user":"\\ud800"}'), `user: ${text}`],
  ["a byte that cannot begin a character", raw(around(0xff)), utf8],
  ["a byte order mark", raw("\uFEFF{}"), "body: must not begin with a byte order mark"],
  ["UTF-16", raw(Buffer.from("\uFEFF{}", "utf16le")), utf8],
  ["another character set", raw("{}", { "content-type": "application/json;charset=utf-16" }), utf8],
  ["gzip", raw(gzipSync("{}"), { "content-encoding": "gzip" }), encoding],
  ["a bomb", raw(gzipSync(" ".repeat(50_000_000)), { "content-encoding": "gzip" }), encoding],
  ["the content type of XML", raw("{}", { "content-type": "text/xml" }), type],
  ["text that is not JSON", raw("{"), "body: must be JSON"],
  ["no content type", { body: new Uint8Array([0x7b, 0x7d]) }, type]
]

/** Bodies that look hostile but are accepted. */
const harmless: ReadonlyArray<readonly [what: string, call: Call]> = [
  [
    "63 nested arrays in an object",
    raw(`{"image_config":{"a":${"[".repeat(62)}${"]".repeat(62)}}}`)
  ],
  ["20,000 keys", raw(keysOf(20_000))],
  ["100,000 values", raw(listOf("input", "{}", 99_998))],
  ["2 MiB", raw(`{}${" ".repeat(byteMax - 2)}`)],
  ["brackets and quotes in a string", raw(`{"user":"${'[{\\":'.repeat(60)}\\\\"}`)],
  ["a pair of surrogates, escaped", raw('{"user":"\\ud83d\\ude00"}')],
  ["a byte order mark in a string", raw('{"user":"\uFEFF"}')],
  ["the actual character set", raw("{}", { "content-type": "application/json;charset=UTF-8" })],
  ["the identity encoding", raw("{}", { "content-encoding": "identity" })]
]

const key = Deployment.keys.management

/** Every preset operation that has a body. */
const operations = [
  { path: "/v1/presets/hostile/responses", method: "POST" },
  { path: "/v1/presets/hostile/chat/completions", method: "POST" },
  { path: "/v1/presets/hostile/messages", method: "POST" },
  { path: "/v1/presets/hostile/designated-version", method: "PUT" },
  { path: "/v1/presets/hostile", method: "PATCH" }
] as const

const [responses, ...others] = operations

/**
 * All operations read bodies with the same function, so `npm test` tests only one operation besides
 * the first.
 */
const chosenOperations = [responses, ...chooseCases(others, others.length)]

type Operation = Pick<(typeof operations)[number], "method"> & { readonly path: string }

const send = Effect.fnUntraced(function* ({ method, path }: Operation, call: Deployment.Call) {
  const deployment = yield* Deployment.Deployment
  const { status, text } = yield* deployment.call(path, { key, method, ...call })
  return { status, body: JSON.parse(text) }
})

/** Asserts that a refusal has exactly the form in the specification. */
const assertRefused = (
  { body, status }: { readonly status: number; readonly body: ReturnType<typeof JSON.parse> },
  rule: string
) => {
  const [, problems = ""] = body.error.message.split("Invalid request parameters: ")
  assert.strictEqual(status, 400)
  assert.deepStrictEqual(Object.keys(body), ["error", "gateway_metadata", "user_id"])
  assert.strictEqual(body.error.code, 400)
  assert.strictEqual(body.gateway_metadata, null)
  assert.match(body.user_id, /^user_/)
  // An operation that requires a field may also report the missing field.
  assert.include(`; ${problems}; `, `; ${rule}; `)
}

layer(Deployment.layer(), { excludeTestServices: true })("hostile JSON", (it) => {
  for (const [what, call, rule] of unreadable) {
    it.effect(`is refused in preset operations: ${what}: ${rule}`, () =>
      Effect.gen(function* () {
        for (const operation of chosenOperations) assertRefused(yield* send(operation, call), rule)
      })
    )
  }

  it.effect("leaves no preset in the store", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const answer = yield* call("/v1/presets", { key })
      const { data } = JSON.parse(answer.text)
      assert.deepStrictEqual(
        data.map(({ slug }: { readonly slug: string }) => slug),
        []
      )
    })
  )

  for (const [what, call] of harmless) {
    it.effect(`is not suspected in a harmless body: ${what}`, () =>
      Effect.gen(function* () {
        const { body, status } = yield* send(responses, call)
        assert.strictEqual(status, 200, JSON.stringify(body))
      })
    )
  }

  it.effect("is stored with `__proto__` as data, and with only the last of two equal keys", () =>
    Effect.gen(function* () {
      const sent =
        '{"image_config":{"__proto__":"x"},"__proto__":{"isBad":1},"constructor":{"prototype":1},' +
        '"text":{"__proto__":{"isBad":1},"a":1,"a":2},"model":"a","model":"b"}'
      const { body, status } = yield* send(responses, raw(sent))
      assert.strictEqual(status, 200)
      assert.strictEqual(
        JSON.stringify(body.data.designated_version.config),
        '{"image_config":{"__proto__":"x"},"text":{"__proto__":{"isBad":1},"a":2},"model":"b"}'
      )
      assert.notProperty({}, "isBad")
    })
  )
})
