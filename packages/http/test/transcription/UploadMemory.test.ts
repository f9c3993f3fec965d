import { assert, layer } from "@effect/vitest"
import { bytesInUse } from "@verbatim/testkit/servers"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { mebibyte, sendFile } from "../Sockets.ts"

// In a file of its own: other tests would leave memory behind for this one to hide in.
layer(Deployment.layer(), { excludeTestServices: true })("memory", (it) => {
  it.effect("holds less than 16 MB of an upload of 100 MB when all but its end is sent", () =>
    Effect.gen(function* () {
      const { port } = yield* Deployment.Deployment
      // The first one loads and compiles the code.
      yield* sendFile(port, "a.mp3", 1)
      const before = bytesInUse()
      let held = 0
      const answer = yield* sendFile(port, "a.mp3", 100, () => {
        held = bytesInUse()
      })
      assert.strictEqual(answer.status, 200, answer.text)
      assert.isBelow((held - before) / mebibyte, 16)
    })
  )
})
