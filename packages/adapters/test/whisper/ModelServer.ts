/**
 * Serves a folder of models over HTTP, with range requests and with faults that tests can turn on.
 */
import { Effect } from "effect"
import { serve as serveScript } from "../openai/ScriptedServer.ts"

/** Runs the server until the scope closes. Tests can change the server's behaviour at any time. */
export const serve = Effect.fnUntraced(function* (files: ReadonlyMap<string, Uint8Array>) {
  const behaviour = {
    files: new Map(files),
    /**
     * For each of the next responses, the number of bytes of its body after which the connection
     * breaks.
     */
    cuts: [] as Array<number>,
    /** The statuses of the next responses. 0 sends the file. */
    statuses: [] as Array<number>,
    /** Whether the server supports range requests. */
    isRanged: true,
    /**
     * Whether the client has read this much of the file. When a connection breaks, unread bytes are
     * lost.
     */
    hasArrived: (_length: number): boolean => true
  }
  const requests: Array<{ readonly path: string; readonly range: string | undefined }> = []
  const { url } = yield* serveScript(({ headers: { range }, path: whole }, _, response) => {
    const path = whole.replace(/^\/models\//, "")
    requests.push({ path, range })
    const status = behaviour.statuses.shift() ?? 0
    if (status > 0) return { status, body: "busy" }
    const content = behaviour.files.get(path)
    if (content === undefined) return { status: 404, body: "" }
    const from = behaviour.isRanged ? Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0) : 0
    if (from >= content.byteLength) return { status: 416, body: "" }
    const [body, last] = [content.subarray(from), content.byteLength - 1]
    const headers = {
      "content-length": `${body.byteLength}`,
      ...(from > 0 && { "content-range": `bytes ${from}-${last}/${content.byteLength}` })
    }
    const cut = behaviour.cuts.shift()
    if (cut === undefined) return { status: from > 0 ? 206 : 200, headers, body }
    response.writeHead(from > 0 ? 206 : 200, headers).write(body.subarray(0, cut))
    const timer = setInterval(() => behaviour.hasArrived(from + cut) && response.destroy(), 5)
    response.on("close", () => clearInterval(timer))
    return undefined
  })
  return Object.assign(behaviour, { requests, address: `${url}/models` })
})

/** A running server, and the requests that it has received. */
export type ModelServer = Effect.Success<ReturnType<typeof serve>>
