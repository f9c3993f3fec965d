import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "./Deployment.ts"
import { create, fetchJson, type PresetCall } from "./preset/PresetCalls.ts"
import { ajv, validatorOf } from "./Schemas.ts"

/** For each operation, the name of its response schema and a request. */
const answers: ReadonlyArray<readonly [schema: string, call: PresetCall]> = [
  ["PresetPage", { path: "" }],
  ["PresetAnswer", { path: "/a" }],
  ["PresetVersionPage", { path: "/a/versions" }],
  ["PresetVersionAnswer", { path: "/a/versions/1" }],
  ["DesignationPage", { path: "/a/designations" }],
  ["PresetDiffAnswer", { path: "/a/diff?from=1&to=2" }],
  ["PresetAnswer", { path: "/a", method: "PATCH", json: { status: "disabled" } }],
  ["PresetAnswer", { path: "/a/designated-version", method: "PUT", json: { version: 1 } }],
  ["PresetError400", { path: "?limit=0" }],
  ["PresetError401", { path: "", key: "nobody" }],
  ["PresetError403", { path: "/a/responses", key: Deployment.keys.inference, json: {} }],
  ["PresetError404", { path: "/b" }],
  ["PresetError409", { path: "/a", method: "PATCH", json: {}, headers: { "if-match": '"other"' } }]
]

layer(Deployment.layer(), { excludeTestServices: true })("a response", (it) => {
  it.effect("shows a preset after its second version is stored", () =>
    Effect.gen(function* () {
      yield* create("a", { model: "a" })
      assert.strictEqual((yield* create("a", { instructions: "b" })).status, 200)
    })
  )

  for (const [schema, call] of answers) {
    it.effect(`matches the schema ${schema}: ${call.method ?? "GET"} /presets${call.path}`, () =>
      Effect.gen(function* () {
        const isValid = validatorOf(schema)
        const { body } = yield* fetchJson(call)
        assert.isTrue(isValid(body), ajv.errorsText(isValid.errors))
      })
    )
  }
})
