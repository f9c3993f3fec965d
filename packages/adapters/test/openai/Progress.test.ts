/** The engine tells how far it is, piece by piece. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { listen, recorded, tone } from "./Listening.ts"
import { says, serve } from "./ScriptedServer.ts"

describe("The progress of the openai engine", () => {
  it.live("grows with each piece that was heard, up to the whole", () =>
    Effect.gen(function* () {
      const server = yield* serve(() =>
        says({ task: "transcribe", language: "english", duration: 1, text: "", segments: [] })
      )
      const told: Array<number> = []
      yield* listen(server.url, {
        options: { uploadBytesMax: 1_000_000 },
        recognition: {
          audio: yield* recorded(tone(50)),
          onProgress: (fraction) => Effect.sync(() => void told.push(fraction))
        }
      })
      assert.isAbove(told.length, 1)
      assert.deepStrictEqual(told, [...new Set(told)].sort())
      assert.strictEqual(told.at(-1), 1)
    }).pipe(Effect.scoped)
  )
})
