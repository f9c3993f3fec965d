import { type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { document } from "@verbatim/http/description"
import { Effect } from "effect"
import { originsFrom } from "#src/Configuration"
import { inferenceKey, opened, port, readAnswers, serving, until } from "./Serving.ts"

const page = "https://app.example.com"
const other = "https://other.example.com"
const listed = { VERBATIM_CORS_ORIGINS: `${page}, http://localhost:5173` }

/** A content length that exceeds the file limit. */
const tooLong = {
  "content-type": "multipart/form-data; boundary=b",
  "content-length": "999999999999",
  expect: "100-continue"
}

interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Sends requests with any header, because Node's `fetch` drops an `Origin` header and sends no
 * preflights.
 */
const sendRequest = (path: string, { body, headers, method = "GET" }: Call = {}) =>
  Effect.flatMap(port, (port) =>
    Effect.promise(async () => {
      const requested = request({ host: "127.0.0.1", port, path, method, headers: { ...headers } })
      requested.end(body)
      const answer = await new Promise<IncomingMessage>((resolve, reject) =>
        requested.once("response", resolve).once("error", reject)
      )
      return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
    })
  )

const preflight = (path: string, method: string, origin = page) =>
  sendRequest(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": method,
      "access-control-request-headers": "authorization,content-type"
    }
  })

const from = (origin: string, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { origin, authorization: `Bearer ${inferenceKey}`, ...headers }
})

/** Every path in the description, with example values in place of parameters, and its methods. */
const paths: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = Object.entries<
  Readonly<Record<string, unknown>>
>(document().paths).map(([path, item]) => [
  (item.servers === undefined ? `/v1${path}` : path).replaceAll(/\{\w+\}/g, "some"),
  ["get", "post", "put", "patch", "delete"].filter((method) => method in item)
])

