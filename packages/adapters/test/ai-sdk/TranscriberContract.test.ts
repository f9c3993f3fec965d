import { APICallError } from "@ai-sdk/provider"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import * as AiSdk from "@verbatim/adapters/ai-sdk"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Layer } from "effect"
import { sentence, speech } from "../pocketsphinx/Clips.ts"
import { type Answer, answers, type Call, makeModel } from "./Models.ts"

/** Returns the clip's words only if the clip was sent. */
const listening = async ({
  audio,
  providerOptions
}: Pick<Call, "audio" | "providerOptions">): Promise<Answer> => {
  const language = providerOptions?.openai?.language
  if (language === "cy") {
    throw new APICallError({
      message: "Language 'cy' is not supported.",
      url: "http://127.0.0.1/v1",
      requestBodyValues: {},
      statusCode: 400,
      responseBody: '{"error":{"message":"Language \'cy\' is not supported."}}'
    })
  }
  const samples = typeof audio === "string" ? new Uint8Array() : audio.subarray(44)
  const text = samples.some((byte) => byte !== 0) ? sentence : ""
  const texts = text.match(/\S+/g) ?? []
  const each = samples.byteLength / 32_000 / Math.max(texts.length, 1)
  return answers({
    text,
    language: text === "" ? undefined : "en",
    segments: texts.map((one, index) => ({
      text: one,
      startSecond: index * each,
      endSecond: (index + 1) * each
    }))
  })
}

const over = (model: AiSdk.TranscriptionModel) =>
  AiSdk.transcriber({ model: model }).pipe(
    Layer.merge(speech()),
    Layer.provideMerge(nodeFileSystem)
  )

TranscriberContract.suite(
  "a model of the AI SDK that returns words",
  over(makeModel(listening, "openai.transcription"))
)
