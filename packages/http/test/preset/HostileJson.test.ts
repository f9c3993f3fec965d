import { assert, layer } from "@effect/vitest"
import { chooseCases } from "@verbatim/testkit/laws"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { harmless, raw, unreadable } from "./HostileBodies.ts"

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
