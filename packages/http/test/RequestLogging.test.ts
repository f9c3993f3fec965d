/** Tests that a request of any kind gets an id and a log line, and is counted for its route. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import { counted, withRegistry } from "@verbatim/testkit/fakes"
import { Effect, Layer, Logger, References, Tracer } from "effect"
import { HttpEffect, type HttpServerResponse } from "effect/http"
import { CrossOrigins } from "#src/serve/edge/CrossOrigin"
import { observeRequests } from "#src/serve/edge/RequestLogging"
import { findPattern } from "#src/serve/edge/Routes"
import { Health } from "#src/serve/system/Health"
import { serveHealth } from "#src/serve/system/SystemHandlers"
import * as Deployment from "./Deployment.ts"
import { exchange } from "./Sockets.ts"
import { issueKey, makeTenant, send } from "./workspace/WorkspaceCalls.ts"

const page = "https://app.example.com"

type Line = Readonly<Record<string, unknown>>

/** Creates a logger that collects the annotations of the log line of each request. */
const makeLines = () => {
  const lines: Array<Line> = []
  const logger = Logger.make(({ fiber }) => {
    const noted = fiber.getRef(References.CurrentLogAnnotations)
    if (noted.status !== undefined) lines.push(noted)
  })
  const debug = Layer.succeed(References.MinimumLogLevel, "Debug")
  return { lines, layer: Layer.merge(Logger.layer([logger]), debug) }
}

const linesOf = (lines: ReadonlyArray<Line>, id: string) =>
  lines
    .filter(({ request }) => request === id)
    .map(({ method, route, status }) => ({ method, route, status }))

/**
 * Sends a request over a socket, because `fetch` would normalize the path and decide by itself when
 * to send a preflight.
 */
const sendRequest = (port: number, path: string, headers: ReadonlyArray<string>, method = "GET") =>
  exchange(
    port,
    [
      [`${method} ${path} HTTP/1.1`, "Host: a", "Connection: close", ...headers, "", ""].join(
        "\r\n"
      )
    ],
    "never"
  )

const seen = makeLines()

const deployment = Deployment.layer({ isLogged: true }).pipe(
  Layer.provide(Layer.succeed(CrossOrigins, new Set([page]))),
  Layer.provideMerge(seen.layer)
)

const requests = (labels: Readonly<Record<string, string>>) =>
  counted("verbatim_http_requests_total", labels)

const bearer = `Authorization: Bearer ${Deployment.keys.management}`

const unguarded = (handled: Effect.Effect<HttpServerResponse.HttpServerResponse>) => handled

describe("the API", () => {
  it.live("gives each preflight its own request id, log line and count", () =>
    withRegistry(
      Effect.gen(function* () {
        const { port } = yield* Deployment.Deployment
        for (const [index, path] of ["/v1/presets", "/nowhere", "/v1/status/secret"].entries()) {
          const id = `preflight-${index}`
          const headers = [`X-Request-Id: ${id}`, `Origin: ${page}`]
          const preflight = [...headers, "Access-Control-Request-Method: GET"]
          const answer = yield* sendRequest(port, path, preflight, "OPTIONS")
          assert.match(answer, /^HTTP\/1\.1 204 /)
          assert.match(answer, new RegExp(`x-request-id: ${id}\r\n`, "i"))
          assert.deepStrictEqual(linesOf(seen.lines, id), [
            { method: "OPTIONS", route: "preflight", status: 204 }
          ])
        }
        const labels = { method: "OPTIONS", route: "preflight", status: "204" }
        assert.strictEqual(yield* requests(labels), 3)
      }).pipe(Effect.provide(deployment))
    )
  )

  for (const [path, route, status] of [
    ["/v1/preset%73", "/v1/presets", 200],
    ["/v1/presets/a%2Fb", "/v1/presets/:slug", 400],
    ["/%76%31/presets/a/", "/v1/presets/:slug", 404],
    ["http://a/v1/presets", "/v1/presets", 200],
    ["/v1/presets/%", "/v1/presets/:slug", 400],
    ["/v1/presets%2Fa", null, 404]
  ] as const) {
    it.live(`logs the route that the router finds for ${path}`, () =>
      withRegistry(
        Effect.gen(function* () {
          const { port } = yield* Deployment.Deployment
          const answer = yield* sendRequest(port, path, [
            bearer,
            `X-Request-Id: ${encodeURI(path)}`
          ])
          assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
          const line = seen.lines.at(-1)
          assert.deepInclude(line, { route, status })
          const labels = { method: "GET", route: route ?? "none", status: String(status) }
          assert.strictEqual(yield* requests(labels), 1)
          // The span has this name before the router has matched a route.
          assert.strictEqual(findPattern("GET", path) ?? null, route)
        }).pipe(Effect.provide(deployment))
      )
    )
  }

  it.live("adds the request id to the platform's own response when the process stops", () =>
    Effect.gen(function* () {
      const handle = HttpEffect.toWebHandler(observeRequests(unguarded)(Effect.interrupt))
      const answer = yield* Effect.promise(() =>
        handle(new Request("http://a/health", { headers: { "x-request-id": "last" } }))
      )
      assert.strictEqual(answer.status, 503)
      assert.strictEqual(answer.headers.get("x-request-id"), "last")
    })
  )
})

