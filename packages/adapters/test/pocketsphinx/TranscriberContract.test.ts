import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { layer } from "@verbatim/adapters/pocketsphinx"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Effect, Layer } from "effect"
import { describe } from "vitest"
import { decodedClip, letter } from "./Clips.ts"
import { cacheDirectory, recogniser } from "./Recogniser.ts"

const speech = Layer.effect(
  TranscriberContract.Speech,
  Effect.map(decodedClip({ clip: "letter.wav" }), (audio) => ({
    audio,
    text: letter,
    language: "en" as const,
    // The recogniser treats all speech as English.
    detected: "en",
    unsupported: "de" as const
  }))
)

describe.skipIf(recogniser === undefined)("pocketsphinx", () => {
  TranscriberContract.suite(
    "pocketsphinx",
    Layer.mergeAll(
      layer({ cacheDirectory, installs: false, report: () => Effect.void }),
      speech
    ).pipe(Layer.provideMerge(nodeFileSystem))
  )
})
