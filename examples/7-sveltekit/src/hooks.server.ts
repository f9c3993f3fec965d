/** Verbatim in the server hook of SvelteKit: what is ours never reaches the routes. */
import { open } from "@verbatim/embed"
import { authenticate, database, media, transcribe } from "../../hosts/host.ts"

/** The part of what SvelteKit gives to a hook that is used. */
interface Visit<Event extends { readonly url: URL; readonly request: Request }> {
  readonly event: Event
  readonly resolve: (event: Event) => Promise<Response> | Response
}

/** Opened with the server. */
export const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

// Its server waits for nobody else: what is open here would keep the process alive.
process.once("sveltekit:shutdown", verbatim.close)

/** The hook, by the name that SvelteKit looks for. */
export const handle = <Event extends { readonly url: URL; readonly request: Request }>({
  event,
  resolve
}: Visit<Event>) =>
  /^\/api\/verbatim(?:\/|$)/.test(event.url.pathname)
    ? verbatim.fetch(event.request)
    : resolve(event)
