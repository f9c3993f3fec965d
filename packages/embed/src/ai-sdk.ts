/** Engines that use AI SDK transcription models. The types need `@ai-sdk/provider`. */
import { type TranscriptionModel, transcriber } from "@verbatim/adapters/ai-sdk"
import { toEngine } from "./Engine.ts"
import type { Engine } from "./Options.ts"
import { isObject, must, positive, validateEngineOptions } from "./open/validateOptions.ts"

export type { TranscriptionModel }

/** Options of `aiSdk`. */
export interface AiSdkOptions {
  /** Extra headers, for models that use HTTP. */
  readonly headers?: Readonly<Record<string, string>>
  /** The largest file per call, in bytes. Speakers can be told apart only within one file. */
  readonly maxPieceBytes?: number
  /**
   * Number of pieces of a recording to transcribe concurrently, each of which is held in memory.
   */
  readonly pieceConcurrency?: number
}

const rules = {
  headers: must(
    "an object of texts",
    (value) => isObject(value) && Object.values(value).every((each) => typeof each === "string")
  ),
  maxPieceBytes: positive,
  pieceConcurrency: positive
}

/**
 * Recognises speech with a model of the AI SDK. Throws `InvalidOptions`.
 *
 * @example
 * ```ts
 * import { openai } from "@ai-sdk/openai"
 * import { open } from "@verbatim/embed"
 * import { aiSdk } from "@verbatim/embed/ai-sdk"
 *
 * await open({ database: "memory:", transcribe: aiSdk(openai.transcription("whisper-1")) })
 * ```
 */
export const aiSdk = (model: TranscriptionModel, options: AiSdkOptions = {}): Engine => {
  validateEngineOptions("aiSdk", { given: options, known: rules })
  return toEngine(transcriber({ ...options, model }))
}
