/** Verbatim in SvelteKit's server hook: its requests never reach the routes. */
import { open } from "@verbatim/embed"
import { authenticate, database, media, transcribe } from "../../hosts/host.ts"

/** The used part of the hook's argument. */
interface Visit<Event extends { readonly url: URL; readonly request: Request }> {
  readonly event: Event
  readonly resolve: (event: Event) => Promise<Response> | Response
}

/** Verbatim is opened when the server starts. */
export const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

// SvelteKit's server does not close Verbatim, which would keep the process alive.
process.once("sveltekit:shutdown", verbatim.close)

/** The hook, with the name that SvelteKit expects. */
export const handle = <Event extends { readonly url: URL; readonly request: Request }>({
  event,
  resolve
}: Visit<Event>) =>
  /^\/api\/verbatim(?:\/|$)/.test(event.url.pathname)
    ? verbatim.fetch(event.request)
    : resolve(event)
