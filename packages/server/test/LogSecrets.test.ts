/**
 * Tests that no log line or span contains a client's secret or a word from a recording, even if
 * everything is logged.
 */
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { Api } from "@verbatim/http"
import { HttpApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { startModels } from "./Models.ts"
import { startReceiver } from "./Receiver.ts"
import {
  dataDirectory,
  inferenceKey,
  managementKey,
  operatorKey,
  ServerProcess
} from "./ServerProcess.ts"
import { startCollector } from "./telemetry/CollectorServer.ts"

/** Creates a secret that names its own place, so that a failed test shows where it leaked. */
const secret = (place: string) => `hidden-in-${place}-Zq7`

const webhookSecret = `whsec_${"B".repeat(42)}A=`

/** An address without a listener. */
const leave = async () => {
  await using receiver = await startReceiver()
  return new URL(receiver.url).origin
}

/** Secrets: recognised text, summaries, and everything that callers or operators send. */
const spoken = ["We met at the harbour", "They met. They left."]
const own = [managementKey, inferenceKey, operatorKey, webhookSecret, secret("provider")]

interface Route {
  readonly method: string
  readonly path: string
}

const listRoutes = (): ReadonlyArray<Route> => {
  const routes: Array<Route> = [
    { method: "GET", path: "/nowhere" },
    { method: "PUT", path: "/health" }
  ]
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      routes.push({ method, path })
    }
  })
  return routes
}

const body = JSON.stringify({
  model: "any/model",
  instructions: secret("body"),
  input: secret("input"),
  name: secret("name"),
  description: secret("description"),
  metadata: { note: secret("metadata") },
  temperature: secret("temperature"),
  minutes: secret("minutes"),
  [secret("field")]: 1
})

/** Bodies to send: some are accepted, and some are refused for their content. */
const bodies: ReadonlyArray<readonly [contentType: string, body: string]> = [
  ["application/json", body],
  ["application/json", `{"model":"${secret("broken")}`],
  ["text/plain", secret("text")],
  ["multipart/form-data; boundary=x", `--x\r\n${secret("part")}\r\n\r\n${secret("content")}`]
]

const query = `?cursor=${secret("cursor")}&limit=${secret("limit")}&${secret("parameter")}=1`

const keys = [secret("authorization"), inferenceKey, managementKey, operatorKey]

const callAll = async (server: ServerProcess, id: string) => {
  for (const { method, path } of listRoutes()) {
    const place = path.replace(/:(id|jobId)\b/g, id).replace(/:\w+/g, "1")
    for (const key of keys) {
      const hasBody = method !== "GET" && method !== "HEAD"
      for (const [contentType, content] of hasBody ? bodies : bodies.slice(0, 1)) {
        const headers = {
          cookie: secret("cookie"),
          "user-agent": secret("agent"),
          "idempotency-key": secret("idempotency"),
          "if-match": secret("match"),
          "x-session-id": secret("session"),
          ...(hasBody ? { "content-type": contentType } : {})
        }
        const init = { method, headers, ...(hasBody ? { body: content } : {}) }
        const answer = await server.request(`${place}${query}`, init, key)
        // A stream of live events never ends, so its body is not read.
        const isEndless = answer.headers.get("content-type")?.startsWith("text/event-stream")
        await (isEndless === true ? answer.body?.cancel() : answer.text())
        assert.isString(answer.headers.get("x-request-id"))
      }
    }
  }
}

/** Bytes that Node's parser refuses. */
const sendNonsense = async ({ address }: ServerProcess) => {
  const { hostname, port } = new URL(address)
  const line = `GET /v1/presets?x=${secret("nonsense")} HTTP/1.1\r\n`
  for (const head of [`${line}a b: c\r\n\r\n`, `${secret("bytes")}\r\n\r\n`]) {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.end(head)
    assert.match(await text(socket), /x-request-id: \S+\r\n/)
  }
}

const transcribe = (server: ServerProcess, parameters: Readonly<Record<string, string>>) =>
  server.upload({ callback_id: secret("callback-id"), ...parameters }, "harbour-minute.mp3")

const ended = ({ status = "" }: Readonly<Record<string, string>>) =>
  /^(?:WEBHOOK_|FAILED)/.test(status)

describe("a server's log and spans", () => {
  it("contain no secrets, whatever is requested and whatever fails", async () => {
    await using directory = await dataDirectory()
    await using collector = await startCollector()
    await using receiver = await startReceiver()
    await using models = await startModels()
    const nobody = await leave()
    await using server = await ServerProcess.start(directory.path, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: `api-key=${secret("collector")}`,
      VERBATIM_LOG_FORMAT: "json",
      VERBATIM_LOG_LEVEL: "trace",
      VERBATIM_TRANSCRIBER: "openai",
      VERBATIM_SUMMARIZER: "openai",
      VERBATIM_OPENAI_BASE_URL: models.url,
      VERBATIM_OPENAI_API_KEY: secret("provider"),
      VERBATIM_WEBHOOK_SECRET: webhookSecret,
      VERBATIM_BOOTSTRAP_OPERATOR_KEY: operatorKey
    })
    const hook = `${receiver.url}?token=${secret("callback-query")}`
    const done = await transcribe(server, { callback_url: hook, summary: "brief" })
    const refused = await transcribe(server, {
      callback_url: `${nobody}/${secret("refused-path")}?token=${secret("refused-query")}`
    })
    assert.isString(refused.id)
    const urls = [new URL(nobody).host, "10.0.0.1", "nowhere.invalid"].map(
      (host) => `http://${host}/a.mp3?token=${secret("url-query")}`
    )
    for (const url of [...urls, `${hook}&a.mp3`, secret("no-url")]) {
      const answer = await server.request("/v1/transcribe", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ url, language: secret("language") })
      })
      await answer.text()
    }
    await server.until(done.id ?? "", ended)
    await server.saying(new RegExp(`"Webhook will be tried again.*${refused.id}`))
    await callAll(server, done.id ?? "")
    await sendNonsense(server)
    assert.strictEqual(await server.end("SIGTERM"), 0)

    const sent = collector.batches.map((batch) => batch.body.toString())
    assert.isAtLeast(collector.spans().length, listRoutes().length)
    const lines = server.errors.split("\n").filter((line) => line !== "")
    for (const line of [...lines, ...sent]) JSON.parse(line)
    const every = [...lines, ...sent].join("\n")
    assert.include(every, done.id ?? "no job")
    const found = new Set(every.match(/hidden-in-\S*?-Zq7/g) ?? [])
    assert.deepStrictEqual([...found], [])
    for (const text of [...spoken, ...own]) assert.notInclude(every, text)
    // Every line about an attempt or a request contains its id.
    const entries = lines.map((line) => JSON.parse(line))
    const attempts = entries.filter(({ message }) =>
      / (?:done|failed|will be tried again)\b/.test(String(message))
    )
    assert.isTrue(attempts.length > 0 && attempts.every(({ job }) => job))
    const requests = entries.filter(({ method }) => method !== undefined)
    assert.isTrue(requests.length > 0 && requests.every(({ request }) => request))
  })
})
