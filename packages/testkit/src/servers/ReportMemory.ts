/**
 * Reports a program's memory to the parent process on request. This module is loaded before the
 * program.
 */

import { isMainThread } from "node:worker_threads"
import { bytesInUse } from "./ChildMemory.ts"

// The messages that a program itself sends to its parent have another form.
if (isMainThread) {
  process.on("message", (message) => {
    if (message === "memory?") process.send?.({ bytesInUse: bytesInUse() })
  })
  // Listening must not keep the program alive.
  process.channel?.unref()
}
