/**
 * A transcription model of the AI SDK, as far as it is used: versions 2 to 4 of its specification
 * are asked in one way. Only types come from the SDK: at run time the object says what it is.
 */

import type {
  JSONValue,
  TranscriptionModelV2,
  TranscriptionModelV3,
  TranscriptionModelV4
} from "@ai-sdk/provider"
import { printable } from "@verbatim/core/attempt"
import { Predicate } from "effect"

type Asked = "specificationVersion" | "provider" | "modelId" | "doGenerate"

/** What hosts pass: the model of a provider, such as `openai.transcription("whisper-1")`. */
export type TranscriptionModel =
  | Pick<TranscriptionModelV2, Asked>
  | Pick<TranscriptionModelV3, Asked>
  | Pick<TranscriptionModelV4, Asked>

/** Options for providers, by the name that each of them looks for. */
export type ProviderOptions = Readonly<Record<string, Record<string, JSONValue>>>

/** One call of a model. */
interface Call {
  readonly audio: Uint8Array
  readonly mediaType: string
  readonly providerOptions: Record<string, Record<string, JSONValue>>
  readonly abortSignal: AbortSignal
  readonly headers?: Record<string, string>
  /** Since version 4. */
  readonly timestampGranularities?: Array<"word" | "segment">
}

/** A model that can be asked. Its answer is not trusted. */
export interface Model {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(call: Call): PromiseLike<unknown>
}

const versions: ReadonlySet<unknown> = new Set(["v2", "v3", "v4"])

/** What has to be done about an object that is no such model; nothing when it is one. */
export const problemOf = (model: unknown): string | undefined => {
  if (Predicate.isString(model)) {
    return "The model of the AI SDK is a name: pass the model itself, made by its provider."
  }
  if (!Predicate.hasProperty(model, "specificationVersion")) {
    return "This is no transcription model of the AI SDK: it has no specificationVersion."
  }
  const { specificationVersion } = model
  if (!versions.has(specificationVersion)) {
    const version = printable(String(specificationVersion)).slice(0, 20)
    return `The model has version ${version} of the AI SDK's specification, not v2, v3 or v4.`
  }
  return Predicate.hasProperty(model, "doGenerate") && Predicate.isFunction(model.doGenerate)
    ? undefined
    : "This is no transcription model of the AI SDK: it has no doGenerate."
}

/** The name of its provider, which is also that of its options: `deepgram.transcription`. */
export const providerOf = ({ provider }: Model): string => String(provider).split(".")[0] ?? ""

/** What histories call it. */
export const engineOf = ({ modelId, provider }: Model): string =>
  printable(`ai-sdk ${provider} ${modelId}`).slice(0, engineCharacterMax)

/** Names are given by programs; this is enough to tell models apart. */
const engineCharacterMax = 120
