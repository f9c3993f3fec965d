/** Verbatim's operations in a host's own API. */
import { assert, describe, layer } from "@effect/vitest"
import { Authenticator, handlers } from "@verbatim/http"
import { Api } from "@verbatim/http/api"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Deployed from "./Deployment.ts"
import { Deployment, keys } from "./Deployment.ts"

const HostApi = HttpApi.make("host")
  .add(
    HttpApiGroup.make("articles").add(
      HttpApiEndpoint.get("list", "/articles", { success: Schema.Array(Schema.String) })
    )
  )
  .addHttpApi(Api)

const articles = HttpApiBuilder.group(HostApi, "articles", (built) =>
  built.handle("list", () => Effect.succeed(["one"]))
)

const listening = HttpRouter.serve(
  HttpApiBuilder.layer(HostApi, { openapiPath: "/openapi.json" }).pipe(
    Layer.provide([articles, handlers(HostApi)])
  ),
  { disableLogger: true, disableListenLog: true }
).pipe(Layer.provide(Authenticator.keys))

describe("a host's own API", () => {
  layer(Deployed.layer({}, listening))((it) => {
    it.effect("serves Verbatim's operations next to the host's own", () =>
      Effect.gen(function* () {
        const { call } = yield* Deployment
        assert.strictEqual((yield* call("/articles")).text, '["one"]')
        const presets = yield* call("/v1/presets", { key: keys.inference })
        assert.deepStrictEqual(JSON.parse(presets.text), { data: [], total_count: 0 })
        const missing = yield* call("/v1/presets/none", { key: keys.inference })
        assert.strictEqual(JSON.parse(missing.text).error.message, "Preset not found")
        assert.strictEqual((yield* call("/v1/presets")).status, 401)
      })
    )

    it.effect("describes Verbatim's operations and the host's own", () =>
      Effect.sync(() => {
        const { paths } = OpenApi.fromApi(HostApi)
        assert.includeMembers(Object.keys(paths), ["/articles", "/v1/transcribe"])
      })
    )
  })
})
