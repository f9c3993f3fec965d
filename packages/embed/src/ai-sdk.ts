/** Transcription models of the AI SDK as engines. Needs `@ai-sdk/provider` for its types. */
import { type TranscriptionModel, transcriber } from "@verbatim/adapters/ai-sdk"
import { toEngine } from "./Engine.ts"
import type { Engine } from "./Options.ts"
import { isObject, must, positive, validateEngineOptions } from "./open/validateOptions.ts"

export type { TranscriptionModel }

/** How a model is asked. */
export interface AiSdkOptions {
  /** Sent along by models that speak HTTP. */
  readonly headers?: Readonly<Record<string, string>>
  /** The largest file of a call. Speakers are told apart within one file only. */
  readonly pieceBytesMax?: number
  /** Pieces of one recording that are heard at the same time. Each is held in memory. */
  readonly pieceConcurrency?: number
}

const rules = {
  headers: must(
    "an object of texts",
    (value) => isObject(value) && Object.values(value).every((each) => typeof each === "string")
  ),
  pieceBytesMax: positive,
  pieceConcurrency: positive
}

/** Recognition by a model such as `openai.transcription("whisper-1")`. Throws `InvalidOptions`. */
export const aiSdk = (model: TranscriptionModel, options: AiSdkOptions = {}): Engine => {
  validateEngineOptions("aiSdk", { given: options, known: rules })
  return toEngine(transcriber({ ...options, model }))
}
