/** Mounts Verbatim at a path in a `node:http` server. */
import { createServer } from "node:http"
import { open } from "@verbatim/embed"
import { announce, authenticate, database, media, port, transcribe } from "../hosts/host.ts"

const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

const pages = new Map([
  ["/", { status: 200, text: "the host" }],
  ["/boom", { status: 500, text: "the host's own failure" }]
])
const missing = { status: 404, text: "the host has no such page" }

const server = createServer((request, response) =>
  // This callback handles all other paths.
  verbatim.handler(request, response, () => {
    const { status, text } = pages.get(request.url ?? "") ?? missing
    response.writeHead(status).end(text)
  })
)

announce(server.listen(port, "127.0.0.1"), verbatim)
