/** Loaded before a program: tells its parent how much memory it holds, as often as it is asked. */

import { isMainThread } from "node:worker_threads"
import { bytesInUse } from "./ChildMemory.ts"

// A program that itself speaks with its parent does so in other words.
if (isMainThread) {
  process.on("message", (message) => {
    if (message === "memory?") process.send?.({ bytesInUse: bytesInUse() })
  })
  // Listening alone keeps no program alive.
  process.channel?.unref()
}
