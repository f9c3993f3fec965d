/**
 * Tests the trace of one job that a collector gets from two processes, from the request to the
 * webhook.
 */
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "vitest"
import { startModels } from "./Models.ts"
import { startReceiver } from "./Receiver.ts"
import { dataDirectory, managementKey, ServerProcess, type Settings } from "./ServerProcess.ts"
import { type Span, startCollector } from "./telemetry/CollectorServer.ts"

const inOrder = (one: Span, other: Span): number =>
  Number(BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano))

/** Builds a tree of the selected spans. Spans between them are skipped. */
const keepOnly = (
  spans: ReadonlyArray<Span>,
  isKept: (span: Span) => boolean
): ReadonlyArray<Span> => {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const nearest = (id: string | undefined): string | undefined => {
    const found = byId.get(id ?? "")
    return found === undefined || isKept(found) ? id : nearest(found.parentSpanId)
  }
  return spans.filter(isKept).map(({ parentSpanId, ...span }) => {
    const parent = nearest(parentSpanId)
    return parent === undefined ? span : { ...span, parentSpanId: parent }
  })
}

/** Formats spans as lines that are indented by depth. A span without a known parent is a root. */
const toTree = (
  all: ReadonlyArray<Span>,
  isKept: (span: Span) => boolean,
  format: (span: Span) => string
): ReadonlyArray<string> => {
  const spans = keepOnly(all, isKept)
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const branch = (span: Span, depth: number): ReadonlyArray<string> => [
    `${"  ".repeat(depth)}${format(span)}`,
    ...spans
      .filter(({ parentSpanId }) => parentSpanId === span.spanId)
      .toSorted(inOrder)
      .flatMap((child) => branch(child, depth + 1))
  ]
  return spans
    .filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId))
    .toSorted(inOrder)
    .flatMap((root) => branch(root, 0))
}

const recording = new URL("../../../examples/audio/harbour-minute.mp3", import.meta.url)

