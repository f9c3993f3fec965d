import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "./Deployment.ts"
import { create } from "./preset/PresetCalls.ts"

type Document = ReturnType<typeof JSON.parse>

const served = Effect.gen(function* () {
  const { call } = yield* Deployment.Deployment
  const { headers, status, text } = yield* call("/openapi.json")
  assert.deepStrictEqual([status, headers.get("content-type")], [200, "application/json"])
  return JSON.parse(text) as Document
})

const operationsOf = (document: Document): ReadonlyArray<readonly [string, Document]> =>
  Object.entries<Document>(document.paths).flatMap(([path, item]) =>
    Object.entries<Document>(item)
      .filter(([name]) => name !== "servers")
      .map(([method, operation]) => [`${method} ${path}`, operation] as const)
  )

/** Operations that have the format and the errors of preset operations. */
const presetStatuses: Readonly<Record<string, string>> = {
  "post /presets/{slug}/responses": "200 400 401 403 404 409 500",
  "post /presets/{slug}/chat/completions": "200 400 401 403 404 409 500",
  "post /presets/{slug}/messages": "200 400 401 403 404 409 500",
  "post /presets/{slug}/versions": "200 400 401 403 404 409 500",
  "put /presets/{slug}/designated-version": "200 400 401 403 404 409 500",
  "patch /presets/{slug}": "200 400 401 403 404 409 500",
  "get /presets": "200 400 401 403 500",
  "get /presets/{slug}": "200 400 401 403 404 500",
  "get /presets/{slug}/versions": "200 400 401 403 404 500",
  "get /presets/{slug}/versions/{version}": "200 400 401 403 404 500",
  "get /presets/{slug}/designations": "200 400 401 403 404 500",
  "get /presets/{slug}/diff": "200 400 401 403 404 500",
  "delete /presets/{slug}": "204 400 401 403 404 409 500",
  "delete /presets/{slug}/versions/{version}/content": "200 400 401 403 404 409 500",
  "get /presets/{slug}/labels": "200 400 401 403 404 500",
  "get /presets/{slug}/labels/{label}": "200 400 401 403 404 500",
  "put /presets/{slug}/labels/{label}": "200 400 401 403 404 409 500",
  "delete /presets/{slug}/labels/{label}": "204 400 401 403 404 409 500",
  "get /presets/{slug}/labels/{label}/moves": "200 400 401 403 404 500",
  "get /labels/protected": "200 401 403 500",
  "put /labels/protected/{label}": "204 400 401 403 404 409 500",
  "delete /labels/protected/{label}": "204 400 401 403 404 409 500",
  "get /presets/{slug}/pin": "200 304 400 401 403 404 409 500",
  "post /presets/{slug}/resolve": "200 400 401 403 404 409 500",
  "post /presets/preview": "200 400 401 403 409 500"
}

layer(Deployment.layer(), { excludeTestServices: true })("the API description", (it) => {
  it.effect("is an OpenAPI 3.1 document for version 1.0.0 of the API, below /v1", () =>
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

  it.effect("contains every operation once, with its tag and summary", () =>
    Effect.gen(function* () {
      const document = yield* served
      const operations = operationsOf(document)
      const ids = operations.map(([, { operationId }]) => operationId)
      const tags = document.tags.map(({ name }: { readonly name: string }) => name)
      assert.strictEqual(new Set(ids).size, operations.length)
      for (const [, { summary, tags: own }] of operations) {
        assert.isNotEmpty(summary)
        assert.include(tags, own[0])
      }
    })
  )

  it.effect("shows a body and an example for each status of the preset operations", () =>
    Effect.gen(function* () {
      const document = yield* served
      const operations = operationsOf(document).filter(([name]) =>
        / \/(?:presets|labels)/.test(name)
      )
      assert.sameMembers(
        operations.map(([name]) => name),
        Object.keys(presetStatuses)
      )
      for (const [name, { responses, security }] of operations) {
        assert.strictEqual(Object.keys(responses).join(" "), presetStatuses[name], name)
        assert.deepStrictEqual(security, [{ bearer: [] }])
        for (const [status, { content, description }] of Object.entries<Document>(responses)) {
          assert.isNotEmpty(description)
          if (status === "204" || status === "304") continue
          const { example, schema } = content["application/json"]
          // The first of several bodies is the most common one.
          const [{ $ref }] = schema.anyOf ?? [schema]
          assert.match($ref, /^#\/components\/schemas\/\w+$/)
          if (status === "200") assert.property(example, "data")
          else assert.deepInclude(example.error, { code: Number(status) })
        }
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