describe("a process without the API", () => {
  it.live("gives requests an id, logs and counts them, but does not trace them", () =>
    withRegistry(
      Effect.gen(function* () {
        const { layer, lines } = makeLines()
        const spans: Array<string> = []
        const tracer = Tracer.make({
          span: (options) => {
            spans.push(options.name)
            return new Tracer.NativeSpan(options)
          }
        })
        const listener = createServer()
        const server = serveHealth().pipe(
          Layer.provide(NodeHttpServer.layer(() => listener, { port: 0, host: "127.0.0.1" })),
          Layer.provide(Layer.succeed(Health, { report: Effect.succeed(Deployment.wellReport) })),
          Layer.provide([layer, Layer.succeed(Tracer.Tracer, tracer)])
        )
        yield* Layer.build(server)
        const { port } = listener.address() as AddressInfo
        for (const [path, route, status] of [
          ["/health", "/health", 200],
          ["/health/ready", "/health/ready", 200],
          ["/v1/presets", null, 404]
        ] as const) {
          const answer = yield* sendRequest(port, path, [`X-Request-Id: watch${path}`])
          assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
          assert.match(answer, new RegExp(`x-request-id: watch${path}\r\n`, "i"))
          assert.deepInclude(lines.at(-1), { route, status, request: `watch${path}` })
          const labels = { method: "GET", route: route ?? "none", status: String(status) }
          assert.strictEqual(yield* requests(labels), 1)
        }
        assert.deepStrictEqual(spans, [])
      }).pipe(Effect.scoped)
    )
  )
})

/** The annotations of each log line. */
const lines: Array<Readonly<Record<string, unknown>>> = []

const logger = Logger.make(({ fiber }) => {
  lines.push(fiber.getRef(References.CurrentLogAnnotations))
})

const logged = Deployment.layer({ isLogged: true }).pipe(Layer.provideMerge(Logger.layer([logger])))

/** Lists the keys in the log lines of a route's requests with this status. */
const keysOf = (route: string, status: number) =>
  lines.filter((line) => line.route === route && line.status === status).map(({ key }) => key)

layer(logged, { excludeTestServices: true })("a request's log line", (it) => {
  it.effect("names the key that lacks a scope", () =>
    Effect.gen(function* () {
      const { id } = yield* makeTenant("narrow")
      const key = yield* issueKey(id, { kind: "management", scopes: ["presets:write"] })
      yield* send({ path: "/presets", key: key.token })
      yield* send({ path: "/usage", key: key.token })
      assert.deepStrictEqual(keysOf("/v1/presets", 403), [key.id])
      assert.deepStrictEqual(keysOf("/v1/usage", 403), [key.id])
    })
  )

  it.effect("names the key that reads usage", () =>
    Effect.gen(function* () {
      const { management } = yield* makeTenant("read")
      yield* send({ path: "/usage", key: management.token })
      yield* send({ path: "/usage" })
      const [own, operator] = keysOf("/v1/usage", 200)
      assert.strictEqual(own, management.id)
      assert.isString(operator)
    })
  )
})
