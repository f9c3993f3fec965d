/** Mounts Verbatim in a Deno server. Start with `deno run -A --conditions=@verbatim/source`. */
import { open } from "@verbatim/embed"
import { authenticate, database, media, port, stopping, transcribe } from "../hosts/host.ts"

/** The part of Deno that this example uses. */
declare const Deno: {
  readonly serve: (
    options: {
      readonly port: number
      readonly hostname: string
      readonly onListen: (address: { readonly port: number }) => void
    },
    handle: (request: Request) => Promise<Response> | Response
  ) => { readonly shutdown: () => Promise<void> }
}

const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

const pages = new Map([
  ["/", () => new Response("the host")],
  ["/boom", () => new Response("the host's own failure", { status: 500 })]
])

const server = Deno.serve(
  { port, hostname: "127.0.0.1", onListen: (at) => console.log(`http://127.0.0.1:${at.port}`) },
  (request) => {
    const { pathname } = new URL(request.url)
    if (/^\/api\/verbatim(?:\/|$)/.test(pathname)) return verbatim.fetch(request)
    return pages.get(pathname)?.() ?? new Response("the host has no such page", { status: 404 })
  }
)

stopping(verbatim, () => server.shutdown())
