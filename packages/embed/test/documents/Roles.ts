/** One process that answers, and others that work, over one database. */
import { open, type Recognise } from "@verbatim/embed"

/** What both must say alike. A folder is shared, or it is a bucket. */
interface Shared {
  readonly database: string
  readonly media: string
}

/** Accepts recordings and waits for them. It has no engine, and needs none. */
export const openWeb = (shared: Shared) => open({ ...shared, roles: ["http"] })

/** Does the work. Start as many as there are machines. */
export const openWorker = (shared: Shared, transcribe: Recognise) =>
  open({ ...shared, roles: ["worker"], transcribe, concurrency: { transcribe: 2 } })
