/**
 * Serves a model directory over HTTP, with range requests and with faults that a test can switch
 * on.
 */
import { Effect } from "effect"
import { serve as serveScript } from "../openai/ScriptedServer.ts"

/** Runs the server until the scope closes. A test can change the server's behaviour at any time. */
export const serve = Effect.fnUntraced(function* (files: ReadonlyMap<string, Uint8Array>) {
  const behaviour = {
    files: new Map(files),
    /**
     * For each of the next responses, the number of body bytes after which the connection is cut.
     */
    cuts: [] as Array<number>,
    /** The statuses of the next responses. A status of 0 serves the file. */
    statuses: [] as Array<number>,
    /** Whether the server supports range requests. */
    isRanged: true,
    /**
     * Whether the client has read this much of a file. A broken connection would lose unread bytes.
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

/** A running server, with the requests received so far. */
export type ModelServer = Effect.Success<ReturnType<typeof serve>>
