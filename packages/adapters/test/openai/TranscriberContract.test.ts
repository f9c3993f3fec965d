import { NodeCrypto } from "@effect/platform-node"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { transcriber } from "@verbatim/adapters/openai"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Effect, Layer, Option } from "effect"
import { sentence, speech } from "../pocketsphinx/Clips.ts"
import { type Answer, fieldsOf, fileOf, respondWith, serve } from "./ScriptedServer.ts"

/** The way in which a kind of server names languages and splits text. */
interface Manner {
  /** The server's name for the language that it recognised. */
  readonly language: string
  /** The code of the language that the server reports. */
  readonly detected: string
  /** Splits the text into segments, with the same spaces as Whisper's segments. */
  readonly cut: RegExp
  /** The server's error if it does not support the language. */
  readonly refusal: Answer
}

/** Returns the clip's words only if the request contains audio other than silence. */
const listening = ({ cut, language, refusal }: Manner) =>
  serve((received) => {
    if (fieldsOf(received).includes("language=cy")) return refusal
    const samples = fileOf(received).bytes.subarray(44)
    const text = samples.some((byte) => byte !== 0) ? ` ${sentence}` : ""
    const texts = text.match(cut) ?? []
    const seconds = samples.byteLength / 32_000
    const each = seconds / Math.max(texts.length, 1)
    return respondWith({
      task: "transcribe",
      language: fieldsOf(received).includes("language=en") ? "english" : language,
      duration: seconds,
      text,
      segments: texts.map((one, index) => ({
        id: index,
        start: index * each,
        end: (index + 1) * each,
        text: one
      }))
    })
  })

const scripted = (manner: Manner) =>
  Layer.unwrap(
    Effect.map(listening(manner), ({ url }) =>
      transcriber({ url, key: Option.none(), model: "whisper-1", dialect: "openai" })
    )
  ).pipe(
    Layer.provide(NodeCrypto.layerSecureRandom),
    Layer.merge(speech(manner)),
    Layer.provideMerge(nodeFileSystem)
  )

const words = / \S+/g
const refuses = (status: number, json: unknown): Answer => ({ ...respondWith(json), status })

const unsupported = refuses(400, {
  error: { message: "Language 'cy' is not supported.", code: "unsupported_language" }
})
const invalid = refuses(422, {
  detail: [{ loc: ["body", "language"], msg: "Input should be 'en'" }]
})

TranscriberContract.suite(
  "openai, which splits words and recognises Tamil",
  scripted({ language: "tamil", detected: "ta", cut: /.{1,3}/g, refusal: unsupported })
)
TranscriberContract.suite(
  "faster-whisper, which does not report the language",
  scripted({ language: "unknown", detected: "und", cut: words, refusal: invalid })
)
