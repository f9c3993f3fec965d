/**
 * Runs a scripted server on 127.0.0.1 that records the fields and the file of each request, and
 * responds with the given bytes. Large files are not stored.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect, type Scope } from "effect"

/** A request, as the server received it. */
export interface ReceivedRequest {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  /**
   * The whole body as latin1, so that offsets count bytes. Empty if the server only counts bytes.
   */
  readonly body: string
  readonly byteLength: number
}

/** A response that the test has scripted. */
export interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Returns the response to the n-th request, unless it writes the response itself. */
export type Script = (
  received: ReceivedRequest,
  index: number,
  response: ServerResponse
) => Answer | undefined

/** A running server, and the requests that it has received. */
export interface ScriptedServer {
  readonly url: string
  readonly received: ReadonlyArray<ReceivedRequest>
}

/** Responds with JSON and status 200. */
export const respondWith = (json: unknown): Answer => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(json)
})

/**
 * Starts a server that stops when the scope closes. Tests can inspect bodies as they arrive instead
 * of storing them.
 */
export const serve = (
  script: Script,
  {
    keeps = true,
    look = () => undefined
  }: { readonly keeps?: boolean; readonly look?: (byteLength: number) => void } = {}
): Effect.Effect<ScriptedServer, never, Scope.Scope> => {
  const received: Array<ReceivedRequest> = []
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Array<Buffer> = []
    let byteLength = 0
    request.on("error", () => undefined)
    request.on("data", (chunk: Buffer) => {
      byteLength += chunk.byteLength
      look(byteLength)
      if (keeps) chunks.push(chunk)
    })
    request.on("end", () => {
      const one = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("latin1"),
        byteLength
      }
      const answer = script(one, received.push(one) - 1, response)
      if (answer === undefined) return
      response.writeHead(answer.status ?? 200, answer.headers)
      response.end(answer.body)
    })
  }
  return Effect.acquireRelease(
    Effect.callback<{ server: ReturnType<typeof createServer>; url: string }>((resume) => {
      const server = createServer(answer)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = address !== null && typeof address === "object" ? address.port : 0
        resume(Effect.succeed({ server, url: `http://127.0.0.1:${port}` }))
      })
    }),
    ({ server }) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(Effect.map(({ url }) => ({ url, received })))
}

/**
 * Splits a form into its parts, in order. Each part has a name and content; the file also has
 * headers.
 */
const partsOf = ({
  body,
  headers
}: ReceivedRequest): ReadonlyArray<{ readonly head: string; readonly content: string }> => {
  const boundary = /boundary=(.+)$/.exec(headers["content-type"] ?? "")?.[1] ?? ""
  const [preamble, ...rest] = `\r\n${body}`.split(`\r\n--${boundary}`)
  const last = rest.pop()
  if (preamble !== "" || last !== "--\r\n") throw new Error(`no form: ${preamble} … ${last}`)
  return rest.map((part) => {
    const end = part.indexOf("\r\n\r\n")
    return { head: part.slice(2, end), content: part.slice(end + 4) }
  })
}

/** Returns the text fields of a form as `name=value`. */
export const fieldsOf = (received: ReceivedRequest): ReadonlyArray<string> =>
  partsOf(received).flatMap(({ content, head }) => {
    const name = /^Content-Disposition: form-data; name="([^"]+)"$/.exec(head)?.[1]
    return name === undefined ? [] : [`${name}=${Buffer.from(content, "latin1").toString()}`]
  })

/** Returns the file from a form. */
export const fileOf = (
  received: ReceivedRequest
): { readonly head: string; readonly bytes: Buffer } => {
  const found = partsOf(received).find(({ head }) => head.includes("filename="))
  if (found === undefined) throw new Error("no file")
  return { head: found.head, bytes: Buffer.from(found.content, "latin1") }
}
