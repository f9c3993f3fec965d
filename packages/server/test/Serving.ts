/** Runs the whole server in this process, with in-memory stores, and opens sockets to it. */
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ConfigProvider, Duration, Effect, Layer, Record } from "effect"
import { HttpServer } from "effect/http"
import { configuration } from "#src/Configuration"
import { ListenerTimes } from "#src/Listener"
import { SequentialServer } from "#src/listener/SequentialServer"
import { http, preparedServices } from "#src/Server"

export const managementKey = "test-management-key-0123456789abcdef"
export const inferenceKey = "test-inference-key-0123456789abcdef"

export const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "verbatim-serving-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Runs a server on a free port, with the given settings. */
export const serving = (settings: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const configured = yield* configuration.parse(
        ConfigProvider.fromUnknown({
          VERBATIM_DATABASE_URL: "memory:",
          VERBATIM_DATA_DIR: yield* temporary,
          VERBATIM_PORT: "0",
          VERBATIM_BOOTSTRAP_MANAGEMENT_KEY: managementKey,
          VERBATIM_BOOTSTRAP_INFERENCE_KEY: inferenceKey,
          ...settings
        })
      )
      return Layer.provideMerge(http(configured), preparedServices(configured))
    })
  )

/** Replaces timeouts of the listener. The values are in milliseconds. */
export const listenFor = (millis: Readonly<Record<keyof ListenerTimes, number>>) =>
  Layer.succeed(ListenerTimes, Record.map(millis, Duration.millis))

/** Changes a database file that the server has open. */
export const onServedFile = <A, E, R>(
  use: (file: string) => Effect.Effect<A, E, R>,
  prepare: (file: string) => unknown = () => undefined
) =>
  Effect.gen(function* () {
    const file = join(yield* temporary, "verbatim.db")
    prepare(file)
    const server = serving({ VERBATIM_DATABASE_URL: `sqlite:${file}` })
    return yield* Effect.provide(use(file), server)
  }).pipe(Effect.scoped)

/** Limits for a bare listener. The timeouts are long unless a test shortens them. */
export const listenerLimits = {
  connections: 100,
  connectionsPerAddress: 100,
  textTimeout: 30_000,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 60_000,
  answerTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  originHeaders: () => ({}),
  onRefused: () => undefined
}

/** Starts a listener without our routes, on a free port. */
export const listening = (
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  {
    idleTimeout = 0,
    ...limits
  }: Partial<typeof listenerLimits> & { readonly idleTimeout?: number } = {}
) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = new SequentialServer({ ...listenerLimits, ...limits })
      server.setTimeout(idleTimeout).on("request", handle)
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return { server, port: (server.address() as AddressInfo).port }
    }),
    ({ server }) =>
      Effect.promise(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
  )

/** The port that the server listens on. */
export const port = Effect.map(HttpServer.HttpServer, ({ address }) =>
  address._tag === "UnixPathAddress" ? 0 : address.port
)

/** Opens a connection, and records the received bytes and whether it is closed. */
export const opened = Effect.flatMap(port, (port) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }).setNoDelay()
      const seen = { socket, text: "", isEnded: false, isClosed: false }
      socket.on("data", (piece) => {
        seen.text += piece
      })
      socket.on("error", () => undefined)
      socket.on("end", () => {
        seen.isEnded = true
        socket.end()
      })
      socket.on("close", () => {
        seen.isClosed = true
      })
      return seen
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )
)

/** Waits until a condition holds. If it never does, the test times out. */
export const until = (is: () => boolean) => Effect.repeat(Effect.sleep(10), { until: is })

/** A response read from a socket. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Splits received bytes into responses by their lengths. */
export const readAnswers = (text: string): ReadonlyArray<RawAnswer> => {
  const answers: Array<RawAnswer> = []
  for (let rest = text; rest !== ""; ) {
    const [head = "", ...others] = rest.split("\r\n\r\n")
    const [first = "", ...lines] = head.split("\r\n")
    const headers = Object.fromEntries(
      lines
        .map((line) => /^([^:]*):\s*(.*)$/.exec(line) ?? [])
        .map(([, name = "", value = ""]) => [name.toLowerCase(), value])
    )
    const length = Number(headers["content-length"])
    const after = others.join("\r\n\r\n")
    answers.push({ status: Number(first.split(" ")[1]), headers, body: after.slice(0, length) })
    rest = after.slice(length)
  }
  return answers
}

/** A request. By default, it is sent with an inference key. */
type Call = RequestInit & { readonly key?: string }

/** Sends a request and parses the response as JSON. */
export const call = (path: string, { key = inferenceKey, ...init }: Call = {}) =>
  Effect.flatMap(port, (port) =>
    Effect.promise(async () => {
      const headers = { authorization: `Bearer ${key}`, ...init.headers }
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers })
      const text = await answer.text()
      return {
        status: answer.status,
        retryAfter: answer.headers.get("retry-after"),
        json: text === "" ? undefined : JSON.parse(text)
      }
    })
  )

/** Stores a preset version. */
export const createPreset = (slug: string) =>
  call(`/v1/presets/${slug}/responses`, {
    key: managementKey,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"model":"m"}'
  })
