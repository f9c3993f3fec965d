/** Tests that in-process calls do not block the host's event loop. */
import { assert, describe, it } from "vitest"
import { openFor } from "./Opened.ts"

describe("a host", () => {
  for (const [name, run] of Object.entries({
    "made one after the other": async (call: () => Promise<unknown>) => {
      for (let count = 0; count < 320; count++) await call()
    },
    "made concurrently": (call: () => Promise<unknown>) =>
      Promise.all(Array.from({ length: 320 }, () => call()))
  })) {
    it(`can use the event loop between calls ${name}`, async () => {
      const verbatim = await openFor()
      await verbatim.presets.createFromResponses("notes", {})
      let isDone = false
      let turns = 0
      const count = () => {
        turns += 1
        if (!isDone) setImmediate(count)
      }
      setImmediate(count)
      await run(() => verbatim.presets.get("notes"))
      isDone = true
      assert.isAtLeast(turns, 19)
    })
  }
})
