import { assert, layer } from "@effect/vitest"
import { bytesInUse } from "@verbatim/testkit/servers"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { mebibyte, sendFile } from "../Sockets.ts"

// This test has its own file, because memory that other tests hold would hide leaks.
layer(Deployment.layer(), { excludeTestServices: true })("memory", (it) => {
  it.effect("grows by less than 16 MB while an upload of 100 MB waits for its last bytes", () =>
    Effect.gen(function* () {
      const { port } = yield* Deployment.Deployment
      // The first upload is not measured, because it loads and compiles the code.
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
