import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { Transcriber } from "@verbatim/core/ports"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Context, Effect, Layer } from "effect"
import { low, makeWorkshop, silence } from "./Workshop.ts"

/** Makes a sound from which the small Whisper model recognises words and a language. */
const parts = (detected: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const { record, transcriber } = yield* makeWorkshop({ detected })
      const speech = {
        audio: yield* record(silence(1), low(2), silence(3), low(2)),
        text: "good morning everyone",
        language: "en" as const,
        detected,
        unsupported: "zh" as const
      }
      return Context.make(Transcriber, transcriber).pipe(
        Context.add(TranscriberContract.Speech, speech)
      )
    })
  ).pipe(Layer.provideMerge(nodeFileSystem))

TranscriberContract.suite("whisper", parts("de"))
TranscriberContract.suite("whisper, which hears Hawaiian", parts("haw"))