/** Returns the methods of a path. A path with a parameter can match it too. */
const methodsAt = (requested: string): ReadonlyArray<string> => {
  const found = Object.entries<Readonly<Record<string, unknown>>>(document().paths).filter(
    ([path, item]) => {
      const whole = item.servers === undefined ? `/v1${path}` : path
      return new RegExp(`^${whole.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(requested)
    }
  )
  const methods = ["get", "post", "put", "patch", "delete"]
  return methods.filter((method) => found.some(([, item]) => method in item))
}

const variesByOrigin = ({ vary = "" }: { readonly vary?: string | undefined }) =>
  vary.split(", ").includes("Origin")

/** Lists the names of CORS headers. `Vary` also contains a name that compression adds. */
const corsNames = (headers: { readonly vary?: string | undefined }) => [
  ...Object.keys(headers).filter((name) => name.startsWith("access-control-")),
  ...(variesByOrigin(headers) ? ["vary"] : [])
]

describe("a server without origins", () => {
  it.live("sends no CORS headers and does not answer preflights", () =>
    Effect.gen(function* () {
      const read = yield* sendRequest("/v1/transcriptions", from(page))
      const requested = yield* preflight("/v1/transcriptions", "GET")
      assert.deepStrictEqual([read.status, corsNames(read.headers)], [200, []])
      assert.deepStrictEqual([requested.status, corsNames(requested.headers)], [405, []])
    }).pipe(Effect.provide(serving()))
  )
})

describe("a server with origins", () => {
  it.live("lets only pages from these origins read its responses, even refusals", () =>
    Effect.gen(function* () {
      const json = { "content-type": "application/json" }
      const calls: ReadonlyArray<readonly [string, number, Call]> = [
        ["/v1/transcriptions", 200, from(page)],
        ["/v1/presets/a", 401, from(page, { authorization: "" })],
        ["/v1/transcriptions", 403, from(page, { authorization: "Bearer no" })],
        ["/v1/presets/none", 404, from(page)],
        ["/nowhere", 404, from(page)],
        ["/v1/presets", 405, { ...from(page), method: "DELETE" }],
        ["/v1/transcribe", 413, { ...from(page, tooLong), method: "POST" }],
        ["/v1/transcribe", 400, { ...from(page, json), method: "POST", body: "{" }],
        ["/health", 200, from(page)],
        ["/health/ready", 200, from(page)],
        ["/openapi.json", 200, from(page)],
        ["/v1/status/%", 404, from(page)],
        ["/v1/transcriptions", 400, from(page, { expect: "cheese" })]
      ]
      for (const [path, status, call] of calls) {
        const answer = yield* sendRequest(path, call)
        assert.strictEqual(answer.status, status, path)
        assert.strictEqual(answer.headers["access-control-allow-origin"], page, path)
        assert.isTrue(variesByOrigin(answer.headers), `${path} ${status}`)
        const exposed = answer.headers["access-control-expose-headers"] ?? ""
        assert.include(exposed, "Retry-After")
        assert.notProperty(answer.headers, "access-control-allow-credentials")
        const hidden = yield* sendRequest(path, {
          ...call,
          headers: { ...call.headers, origin: other }
        })
        assert.deepStrictEqual([hidden.status, corsNames(hidden.headers)], [status, ["vary"]], path)
      }
      const without = yield* sendRequest("/health")
      assert.deepStrictEqual(corsNames(without.headers), ["vary"])
    }).pipe(Effect.provide(serving(listed)))
  )

  it.live("answers preflights without a key, with the methods of the requested route", () =>
    Effect.gen(function* () {
      assert.isAbove(paths.length, 20)
      for (const [path, methods] of paths) {
        const answer = yield* preflight(path, methods[0]?.toUpperCase() ?? "")
        const reported = answer.headers["access-control-allow-methods"]?.split(", ") ?? []
        const expected = methodsAt(path).map((method) => method.toUpperCase())
        const head = expected.includes("GET") ? ["HEAD"] : []
        assert.strictEqual(answer.status, 204, path)
        assert.sameMembers(reported, [...expected, ...head], path)
        assert.strictEqual(answer.headers["access-control-allow-origin"], page)
      }
      const hidden = yield* preflight("/v1/presets", "GET", other)
      assert.deepStrictEqual([hidden.status, corsNames(hidden.headers)], [204, ["vary"]])
      // A page that requests an unknown path can read the 404.
      const nowhere = yield* preflight("/nowhere", "GET")
      assert.strictEqual(nowhere.headers["access-control-allow-methods"], "")
    }).pipe(Effect.provide(serving(listed)))
  )

  it.live("lets pages read refusals that the listener sends", () =>
    Effect.gen(function* () {
      const reported = { "access-control-allow-origin": page, vary: "Origin" }
      const origin = `Origin: ${page}`
      const long = [`GET /health HTTP/1.1`, "Host: a", origin, `X-Long: ${"x".repeat(20_000)}`]
      const bad = ["FROB /v1/presets HTTP/1.1", "Host: a", origin]
      const torn = ["POST /v1/presets HTTP/1.1", "Host: a", origin, "Content-Length: two"]
      for (const lines of [long, bad, torn]) {
        const seen = yield* opened
        seen.socket.write(`${lines.join("\r\n")}\r\n\r\n`)
        yield* until(() => seen.isClosed)
        const [answer] = readAnswers(seen.text)
        assert.strictEqual(answer?.status, 400)
        assert.include(answer?.headers, reported)
      }
    }).pipe(Effect.scoped, Effect.provide(serving(listed)))
  )
})

describe("the metrics", () => {
  const open = { VERBATIM_CORS_ORIGINS: "*", VERBATIM_METRICS: "true" }
  const closed = { ...open, VERBATIM_METRICS_TOKEN: "a-token-of-the-tests" }

  for (const [what, settings, status] of [
    ["without a token", open, 200],
    ["with a token that the page lacks", closed, 401]
  ] as const) {
    it.live(`cannot be read by pages, ${what}`, () =>
      Effect.gen(function* () {
        for (const path of [
          "/metrics",
          "/metrics/",
          "/metric%73",
          "/metrics?x",
          "http://a/metrics"
        ]) {
          const read = yield* sendRequest(path, from(page, { authorization: "" }))
          assert.deepStrictEqual([read.status, corsNames(read.headers)], [status, []], path)
          const requested = yield* preflight(path, "GET")
          assert.deepStrictEqual([requested.status, corsNames(requested.headers)], [404, []], path)
        }
        const beside = yield* sendRequest("/health", from(page))
        assert.strictEqual(beside.headers["access-control-allow-origin"], "*")
      }).pipe(Effect.provide(serving(settings)))
    )
  }
})

describe("VERBATIM_CORS_ORIGINS", () => {
  it("accepts origins in the form that browsers send, or a single asterisk", () => {
    const good = "https://a.example,http://localhost:5173, capacitor://localhost"
    assert.deepStrictEqual(
      originsFrom(good),
      new Set(["https://a.example", "http://localhost:5173", "capacitor://localhost"])
    )
    assert.strictEqual(originsFrom(" * "), "*")
    for (const wrong of [
      "",
      "null",
      "a.example",
      "https://a.example/",
      "https://a.example/path",
      "https://A.example",
      "https://a.example:443",
      "https://*.example",
      "https://user@a.example",
      "https://a.example,*",
      "https://a.example,,https://b.example",
      "https://a.example?x"
    ]) {
      assert.isUndefined(originsFrom(wrong), wrong)
    }
  })
})
