/** There is one instance per process, because Next reloads modules in development. */
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

/** Verbatim is opened at the first request. */
export const verbatim = globalThis.opened
