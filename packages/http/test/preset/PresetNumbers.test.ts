import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

const { management } = Deployment.keys

const exact =
  '{"type":"function","name":"f","parameters":{"maximum":9223372036854775807,' +
  '"multipleOf":0.1000000000000000055}}'

const sent =
  '{"model":"m","top_k":9007199254740992,"temperature":0.10000000000000000001,' +
  `"tools":[${exact}]}`

/** Returns a response as text, because parsing would change long numbers. */
const textOf = (path: string, call: Deployment.Call = {}) =>
  Effect.flatMap(Deployment.Deployment, (deployment) =>
    Effect.map(
      deployment.call(`/v1/presets${path}`, { key: management, ...call }),
      ({ text }) => text
    )
  )

const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  textOf(path, { ...json(body), headers: { ...json(body).headers, ...headers } })

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

  it.effect("tells two requests with the same idempotency key apart if its digits differ", () =>
    Effect.gen(function* () {
      const headers = { "idempotency-key": "digits" }
      const first = yield* post("/keyed-digits/responses", sent, headers)
      assert.strictEqual(yield* post("/keyed-digits/responses", sent, headers), first)
      const other = sent.replace("5807", "5806")
      const conflict = "Idempotency-Key was already used with another request"
      const answer = yield* post("/keyed-digits/responses", other, headers)
      assert.include(answer, `"code":409,"message":"${conflict}"`)
      const object = sent.replace("0.10000000000000000001", "0.10000000000000000002")
      assert.include(yield* post("/keyed-digits/responses", object, headers), '"code":409')
    })
  )
})
