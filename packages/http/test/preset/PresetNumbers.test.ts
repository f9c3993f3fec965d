import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { broken, fetchJson, refusalOf } from "./PresetCalls.ts"

const { management } = Deployment.keys

const exact =
  '{"type":"function","name":"f","parameters":{"maximum":9223372036854775807,' +
  '"multipleOf":0.1000000000000000055}}'

const sent =
  '{"model":"m","top_k":9007199254740992,"temperature":0.10000000000000000001,' +
  `"tools":[${exact}]}`

/** Returns a response's text, with numbers as sent. */
const textOf = (path: string, call: Deployment.Call = {}) =>
  Effect.flatMap(Deployment.Deployment, (deployment) =>
    Effect.map(
      deployment.call(`/v1/presets${path}`, { key: management, ...call }),
      ({ text }) => text
    )
  )

const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  textOf(path, { ...json(body), headers: { ...json(body).headers, ...headers } })

/** Refused bodies, and their messages. */
const refused: ReadonlyArray<readonly [body: string, problem: string]> = [
  ['{"top_k":9223372036854775807.5}', "top_k: must be an integer"],
  [
    '{"stop_server_tools_when":[{"type":"step_count_is","step_count":9223372036854775807.5}]}',
    "stop_server_tools_when[0].step_count: must be an integer"
  ],
  [
    '{"max_tool_calls":30.00000000000000000001}',
    "max_tool_calls: must be an integer or null; max_tool_calls: at most 30"
  ],
  [
    '{"plugins":[{"id":"pareto-router","min_coding_score":1.00000000000000000001}]}',
    "plugins[0].min_coding_score: at most 1"
  ],
  [`{"top_p":1${"0".repeat(400)}}`, "top_p: must be a finite number"],
  ['{"temperature":{"rawJSON":"1"}}', "temperature: must be a number or null"]
]

/** A field with two spellings of the same value. */
const respelt: ReadonlyArray<readonly [one: string, other: string]> = [
  ['"top_k":9223372036854775807', '"top_k":9223372036854775807.0'],
  ['"temperature":1e-400', '"temperature":1E-400']
]

layer(Deployment.layer(), { excludeTestServices: true })("a number in a preset", (it) => {
  it.effect("keeps its digits in every response", () =>
    Effect.gen(function* () {
      const made = yield* post("/digits/responses", sent)
      yield* post("/digits/responses", sent.replace("5807", "5806"))
      const kept = `"config":${sent}`
      assert.include(made, kept)
      assert.include(yield* textOf("/digits/versions/1"), kept)
      assert.include(yield* textOf("/digits/versions"), kept)
      assert.include(yield* textOf("/digits"), kept.replace("5807", "5806"))
    })
  )

  it.effect("is compared with other numbers by all digits", () =>
    Effect.gen(function* () {
      yield* post("/differ/responses", '{"top_k":9007199254740993,"temperature":1.0}')
      yield* post("/differ/responses", '{"top_k":9007199254740992,"temperature":1}')
      yield* post("/differ/responses", '{"top_k":9007199254740995,"temperature":1e0}')
      const between = (from: number, to: number) => textOf(`/differ/diff?from=${from}&to=${to}`)
      assert.include(
        yield* between(1, 2),
        '"config":[{"path":"/top_k","kind":"changed",' +
          '"from":9007199254740993,"to":9007199254740992}]'
      )
      assert.include(yield* between(1, 3), '"from":9007199254740993,"to":9007199254740995}')
      assert.include(yield* between(3, 3), '"config":[]')
    })
  )

  it.effect("makes two requests with the same idempotency key differ if its digits differ", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "digits" }
      const first = yield* post("/keyed-digits/responses", sent, headers)
      assert.strictEqual(yield* post("/keyed-digits/responses", sent, headers), first)
      const other = sent.replace("5807", "5806")
      assert.include(yield* post("/keyed-digits/responses", other, headers), '"code":409')
      const object = sent.replace("0.10000000000000000001", "0.10000000000000000002")
      assert.include(yield* post("/keyed-digits/responses", object, headers), '"code":409')
    })
  )

  for (const [index, [one, other]] of respelt.entries()) {
    it.effect(`equals another spelling of the same value: ${other.slice(0, 50)}`, () =>
      Effect.gen(function* () {
        const headers = { "idempotency-key": `spelling-${index}` }
        const first = yield* post(`/spelling-${index}/responses`, `{${one}}`, headers)
        assert.include(first, one)
        assert.strictEqual(
          yield* post(`/spelling-${index}/responses`, `{${other}}`, headers),
          first
        )
        assert.include(yield* post(`/spelling-${index}/responses`, `{${other}}`), other)
        const path = `/spelling-${index}/diff?from=1&to=2`
        assert.include(yield* textOf(path), '"config":[]')
      })
    )
  }

  for (const [body, problem] of refused) {
    it.effect(`is validated with all its digits: ${body.slice(0, 60)}`, () =>
      Effect.gen(function* () {
        const answer = yield* fetchJson({ path: "/judged/responses", ...json(body) })
        assert.deepStrictEqual(refusalOf(answer), broken(problem))
      })
    )
  }
})
