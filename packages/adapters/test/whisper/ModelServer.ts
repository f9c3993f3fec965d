/**
 * A directory of models over HTTP, as any web server offers one: with ranges, and with faults that
 * a test switches on.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect, type Scope } from "effect"

/** What it serves and how it misbehaves; a test changes it while it runs. */
interface Behaviour {
  readonly files: Map<string, Uint8Array>
  /** The next answers end after so many bytes of their body, when those have arrived. */
  readonly cuts: Array<number>
  /** Whether it knows ranges. */
  isRanged: boolean
  /** Whether a file has been read so far: a connection that breaks loses what was not. */
  hasArrived: (length: number) => boolean
}

/** A server, and what was asked of it. */
export interface ModelServer extends Behaviour {
  readonly address: string
  readonly asked: Array<{ readonly path: string; readonly range: string | undefined }>
}

const answer = (server: ModelServer, request: IncomingMessage, response: ServerResponse) => {
  const path = (request.url ?? "").replace(/^\/models\//, "")
  const { range } = request.headers
  server.asked.push({ path, range })
  const content = server.files.get(path)
  if (content === undefined) return response.writeHead(404).end()
  const from = server.isRanged ? Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0) : 0
  if (from >= content.byteLength) return response.writeHead(416).end()
  const body = content.subarray(from)
  const last = content.byteLength - 1
  response.writeHead(from > 0 ? 206 : 200, {
    "content-length": body.byteLength,
    ...(from > 0 && { "content-range": `bytes ${from}-${last}/${content.byteLength}` })
  })
  const cut = server.cuts.shift()
  if (cut === undefined) return response.end(body)
  response.write(body.subarray(0, cut))
  const timer = setInterval(() => server.hasArrived(from + cut) && response.destroy(), 5)
  return response.on("close", () => clearInterval(timer))
}

/** Serves until the scope closes. */
export const serve = (
  files: ReadonlyMap<string, Uint8Array>
): Effect.Effect<ModelServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly server: ModelServer; readonly close: () => void }>((resume) => {
        const behaviour: Behaviour = {
          files: new Map(files),
          cuts: [],
          isRanged: true,
          hasArrived: () => true
        }
        const http = createServer((request, response) => answer(server, request, response))
        const server: ModelServer = {
          ...behaviour,
          asked: [],
          get address() {
            const at = http.address()
            return `http://127.0.0.1:${typeof at === "object" ? at?.port : 0}/models`
          }
        }
        const close = () => {
          http.closeAllConnections()
          http.close()
        }
        http.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, close })))
      }),
      ({ close }) => Effect.sync(close)
    ),
    ({ server }) => server
  )