const startHost = async () => {
  const content = await readFile(recording)
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "audio/mpeg" }).end(content)
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/harbour.mp3`,
    [Symbol.asyncDispose]: async () => void server.close()
  }
}

const submit = (server: ServerProcess, body: object, headers: Readonly<Record<string, string>>) =>
  server.json("/v1/transcribe", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

/** Whether a span is a request, an attempt, a webhook, or the operation that creates a job. */
const isTold = ({ attributes, name }: Span): boolean =>
  name === "Submissions.submit" ||
  "http.request.method" in attributes ||
  "verbatim.job.kind" in attributes

const detailsOf = ({ attributes }: Span): string =>
  ["verbatim.job.attempt", "http.response.status_code"]
    .filter((name) => name in attributes)
    .map((name) => ` ${name.split(".").at(-1)}=${attributes[name]}`)
    .join("")

/** The trace that the sender of a request continues. */
const traceId = "0af7651916cd43dd8448eb211c80319c"
const parentId = "b7ad6b7169203331"

/** Runs two jobs, each on two processes. The sender of the second job requests no trace. */
const runJobs = async () => {
  await using directory = await dataDirectory()
  await using collector = await startCollector()
  await using receiver = await startReceiver()
  await using models = await startModels()
  await using host = await startHost()
  const settings: Settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    VERBATIM_TRANSCRIBER: "openai",
    VERBATIM_SUMMARIZER: "openai",
    VERBATIM_OPENAI_BASE_URL: models.url
  }
  const start = (role: string) =>
    ServerProcess.start(directory.path, { ...settings, VERBATIM_ROLES: role })
  await using http = await start("http")
  await using worker = await start("worker")
  const wish = { url: host.url, callback_url: receiver.url, summary: "brief" }
  const traced = { traceparent: `00-${traceId}-${parentId}-01` }
  const untraced = { traceparent: `00-${"1".repeat(32)}-${parentId}-00` }
  const wanted = await submit(http, wish, traced)
  const unwanted = await submit(http, wish, untraced)
  for (const { id = "" } of [wanted, unwanted]) {
    await http.until(id, ({ webhook_status }) => webhook_status === "DELIVERED")
  }
  await http.request("/health/ready")
  assert.strictEqual(await http.end("SIGTERM"), 0)
  assert.strictEqual(await worker.end("SIGTERM"), 0)
  const roles = new Map([
    [http.child.pid, "http"],
    [worker.child.pid, "worker"]
  ])
  const roleOf = ({ service }: Span) => roles.get(Number(service["process.pid"]))
  return { spans: collector.spans(), roleOf, wanted, unwanted, arrived: receiver.arrived }
}

describe("a trace", () => {
  it("shows a job as one tree that spans two processes", async () => {
    const { arrived, roleOf, spans, unwanted, wanted } = await runJobs()
    const ofJob = spans.filter((span) => span.traceId === traceId)
    const tree = toTree(ofJob, isTold, (span) => `${span.name} (${roleOf(span)})${detailsOf(span)}`)
    assert.deepStrictEqual(tree, [
      "POST /v1/transcribe (http) status_code=200",
      "  Submissions.submit (http)",
      "    Fetch (worker) attempt=1",
      "    Transcribe (worker) attempt=1",
      "    Summarize (worker) attempt=1",
      "    Deliver (worker) attempt=1",
      "      WebhookSender.post (worker) status_code=200"
    ])
    const root = ofJob.find(({ name }) => name === "POST /v1/transcribe")
    assert.strictEqual(root?.parentSpanId, parentId)
    const attemptsOf = ({ id }: Readonly<Record<string, string>>) =>
      spans.filter(
        ({ attributes }) =>
          attributes["verbatim.job.id"] === id && "verbatim.job.kind" in attributes
      )
    assert.lengthOf(attemptsOf(wanted), 4)
    assert.lengthOf(attemptsOf(unwanted), 0)
    // The worker has looked for work, and its health was checked, but neither created a root span.
    assert.isTrue(spans.every((span) => roleOf(span) === "http" || span.traceId === traceId))
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined)
    assert.deepStrictEqual([...new Set(roots.map(({ name }) => name))], ["GET /v1/status/:id"])
    const operations = spans.flatMap(({ attributes }) => attributes["gen_ai.operation.name"] ?? [])
    assert.deepStrictEqual(new Set(operations), new Set(["transcription", "chat"]))
    // The receiver gets no trace headers.
    const sent = arrived.flatMap(({ headers }) => Object.keys(headers))
    assert.isFalse(sent.some((name) => /^(?:trace|b3|x-b3|x-request)/.test(name)))
  })

  it("is exported to the operator's collector, with metrics and logs", async () => {
    await using directory = await dataDirectory()
    await using collector = await startCollector()
    await using server = await ServerProcess.start(directory.path, {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=for%20us,other=x",
      OTEL_SERVICE_NAME: "speech",
      OTEL_RESOURCE_ATTRIBUTES: "team=harbour",
      VERBATIM_ROLES: "http"
    })
    assert.strictEqual((await server.request("/v1/presets")).status, 200)
    const post = (path: string) =>
      server.json(
        path,
        {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ model: "any/model", input: "Hello" })
        },
        managementKey
      )
    await post("/v1/presets/quay-notes/responses")
    await post("/v1/presets/quay-notes/resolve")
    assert.strictEqual(await server.end("SIGTERM"), 0)
    const [traces] = collector.of("/v1/traces")
    assert.deepInclude(traces?.headers, {
      "content-type": "application/x-protobuf",
      "api-key": "for us",
      other: "x"
    })
    for (const text of ["GET /v1/presets", "speech", "harbour", "gen_ai.prompt.name"]) {
      assert.isTrue(traces?.body.includes(text), text)
    }
    // No client has read the metrics page, so the export itself refreshed the gauge of pending
    // work.
    const last = collector.of("/v1/metrics").at(-1)
    assert.isTrue(last?.body.includes("verbatim_queue_up"))
    assert.isTrue(last?.body.includes("verbatim_backlog_tasks"))
    const logs = collector.of("/v1/logs")
    assert.isTrue(logs.some(({ body }) => body.includes("GET /v1/presets 200")))
  })
})
