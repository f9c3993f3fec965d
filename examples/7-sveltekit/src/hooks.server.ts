/**
 * Mounts Verbatim in SvelteKit's server hook, so that requests for Verbatim never reach SvelteKit's
 * routes.
 */
import { open } from "@verbatim/embed"
import { authenticate, database, media, transcribe } from "../../hosts/host.ts"

/** The part of the hook's argument that this example uses. */
interface Visit<Event extends { readonly url: URL; readonly request: Request }> {
  readonly event: Event
  readonly resolve: (event: Event) => Promise<Response> | Response
}

/** The instance, opened when the server starts. */
export const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

// An open Verbatim keeps the process alive, and SvelteKit's server does not close it.
process.once("sveltekit:shutdown", verbatim.close)

/** The hook, with the name that SvelteKit expects. */
export const handle = <Event extends { readonly url: URL; readonly request: Request }>({
  event,
  resolve
}: Visit<Event>) =>
  /^\/api\/verbatim(?:\/|$)/.test(event.url.pathname)
    ? verbatim.fetch(event.request)
    : resolve(event)
