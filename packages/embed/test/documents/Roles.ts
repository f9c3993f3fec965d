/** One process for requests, and workers, sharing one database. */
import { open, type Transcribe } from "@verbatim/embed"

/**
 * Options that must be the same in all processes. The media store is a shared folder, or a bucket.
 */
interface Shared {
  readonly database: string
  readonly media: string
}

/**
 * Opens Verbatim in a process that accepts recordings and waits for transcripts, without an engine.
 */
export const openWeb = (shared: Shared) => open({ ...shared, roles: ["http"] })

/** Opens Verbatim in a worker process; start one such process per machine. */
export const openWorker = (shared: Shared, transcribe: Transcribe) =>
  open({ ...shared, roles: ["worker"], transcribe, concurrency: { transcribe: 2 } })
