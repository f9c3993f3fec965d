/**
 * Reports a program's memory to its parent process on request. Node loads this module before the
 * program.
 */

import { isMainThread } from "node:worker_threads"
import { bytesInUse } from "./ChildProgram.ts"

// A program's own messages to its parent have a different format.
if (isMainThread) {
  process.on("message", (message) => {
    if (message === "memory?") process.send?.({ bytesInUse: bytesInUse() })
  })
  // The listener must not keep the program alive.
  process.channel?.unref()
}
