import { assert, layer } from "@effect/vitest"
import { bytesInUse } from "@verbatim/testkit/servers"
import { Duration, Effect, Fiber, Schedule } from "effect"
import * as Deployment from "../Deployment.ts"
import { mebibyte, sendFile } from "../Sockets.ts"

// In a file of its own: other tests would leave memory behind for this one to hide in.
layer(Deployment.layer(), { excludeTestServices: true })("memory", (it) => {
  it.effect("moves by less than 16 MB while 100 MB are uploaded", () =>
    Effect.gen(function* () {
      const { port } = yield* Deployment.Deployment
      // The first one loads and compiles the code.
      yield* sendFile(port, "a.mp3", 1)
      const before = bytesInUse()
      let peak = before
      const watching = yield* Effect.sync(() => {
        peak = Math.max(peak, bytesInUse())
      }).pipe(Effect.repeat(Schedule.spaced(Duration.millis(10))), Effect.forkChild)
      const answer = yield* sendFile(port, "a.mp3", 100)
      yield* Fiber.interrupt(watching)
      assert.strictEqual(answer.status, 200)
      assert.isBelow((peak - before) / mebibyte, 16)
    })
  )
})
