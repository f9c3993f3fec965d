/**
 * How the wishes of a job are told to each provider. The SDK's interface has no place for language,
 * prompt and speakers: every provider has options of its own, and a row here. Pure.
 */

import type {
  JSONValue,
  TranscriptionModelV2,
  TranscriptionModelV3,
  TranscriptionModelV4
} from "@ai-sdk/provider"
import { printable } from "@verbatim/core/attempt"
import type { Recognition } from "@verbatim/core/ports"
import { Predicate } from "effect"
import { keywordListOf, promptOf } from "../openai/Dialect.ts"

// A transcription model of the AI SDK, as far as it is used: versions 2 to 4 of its specification
// are asked in one way. Only types come from the SDK: at run time the object says what it is.

type UsedMembers = "specificationVersion" | "provider" | "modelId" | "doGenerate"

/** What hosts pass: the model of a provider, such as `openai.transcription("whisper-1")`. */
export type TranscriptionModel =
  | Pick<TranscriptionModelV2, UsedMembers>
  | Pick<TranscriptionModelV3, UsedMembers>
  | Pick<TranscriptionModelV4, UsedMembers>

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

/** What a job asks of a model. */
export type RecognitionSettings = Pick<
  Recognition,
  "language" | "initialPrompt" | "keywords" | "isVadFiltered" | "isDiarized" | "speakerCount"
>

type Options = ProviderOptions[string]

const dropUndefined = (options: Readonly<Record<string, Options[string] | undefined>>): Options =>
  Object.fromEntries(
    Object.entries(options).filter(
      (entry): entry is [string, Options[string]] => entry[1] !== undefined
    )
  )

/** The wishes in the words that most providers have; what is left out is not sent. */
const toCommonOptions = ({
  isDiarized,
  keywords = [],
  language,
  speakerCount
}: RecognitionSettings) => ({
  code: language ?? undefined,
  detects: language === null ? true : undefined,
  speakers: isDiarized ? speakerCount : undefined,
  terms: keywords.length === 0 ? undefined : [...keywords]
})

type ProviderRow = (
  settings: RecognitionSettings & ReturnType<typeof toCommonOptions>,
  model: string
) => Parameters<typeof dropUndefined>[0]

/**
 * The options of the providers that we know, as in their packages for version 4. Deepgram's takes
 * one keyword, ElevenLabs' and Rev AI's take none for recordings.
 */
const providerRows: Readonly<Record<string, ProviderRow>> = {
  assemblyai: ({ code, detects, isDiarized, speakers, terms }) => ({
    languageCode: code,
    languageDetection: detects,
    speakerLabels: isDiarized,
    speakersExpected: speakers,
    keytermsPrompt: terms
  }),
  deepgram: ({ code, detects, isDiarized }) => ({
    language: code,
    detectLanguage: detects,
    diarize: isDiarized,
    punctuate: true
  }),
  elevenlabs: ({ code, isDiarized, speakers }) => ({
    languageCode: code,
    diarize: isDiarized,
    numSpeakers: speakers
  }),
  gladia: ({ code, detects, isDiarized, speakers, terms }) => ({
    language: code,
    detectLanguage: detects,
    diarization: isDiarized,
    diarizationConfig: speakers === undefined ? undefined : { numberOfSpeakers: speakers },
    customVocabulary: terms === undefined ? undefined : true,
    customVocabularyConfig: terms === undefined ? undefined : { vocabulary: terms }
  }),
  openai: ({ code, ...settings }, model) => {
    const keywords = keywordListOf(model, settings)
    return {
      language: code,
      prompt: promptOf(model, settings) ?? undefined,
      keywords: keywords.length === 0 ? undefined : [...keywords]
    }
  },
  revai: ({ code, isDiarized, speakers }) => ({
    language: code,
    skip_diarization: !isDiarized,
    speakers_count: speakers
  })
}

/** Which model of which provider is asked. */
interface ProviderModel {
  readonly provider: string
  readonly model: string
}

const ownOptions = (
  { model, provider }: ProviderModel,
  settings: RecognitionSettings
): Options | undefined => {
  const row = Object.hasOwn(providerRows, provider) ? providerRows[provider] : undefined
  return row === undefined
    ? undefined
    : dropUndefined(row({ ...settings, ...toCommonOptions(settings) }, model))
}

/** Which of the hints about words and speakers the model is told: without them it is told less. */
export const usedHints = (model: ProviderModel, settings: RecognitionSettings) => {
  const { speakerCount, ...uncounted } = settings
  const isSent = (less: RecognitionSettings) =>
    JSON.stringify(ownOptions(model, settings)) !== JSON.stringify(ownOptions(model, less))
  return {
    ...(isSent({ ...settings, keywords: [] }) && { areKeywordsUsed: true }),
    ...(isSent(uncounted) && { isSpeakerCountUsed: true })
  }
}

/** The options of one call. What the host gives for a provider wins over what we would tell it. */
export const optionsOf = (
  model: ProviderModel,
  { given, settings }: { readonly given: ProviderOptions; readonly settings: RecognitionSettings }
): Record<string, Options> => {
  const { provider } = model
  const own = ownOptions(model, settings)
  return { ...given, ...(own !== undefined && { [provider]: { ...own, ...given[provider] } }) }
}
