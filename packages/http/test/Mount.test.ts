/**
 * Tests that the API, mounted on a host's router, handles all paths below the prefix and no others.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { Authenticator, type Prefix, routes } from "@verbatim/http"
import { counted, withRegistry } from "@verbatim/testkit/fakes"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Deployed from "./Deployment.ts"
import { Deployment } from "./Deployment.ts"

class Boom extends Schema.TaggedError<Boom>()("Boom", {}) {}

/** Routes of the host: one fails, and the others respond in the host's own formats. */
const hostRoutes = Layer.mergeAll(
  HttpRouter.add("GET", "/", HttpServerResponse.text("the host")),
  HttpRouter.add("GET", "/health", HttpServerResponse.text("well, says the host")),
  HttpRouter.add("GET", "/boom", Effect.die(new Boom())),
  HttpRouter.add(
    "POST",
    "/echo",
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ text }) =>
      Effect.map(Effect.orDie(text), HttpServerResponse.text)
    )
  )
)

const serve = (own: Layer.Layer<never, never, HttpRouter.HttpRouter>, at: ReadonlyArray<Prefix>) =>
  HttpRouter.serve(Layer.mergeAll(own, ...at.map((prefix) => routes({ prefix }))), {
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(Authenticator.keys))

const prefix = "/api/verbatim"

const document = Effect.fnUntraced(function* (path: string) {
  const { call } = yield* Deployment
  const { text } = yield* call(path)
  return JSON.parse(text) as {
    readonly servers: ReadonlyArray<{ readonly url: string }>
    readonly paths: Readonly<Record<string, { readonly servers?: ReadonlyArray<{ url: string }> }>>
  }
})

describe("below a prefix", () => {
  layer(Deployed.layer({}, serve(hostRoutes, [prefix])))((it) => {
    it.effect("unknown paths are refused in the format of the API", () =>
      Effect.gen(function* () {
        const { call } = yield* Deployment
        const unknown = yield* call(`${prefix}/v1/nothing`)
        assert.deepStrictEqual(
          [unknown.status, JSON.parse(unknown.text)],
          [404, { detail: "Not Found" }]
        )
        const lacking = yield* call(`${prefix}/v1/transcribe`, { method: "DELETE" })
        assert.deepStrictEqual([lacking.status, lacking.headers.get("allow")], [405, "POST"])
        const root = yield* call(prefix)
        assert.deepInclude(JSON.parse(root.text), { documentation: `${prefix}/docs` })
      })
    )

    it.effect("the description contains the prefix", () =>
      Effect.gen(function* () {
        const { paths, servers } = yield* document(`${prefix}/openapi.json`)
        assert.deepStrictEqual(
          servers.map(({ url }) => url),
          [`${prefix}/v1`]
        )
        assert.deepStrictEqual(
          paths["/health"]?.servers?.map(({ url }) => url),
          [prefix]
        )
        const { call } = yield* Deployment
        const page = yield* call(`${prefix}/docs`)
        assert.include(page.text, `${prefix}/v1`)
      })
    )

    it.effect("the host's own responses stay unchanged", () =>
      Effect.gen(function* () {
        const { call } = yield* Deployment
        const answers = yield* Effect.forEach(
          ["/", "/health", "/boom", "/nothing", "/v1/presets", "/api/verbatimly"],
          (path) => call(path)
        )
        assert.deepStrictEqual(
          answers.map(({ status, text }) => [status, text]),
          [
            [200, "the host"],
            [200, "well, says the host"],
            [500, ""],
            [404, ""],
            [404, ""],
            [404, ""]
          ]
        )
        assert.isTrue(answers.every(({ headers }) => !headers.has("x-request-id")))
        const echoed = yield* call("/echo", { body: "what was said" })
        assert.strictEqual(echoed.text, "what was said")
      })
    )
  })
})

describe("metrics below a prefix", () => {
  it.live("count requests without a route as `none`", () =>
    withRegistry(
      Effect.gen(function* () {
        const { call } = yield* Deployment
        yield* call(`${prefix}/v1/nothing`)
        yield* call(`${prefix}/health`)
        const count = (route: string, status: string) =>
          counted("verbatim_http_requests_total", { method: "GET", route, status })
        assert.deepStrictEqual(
          [
            yield* count("none", "404"),
            yield* count("other", "404"),
            yield* count("/health", "200")
          ],
          [1, undefined, 1]
        )
      }).pipe(Effect.provide(Deployed.layer({}, serve(hostRoutes, [prefix]))))
    )
  )
})

describe("without a prefix", () => {
  const own = Layer.mergeAll(
    HttpRouter.add("GET", "/", HttpServerResponse.text("the host")),
    HttpRouter.add("GET", "/v1/of-the-host", HttpServerResponse.text("the host's version 1"))
  )
  const listening = HttpRouter.serve(Layer.merge(own, routes()), {
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(Authenticator.keys))
  layer(Deployed.layer({}, listening))((it) => {
    it.effect("the API handles its own paths, and the host handles all other paths", () =>
      Effect.gen(function* () {
        const { call } = yield* Deployment
        const paths = ["/", "/v1/of-the-host", "/nothing", "/v1/nothing", "/health", "/docs"]
        const answers = yield* Effect.forEach(paths, (path) => call(path))
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200, 404, 404, 200, 200]
        )
        assert.deepStrictEqual(
          answers.map(({ headers }) => headers.has("x-request-id")),
          [false, false, false, true, true, true]
        )
      })
    )
  })
})
