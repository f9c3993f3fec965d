import { monitorEventLoopDelay } from "node:perf_hooks"
import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "./Bodies.ts"
import * as Deployment from "./Deployment.ts"

const { management } = Deployment.keys
const { headers } = json({})

const raw = (
  body: NonNullable<Deployment.Call["body"]>,
  more: Readonly<Record<string, string>> = {}
): Deployment.Call => ({
  headers: { ...headers, ...more },
  body
})

const keysOf = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",")}}`

const text = "must not contain NUL or a lone surrogate"
const depth = "at most 64 levels of nesting"

/** What is hostile, the request, and the rule in the message. */
const refused: ReadonlyArray<readonly [string, Deployment.Call, string]> = [
  ["arrays 100,000 deep", raw("[".repeat(100_000)), `body: ${depth}`],
  ["objects 100,000 deep", raw('{"a":'.repeat(100_000)), `body: ${depth}`],
  ["arrays 65 deep", raw(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`), `body: ${depth}`],
  ["150,000 keys", raw(keysOf(150_000)), "body: at most 10000 keys in the whole document"],
  ["10,001 keys", raw(keysOf(10_001)), "body: at most 10000 keys in the whole document"],
  ["a string of 10 MB", raw(`"${"x".repeat(10_000_000)}"`), "body: at most 2097152 bytes"],
  [
    "10 MB in pieces",
    raw(new Blob(["x".repeat(10_000_000)]).stream()),
    "body: at most 2097152 bytes"
  ],
  ["2 MiB and a byte", raw(" ".repeat(2_097_153)), "body: at most 2097152 bytes"],
  ["a number that is not finite", raw('{"top_p":1e400}'), "top_p: must be a finite number"],
  ["a text for a number", raw('{"top_p":"NaN"}'), "top_p: must be a number or null"],
  ["a NUL", raw('{"user":"a\\u0000b"}'), `user: ${text}`],
  ["a NUL in a name", raw('{"a\\u0000":1}'), `["a\\u0000"]: ${text}`],
  ["a lone surrogate", raw('{"user":"\\ud800"}'), `user: ${text}`],
  ["a byte order mark", raw("\uFEFF{}"), "body: must not begin with a byte order mark"],
  ["bad UTF-8", raw(new Uint8Array([0x22, 0xff, 0x22])), "body: must be UTF-8"],
  ["a surrogate in UTF-8", raw(new Uint8Array([0xed, 0xa0, 0x80])), "body: must be UTF-8"],
  [
    "another character set",
    raw("{}", { "content-type": "application/json; charset=utf-16" }),
    "body: must be UTF-8"
  ],
  [
    "a compressed body",
    raw(gzipSync("{}"), { "content-encoding": "gzip" }),
    "body: must be sent without a content encoding"
  ],
  ["a comment", raw("{}//"), "body: must be JSON"],
  ["two values", raw("{}{}"), "body: must be JSON"],
  ["an open string", raw('{"a":"[[[['), "body: must be JSON"]
]

/** What looks hostile and is not. */
const accepted: ReadonlyArray<readonly [string, Deployment.Call]> = [
  ["arrays 63 deep in an object", raw(`{"image_config":{"a":${"[".repeat(62)}${"]".repeat(62)}}}`)],
  ["10,000 keys", raw(keysOf(10_000))],
  ["brackets and quotes in a string", raw(`{"user":"${'[{\\":'.repeat(60)}\\\\"}`)],
  [
    "a character set that says what is",
    raw("{}", { "content-type": "application/json;charset=UTF-8" })
  ],
  ["the identity encoding", raw("{}", { "content-encoding": "identity" })]
]

layer(Deployment.layer(), { excludeTestServices: true })("hostile JSON", (it) => {
  for (const [what, call, rule] of refused) {
    it.effect(`is refused: ${what}`, () =>
      Effect.gen(function* () {
        const deployment = yield* Deployment.Deployment
        const path = "/v1/presets/hostile/responses"
        const answer = yield* deployment.call(path, { key: management, ...call })
        const { error } = JSON.parse(answer.text)
        const message = `Invalid request parameters: ${rule}`
        assert.deepStrictEqual([answer.status, error], [400, { code: 400, message }])
      })
    )
  }

  it.effect("leaves no preset", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const answer = yield* call("/v1/presets/hostile", { key: management })
      assert.strictEqual(answer.status, 404)
    })
  )

  for (const [what, call] of accepted) {
    it.effect(`is not: ${what}`, () =>
      Effect.gen(function* () {
        const deployment = yield* Deployment.Deployment
        const path = "/v1/presets/harmless/responses"
        const answer = yield* deployment.call(path, { key: management, ...call })
        assert.strictEqual(answer.status, 200, answer.text)
      })
    )
  }

  it.effect("keeps `__proto__` as data, and the last of two equal names", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const body =
        '{"image_config":{"__proto__":"x"},"__proto__":{"isBad":1},"model":"a","model":"b"}'
      const answer = yield* call("/v1/presets/proto/responses", { key: management, ...raw(body) })
      const { config } = JSON.parse(answer.text).data.designated_version
      assert.strictEqual(JSON.stringify(config), '{"image_config":{"__proto__":"x"},"model":"b"}')
      assert.notProperty({}, "isBad")
    })
  )

  it.effect("holds the event loop for less than 100 ms", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const delay = monitorEventLoopDelay({ resolution: 5 })
      const [deep, wide] = [raw("[".repeat(2_000_000)), raw(keysOf(150_000))]
      delay.enable()
      yield* call("/v1/presets/hostile/responses", { key: management, ...deep })
      yield* call("/v1/presets/hostile/responses", { key: management, ...wide })
      delay.disable()
      assert.isBelow(delay.max / 1e6, 100)
    })
  )
})
