/** One for the process: while it develops, Next loads modules again and again. */
import { authenticate, media, transcribe } from "../hosts/host.ts"
import { open } from "../hosts/open.ts"

declare global {
  var opened: ReturnType<typeof open> | undefined
}

globalThis.opened ??= open({ media, transcribe, authenticate, prefix: "/api/verbatim" })

/** Opened with the first request. */
export const verbatim = globalThis.opened
