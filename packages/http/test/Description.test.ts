import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "./Deployment.ts"
import { create, fetchJson, type PresetCall } from "./preset/PresetCalls.ts"
import { ajv, validatorOf } from "./Schemas.ts"

type Document = ReturnType<typeof JSON.parse>

const served = Effect.gen(function* () {
  const { call } = yield* Deployment.Deployment
  const { headers, status, text } = yield* call("/openapi.json")
  assert.deepStrictEqual([status, headers.get("content-type")], [200, "application/json"])
  return JSON.parse(text) as Document
})

layer(Deployment.layer(), { excludeTestServices: true })("the API description", (it) => {
  it.effect("is an OpenAPI 3.1 document for version 1.0.0 of the API under /v1", () =>
    Effect.gen(function* () {
      const document = yield* served
      assert.match(document.openapi, /^3\.1\./)
      assert.deepInclude(document.info, { title: "Verbatim", version: "1.0.0" })
      assert.strictEqual(document.servers.length, 1)
      assert.strictEqual(document.servers[0].url, "/v1")
      for (const path of ["/", "/health", "/health/ready"]) {
        assert.strictEqual(document.paths[path].servers[0].url, "/")
      }
      for (const path of ["/transcribe", "/status/{id}", "/presets/{slug}/responses"]) {
        assert.notProperty(document.paths[path], "servers")
      }
    })
  )

  it.effect("has example requests that return the example responses", () =>
    Effect.gen(function* () {
      const { paths } = yield* served
      const { post } = paths["/presets/{slug}/responses"]
      const request = post.requestBody.content["application/json"].example
      const { example } = post.responses["200"].content["application/json"]
      const { body, status } = yield* create("support-bot", request)
      const { config, system_prompt } = body.data.designated_version
      assert.strictEqual(status, 200)
      assert.hasAllKeys(body.data, Object.keys(example.data))
      assert.deepStrictEqual(config, example.data.designated_version.config)
      assert.strictEqual(system_prompt, example.data.designated_version.system_prompt)
    })
  )
})

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
