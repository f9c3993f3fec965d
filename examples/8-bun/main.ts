/** Mounts Verbatim in a Bun server: `bun --conditions=@verbatim/source examples/8-bun/main.ts`. */
import { open } from "@verbatim/embed"
import { authenticate, database, media, port, stopping, transcribe } from "../hosts/host.ts"

interface Served {
  readonly port: number
  readonly stop: () => Promise<void>
}

/** The part of Bun that this example uses. */
declare const Bun: {
  readonly serve: (options: {
    readonly port: number
    readonly hostname: string
    /** The maximum size of a request body, in bytes. */
    readonly maxRequestBodySize: number
    readonly routes: Readonly<Record<string, (request: Request) => Promise<Response> | Response>>
    readonly fetch: (request: Request) => Promise<Response> | Response
  }) => Served
}

const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

const server = Bun.serve({
  port,
  hostname: "127.0.0.1",
  maxRequestBodySize: 2 ** 30,
  routes: {
    "/": () => new Response("the host"),
    "/boom": () => new Response("the host's own failure", { status: 500 }),
    "/api/verbatim": verbatim.fetch,
    "/api/verbatim/*": verbatim.fetch
  },
  fetch: () => new Response("the host has no such page", { status: 404 })
})

console.log(`http://127.0.0.1:${server.port}`)
stopping(verbatim, () => server.stop())
