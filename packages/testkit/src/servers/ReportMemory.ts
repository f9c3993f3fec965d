/** Loaded before a program: reports its memory to its parent on request. */

import { isMainThread } from "node:worker_threads"
import { bytesInUse } from "./ChildMemory.ts"

// A program's own messages to its parent have another form.
if (isMainThread) {
  process.on("message", (message) => {
    if (message === "memory?") process.send?.({ bytesInUse: bytesInUse() })
  })
  // Listening alone must not keep the program alive.
  process.channel?.unref()
}
