/** Variables of prompts over HTTP: filled when a request is resolved, listed with a version. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { create, read, resolve, resolveNamed } from "./PresetCalls.ts"

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
})
