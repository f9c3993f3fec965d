/**
 * Starts a local telemetry collector that records everything, and can refuse or ignore requests.
 */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { buffer } from "node:stream/consumers"

/** An attribute in OTLP. */
interface KeyValue {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

/** A span in OTLP, with its service. */
export interface Span {
  readonly service: Readonly<Record<string, unknown>>
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: { readonly code: number; readonly message?: string }
}

interface Batch {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const toValue = ({ value }: KeyValue): unknown => {
  const [found] = Object.values(value)
  return found
}

const toRecord = (attributes: ReadonlyArray<KeyValue>) =>
  Object.fromEntries(attributes.map((each) => [each.key, toValue(each)]))

interface TraceData {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: ReadonlyArray<KeyValue> }
    readonly scopeSpans: ReadonlyArray<{
      readonly spans: ReadonlyArray<
        Omit<Span, "attributes" | "service"> & { readonly attributes: ReadonlyArray<KeyValue> }
      >
    }>
  }>
}

const spansIn = ({ body }: Batch): ReadonlyArray<Span> => {
  const data: TraceData = JSON.parse(body.toString())
  return data.resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        service: toRecord(resource.attributes),
        attributes: toRecord(span.attributes)
      }))
  )
}

/** The status of the response, or `silence`, which makes the client time out. */
type Answer = number | "silence"

export const startCollector = async (first: Answer = 200) => {
  const batches: Array<Batch> = []
  const control = { answer: first }
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    if (body === undefined) return
    batches.push({ path: request.url ?? "", headers: request.headers, body })
    if (control.answer !== "silence") response.writeHead(control.answer).end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = address !== null && typeof address === "object" ? address.port : 0
  const of = (path: string) => batches.filter((batch) => batch.path === path)
  return {
    url: `http://127.0.0.1:${port}`,
    batches,
    control,
    of,
    /** All spans received as JSON. */
    spans: () => of("/v1/traces").flatMap(spansIn),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
