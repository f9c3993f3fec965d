/** A disk that takes nothing more; Linux has one. */
import { open } from "node:fs/promises"
import { Effect } from "effect"

/** A file on it, open for writing until the scope closes. */
export const fullDisk = Effect.acquireRelease(
  Effect.promise(() => open("/dev/full", "w")),
  (handle) => Effect.promise(() => handle.close())
)
