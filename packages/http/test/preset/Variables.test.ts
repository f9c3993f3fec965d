/** Variables of prompts over HTTP: filled when a request is resolved, listed with a version. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { create, read, refusalOf, resolve, resolveNamed } from "./PresetCalls.ts"

const { inference } = Deployment.keys

layer(Deployment.layer(), { excludeTestServices: true })("a preset with variables", (it) => {
  it.effect("fills the variables of its prompt, and of no other text", () =>
    Effect.gen(function* () {
      yield* create("support", { instructions: "Help {{customer}} with {{ product }}." })
      const variables = { customer: "Ann", product: "{{customer}}" }
      const prompt = { id: "support", version: 1, variables }
      const input = "Hi {{customer}}"
      const expected = { instructions: "Help Ann with {{customer}}.", input }
      for (const asked of [
        resolve("support/resolve", { variables, input }),
        resolve("support/resolve", { prompt: { ...prompt, version: null }, input }),
        resolveNamed({ preset: "support", variables, input }),
        resolveNamed({ prompt, input }),
        resolveNamed({ prompt: { ...prompt, version: "1" }, input }),
        resolveNamed({ prompt: { id: "support", variables: { customer: "Bo" } }, variables, input })
      ]) {
        const { body } = yield* asked
        assert.deepStrictEqual(body.data.request, expected)
        assert.deepStrictEqual(body.data.left_out, [])
      }
      const model = "m@preset/support@1"
      const modelled = yield* resolveNamed({ model, prompt: { ...prompt, version: "1" }, input })
      assert.deepStrictEqual(modelled.body.data.request, { ...expected, model: "m" })
      const { body } = yield* read("/support/versions/1")
      assert.deepStrictEqual(body.data.variables, ["customer", "product"])
      const pin = yield* read("/support/pin", inference)
      assert.deepStrictEqual(pin.body.data.variables, ["customer", "product"])
    })
  )

  it.effect("names every variable without a value, and every value without a variable", () =>
    Effect.gen(function* () {
      yield* create("missing", { instructions: "{{a}} {{b}} {{c}} {{a}}" })
      for (const [variables, rule] of [
        [undefined, "must have a text for a, b, c"],
        [null, "must have a text for a, b, c"],
        [{ b: "B", c: 3 }, "must have a text for a, c"],
        [["a"], "must be an object of texts"],
        [{ a: "a".repeat(1_999_999), b: "b", c: "cc" }, "must be at most 4000000 characters"]
      ] as const) {
        const [status, message] = refusalOf(yield* resolve("missing/resolve", { variables }))
        assert.strictEqual(status, 400)
        assert.include(message, `variables: ${rule}`)
      }
      const variables = { a: "1", b: "2", c: "3", d: "4" }
      const unused = [{ field: "variables.d", reason: "the prompt has no such variable" }]
      const { data } = (yield* resolve("missing/resolve", { variables })).body
      assert.strictEqual(data.request.instructions, "1 2 3 1")
      assert.deepStrictEqual(data.left_out, unused)
      // A prompt of the request counts alone, and takes no values.
      const own = (yield* resolve("missing/resolve", { instructions: "{{a}}" })).body.data
      assert.deepStrictEqual(own.request, { instructions: "{{a}}" })
    })
  )
})
