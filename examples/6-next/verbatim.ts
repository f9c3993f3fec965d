/** One instance per process: in development Next reloads modules. */
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

/** Opened at the first request. */
export const verbatim = globalThis.opened
