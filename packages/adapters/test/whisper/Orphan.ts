/** Recognises twenty minutes of audio, so that a test can kill the process while it works. */
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { Effect } from "effect"
import { low, makeWorkshop } from "./Workshop.ts"

const listening = Effect.gen(function* () {
  const { recognise, record } = yield* makeWorkshop()
  yield* recognise(yield* record(low(1_200)), { isDiarized: true })
})

await Effect.runPromise(listening.pipe(Effect.scoped, Effect.provide(nodeFileSystem)))
