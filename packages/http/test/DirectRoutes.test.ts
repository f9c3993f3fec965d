import { Buffer } from "node:buffer"
import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as Deployment from "./Deployment.ts"

/**
 * Sends bytes and reads the whole response. If the server does not read a body to its end, the
 * unread rest can break the connection, and the response can be lost.
 */
const exchange = (port: number, head: string, body: Uint8Array) =>
  Effect.callback<string>((resume) => {
    const received: Array<Buffer> = []
    const socket = connect(port, "127.0.0.1")
    const end = () => resume(Effect.succeed(Buffer.concat(received).toString("latin1")))
    socket.on("data", (piece) => received.push(piece))
    socket.on("error", end)
    socket.on("end", end)
    socket.write(head)
    socket.write(body)
    return Effect.sync(() => socket.destroy())
  })

const literals = Schema.Literals

const slugs = ["known", "known@1", "known@9", "known@live", "gone", "off", "no@", "..", ".", "a~b"]
const escaped = ["kno%77n", "kn%C3%A9", "a%2Fb", "%", "a;b", "é", ""]

const paths = ["resolve", "pin", "resolve", "pin", "responses", "pin/", "nothing"]

const bodies = {
  none: "",
  empty: "{}",
  plain: '{"input":"Hi","temperature":0.5,"tools":[{"type":"function","name":"g"}]}',
  exact: '{"seed":9223372036854775807,"top_k":1e999,"__proto__":{"a":1}}',
  list: "[1]",
  text: "no JSON",
  binary: Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d),
  large: `{"input":"${"x".repeat(70_000)}"}`,
  huge: `{"input":"${"x".repeat(2_097_152)}"}`
}

const { inference, management } = Deployment.keys

const keys = {
  management: [`Authorization: Bearer ${management}`],
  inference: [`Authorization: bearer ${inference}`],
  unknown: ["Authorization: Bearer unknown"],
  basic: ["Authorization: Basic YTpi"],
  none: []
}

const headers = {
  json: ["Content-Type: application/json"],
  xml: ["Content-Type: text/xml"],
  none: [],
  zipped: ["Content-Type: application/json", "Content-Encoding: gzip"],
  chunked: ["Content-Type: application/json", "Transfer-Encoding: chunked"],
  expecting: ["Content-Type: application/json", "Expect: 100-continue"],
  broken: ["Content-Type: application/json", "If-None-Match: other", "If-Match: other"],
  twice: ["Content-Type: application/json", "Host: b"],
  page: ["Content-Type: application/json", "Origin: https://app.example.com"]
}

const names = <Names extends object>(named: Names) =>
  literals(Object.keys(named) as Array<keyof Names & string>)

const request = Schema.Struct({
  method: literals(["POST", "POST", "POST", "GET", "GET", "HEAD", "PUT"]),
  slug: literals([...slugs, ...slugs, ...escaped]),
  path: literals(paths),
  key: names(keys),
  header: names(headers),
  body: names(bodies)
})

type DirectRequest = typeof request.Type

const toBytes = ({ body, header }: DirectRequest): Uint8Array => {
  const bytes = Buffer.from(bodies[body])
  if (header !== "chunked") return bytes
  const size = bytes.length.toString(16)
  return bytes.length === 0
    ? Buffer.from("0\r\n\r\n")
    : Buffer.concat([Buffer.from(`${size}\r\n`), bytes, Buffer.from("\r\n0\r\n\r\n")])
}

/**
 * Patterns for the parts of a response that differ between two equal requests, such as dates and
 * ids.
 */
const passing = [
  [/^date: .*\r\n/im, ""],
  [/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>"],
  [/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"<instant>"'],
  [/"version":\d+/g, '"version":<number>'],
  [/^content-length: \d+\r\n(?=[\s\S]*"version":<number>)/im, ""]
] as const

const send = (sent: DirectRequest, query: "" | "?") =>
  Effect.gen(function* () {
    const { port } = yield* Deployment.Deployment
    const bytes = toBytes(sent)
    const head = [
      `${sent.method} /v1/presets/${sent.slug}/${sent.path}${query} HTTP/1.1`,
      "Host: a",
      "X-Request-Id: the-same",
      "Connection: close",
      ...keys[sent.key],
      ...headers[sent.header],
      ...(sent.header === "chunked" ? [] : [`Content-Length: ${bytes.length}`]),
      "",
      ""
    ].join("\r\n")
    const answer = yield* exchange(port, head, bytes)
    return passing.reduce<string>((text, [found, put]) => text.replace(found, put), answer)
  })

const prepare = Effect.gen(function* () {
  const { call } = yield* Deployment.Deployment
  const json = { "content-type": "application/json" }
  const sendRequest = (path: string, method: string, body: object) =>
    Effect.map(
      call(`/v1/presets/${path}`, {
        method,
        key: management,
        headers: json,
        body: JSON.stringify(body)
      }),
      ({ status, text }) => assert.isBelow(status, 300, text)
    )
  const kept = { instructions: "Be brief.", model: "m", tools: [{ type: "function", name: "f" }] }
  for (const slug of ["known", "gone", "off"]) yield* sendRequest(`${slug}/responses`, "POST", kept)
  yield* sendRequest("known/labels/live", "PUT", { version: 1 })
  yield* sendRequest("gone", "PATCH", { status: "archived" })
  yield* sendRequest("off", "PATCH", { status: "disabled" })
})

layer(Deployment.layer(), { excludeTestServices: true })("a direct route", (it) => {
  it.effect("responds like the router, which handles requests with a query on the same path", () =>
    Effect.andThen(
      prepare,
      Effect.gen(function* () {
        const sent = { slug: "known", key: "management", header: "json", body: "plain" } as const
        for (const path of ["resolve", "responses", "chat/completions", "messages"] as const) {
          const one = { ...sent, path, method: "POST" } as const
          const answer = yield* send(one, "")
          assert.match(answer, /^HTTP\/1\.1 (?:200|400) /, path)
          assert.strictEqual(answer, yield* send(one, "?"), path)
        }
        const pin = { ...sent, path: "pin", method: "GET", body: "none" } as const
        assert.match(yield* send(pin, ""), /^HTTP\/1\.1 200 /)
        assert.strictEqual(yield* send(pin, ""), yield* send(pin, "?"))
      })
    )
  )

  it.effect.prop(
    "returns the same bytes as the router for any request",
    [request],
    ([sent]) =>
      Effect.gen(function* () {
        const answer = yield* send(sent, "")
        const other = yield* send(sent, "?")
        if (sent.body === "huge" && (answer === "" || other === "")) return
        assert.match(answer, /^HTTP\/1\.1 \d/)
        assert.strictEqual(answer, other, JSON.stringify(sent))
      }),
    { arbitrary: { runs: 200 } }
  )
})
