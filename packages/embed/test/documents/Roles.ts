/** Runs one process for requests, and workers in other processes, on the same database. */
import { open, type Transcribe } from "@verbatim/embed"

/** Options that all processes must share. `media` is a shared folder or a bucket. */
interface Shared {
  readonly database: string
  readonly media: string
}

/**
 * Opens Verbatim, without an engine, in a process that accepts recordings and waits for
 * transcripts.
 */
export const openWeb = (shared: Shared) => open({ ...shared, roles: ["http"] })

/** Opens Verbatim in a worker process. Start one such process per machine. */
export const openWorker = (shared: Shared, transcribe: Transcribe) =>
  open({ ...shared, roles: ["worker"], transcribe, concurrency: { transcribe: 2 } })
