/**
 * Serves the console for its developers: `npm run console -- http://127.0.0.1:8787 8788`. The page
 * is built again and reloaded after each change of its sources; all other requests go to the
 * running server at that URL.
 */
import { rmSync, watch } from "node:fs"
import { mkdtemp, readFile } from "node:fs/promises"
import { createServer, request as httpRequest, type ServerResponse } from "node:http"
import { request as httpsRequest } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { pipeline } from "node:stream"
import { fileURLToPath } from "node:url"
import { bundle } from "./Bundle.ts"

const target = new URL(process.argv[2] ?? "http://127.0.0.1:8787")
const port = Number(process.argv[3] ?? 8788)
const prefix = "/console/"
const reloadPath = `${prefix}reload`
const reloader = `<script>
      new EventSource("${reloadPath}").onmessage = () => location.reload()
    </script>`

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml"
}

/** Editors write a file in several steps. */
const settleMillis = 100

const folder = await mkdtemp(join(tmpdir(), "verbatim-console-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit())

const listeners = new Set<ServerResponse>()
let files = new Set(await bundle(folder))
let timer: NodeJS.Timeout | undefined
let built = Promise.resolve()

const rebuild = async (): Promise<void> => {
  try {
    files = new Set(await bundle(folder))
    for (const listener of listeners) listener.write("data: built\n\n")
  } catch (fault) {
    console.error(String(fault))
  }
}

watch(fileURLToPath(new URL("../page/", import.meta.url)), { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(() => {
    built = built.then(rebuild)
  }, settleMillis)
})

const sendFile = async (response: ServerResponse, name: string): Promise<void> => {
  const bytes = await readFile(join(folder, name))
  const isDocument = name === "index.html"
  response.writeHead(200, { "content-type": types[extname(name)], "cache-control": "no-store" })
  response.end(isDocument ? `${bytes}`.replace("</head>", `${reloader}\n  </head>`) : bytes)
}

const server = createServer((request, response) => {
  const path = request.url ?? ""
  const name = path === prefix ? "index.html" : path.slice(prefix.length)
  if (path.startsWith(prefix) && files.has(name)) {
    sendFile(response, name).catch(() => response.writeHead(404).end())
    return
  }
  if (path === reloadPath) {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
    listeners.add(response)
    response.on("close", () => listeners.delete(response))
    return
  }
  const send = target.protocol === "https:" ? httpsRequest : httpRequest
  const { headers, method } = request
  // The path is sent unchanged: as a URL, a path such as //example.com/ would name another server.
  const sent = send(target, { path, method, headers: { ...headers, host: target.host } })
  sent.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    // Unlike `pipe`, this breaks off the response if the server crashes.
    pipeline(answer, response, () => undefined)
  })
  sent.on("error", ({ message }) => {
    if (response.headersSent) return
    response.writeHead(502).end(`${target.origin} does not answer: ${message}`)
  })
  response.on("close", () => sent.destroy())
  request.pipe(sent)
})

server.listen(port, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  console.log(`http://127.0.0.1:${port}${prefix}, with ${target.origin}`)
})
