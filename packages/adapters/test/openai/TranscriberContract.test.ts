import { NodeCrypto } from "@effect/platform-node"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { transcriber } from "@verbatim/adapters/openai"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Effect, Layer, Option } from "effect"
import { clip, sentence } from "./Clip.ts"
import { fileOf, says, serve } from "./ScriptedServer.ts"

/** Hears the clip only when the clip is sent: the request decides the answer. */
const listening = serve((asked) => {
  const samples = fileOf(asked).bytes.subarray(44)
  const words = samples.some((byte) => byte !== 0) ? sentence.split(" ") : []
  const seconds = samples.byteLength / 32_000
  const each = seconds / Math.max(words.length, 1)
  return says({
    task: "transcribe",
    language: "english",
    duration: seconds,
    text: words.join(" "),
    segments: words.map((word, index) => ({
      id: index,
      start: index * each,
      end: (index + 1) * each,
      text: ` ${word}`
    })),
    words: words.map((word, index) => ({ word, start: index * each, end: (index + 1) * each }))
  })
})

const speech = Layer.effect(
  TranscriberContract.Speech,
  Effect.map(clip, (audio) => ({ audio, language: "en" as const, text: sentence }))
)

const scripted = Layer.unwrap(
  Effect.map(listening, ({ url }) =>
    transcriber({ url, key: Option.none(), model: "whisper-1", dialect: "openai" })
  )
).pipe(Layer.provide(NodeCrypto.layerSecureRandom))

TranscriberContract.suite(
  "openai",
  Layer.mergeAll(scripted, speech).pipe(Layer.provideMerge(nodeFileSystem))
)
