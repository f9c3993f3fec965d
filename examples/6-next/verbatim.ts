/** One for the process: while it develops, Next loads modules again and again. */
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

/** Opened with the first request. */
export const verbatim = globalThis.opened
