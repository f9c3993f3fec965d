import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { Transcriber } from "@verbatim/core/ports"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Context, Effect, Layer } from "effect"
import { low, silence, workshop } from "./Workshop.ts"

/** A sound in which the small whisper hears words. */
const parts = Layer.effectContext(
  Effect.gen(function* () {
    const { record, transcriber } = yield* workshop()
    const audio = yield* record(silence(1), low(2), silence(3), low(2))
    const speech = { audio, language: "en" as const, text: "good morning everyone" }
    return Context.make(Transcriber, transcriber).pipe(
      Context.add(TranscriberContract.Speech, speech)
    )
  })
)

TranscriberContract.suite("whisper", parts.pipe(Layer.provideMerge(nodeFileSystem)))
