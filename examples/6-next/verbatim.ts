/** Opens one instance per process, even if Next reloads this module in development. */
import { open } from "@verbatim/embed"
import { authenticate, database, media, transcribe } from "../hosts/host.ts"

declare global {
  var opened: ReturnType<typeof open> | undefined
}

globalThis.opened ??= open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

/** The instance, opened when the first request loads this module. */
export const verbatim = globalThis.opened
