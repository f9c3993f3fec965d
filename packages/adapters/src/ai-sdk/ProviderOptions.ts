/**
 * Converts a job's settings into provider options. The SDK's interface has no fields for language,
 * prompt or speakers; each provider has its own options, listed here. Pure.
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

// The parts of the AI SDK's transcription model that are used here. All supported versions of the
// specification, 2 to 4, are called in the same way. Only types are imported from the SDK; at run
// time, `specificationVersion` shows a model's version.

type UsedMembers = "specificationVersion" | "provider" | "modelId" | "doGenerate"

/** The model that a host passes, such as `openai.transcription("whisper-1")`. */
export type TranscriptionModel =
  | Pick<TranscriptionModelV2, UsedMembers>
  | Pick<TranscriptionModelV3, UsedMembers>
  | Pick<TranscriptionModelV4, UsedMembers>

/** Provider options, keyed by provider name. */
export type ProviderOptions = Readonly<Record<string, Record<string, JSONValue>>>

interface Call {
  readonly audio: Uint8Array
  readonly mediaType: string
  readonly providerOptions: Record<string, Record<string, JSONValue>>
  readonly abortSignal: AbortSignal
  readonly headers?: Record<string, string>
  /** Granularities of the timestamps to return. Only version 4 models have this option. */
  readonly timestampGranularities?: Array<"word" | "segment">
}

/** A transcription model of the AI SDK. Its responses are not trusted. */
export interface Model {
  readonly specificationVersion: string
  readonly provider: string
  readonly modelId: string
  doGenerate(call: Call): PromiseLike<unknown>
}

const versions: ReadonlySet<unknown> = new Set(["v2", "v3", "v4"])

/** Returns an error message if a value is not a model, otherwise undefined. */
export const problemOf = (model: unknown): string | undefined => {
  if (Predicate.isString(model)) {
    return "The model of the AI SDK is a name: pass the model itself, made by its provider."
  }
  if (!Predicate.hasProperty(model, "specificationVersion")) {
    return "This is not a transcription model of the AI SDK: it has no specificationVersion."
  }
  const { specificationVersion } = model
  if (!versions.has(specificationVersion)) {
    const version = printable(String(specificationVersion)).slice(0, 20)
    return `The model has version ${version} of the AI SDK's specification, not v2, v3 or v4.`
  }
  return Predicate.hasProperty(model, "doGenerate") && Predicate.isFunction(model.doGenerate)
    ? undefined
    : "This is not a transcription model of the AI SDK: it has no doGenerate."
}

/** The provider's name, which is also the key of its options, such as `deepgram`. */
export const providerOf = ({ provider }: Model): string => String(provider).split(".")[0] ?? ""

/** The engine's name in job histories. */
export const engineOf = ({ modelId, provider }: Model): string =>
  printable(`ai-sdk ${provider} ${modelId}`).slice(0, engineCharacterMax)

/** Maximum length of an engine name, which contains the host's name for the model. */
const engineCharacterMax = 120

/** The job settings that a model can use. */
export type RecognitionSettings = Pick<
  Recognition,
  | ("language" | "initialPrompt" | "keywords" | "isVadFiltered" | "isDiarized")
  | ("speakerCount" | "speakerCountMin" | "speakerCountMax")
>

type Options = ProviderOptions[string]

const dropUndefined = (options: Readonly<Record<string, Options[string] | undefined>>): Options =>
  Object.fromEntries(
    Object.entries(options).filter(
      (entry): entry is [string, Options[string]] => entry[1] !== undefined
    )
  )

/** Maps the settings to values that most providers accept; undefined values are not sent. */
const toCommonOptions = ({
  isDiarized,
  keywords = [],
  language,
  speakerCount,
  speakerCountMax,
  speakerCountMin
}: RecognitionSettings) => ({
  code: language ?? undefined,
  detects: language === null ? true : undefined,
  speakers: isDiarized ? speakerCount : undefined,
  /** AssemblyAI does not accept a range together with an exact number of speakers. */
  range:
    isDiarized && speakerCount === undefined && (speakerCountMin ?? speakerCountMax) !== undefined
      ? { min: speakerCountMin, max: speakerCountMax }
      : undefined,
  terms: keywords.length === 0 ? undefined : [...keywords]
})

type ProviderRow = (
  settings: RecognitionSettings & ReturnType<typeof toCommonOptions>,
  model: string
) => Parameters<typeof dropUndefined>[0]

/**
 * Mistral models that do not accept a language together with timestamps, according to Mistral's SDK
 * package.
 */
const mistralWithoutBoth: ReadonlySet<string> = new Set([
  "voxtral-mini-2507",
  "voxtral-mini-2602",
  "voxtral-mini-latest"
])

/**
 * The known providers' options, as named in their SDK packages for version 4. Deepgram's package
 * accepts one keyword; the ElevenLabs and Rev AI packages accept no keywords for recordings.
 */
const providerRows: Readonly<Record<string, ProviderRow>> = {
  assemblyai: ({ code, detects, isDiarized, range, speakers, terms }) => ({
    languageCode: code,
    languageDetection: detects,
    speakerLabels: isDiarized,
    speakersExpected: speakers,
    speakerOptions:
      range && dropUndefined({ minSpeakersExpected: range.min, maxSpeakersExpected: range.max }),
    keytermsPrompt: terms
  }),
  deepgram: ({ code, detects, isDiarized }) => ({
    language: code,
    detectLanguage: detects,
    diarize: isDiarized,
    punctuate: true
  }),
  elevenlabs: ({ code, isDiarized, range, speakers }) => ({
    languageCode: code,
    diarize: isDiarized,
    // ElevenLabs treats the number of speakers as a maximum.
    numSpeakers: speakers ?? range?.max
  }),
  // fal's default language is English; with null, fal detects the language.
  fal: ({ code, isDiarized, speakers }) => ({
    language: code ?? null,
    diarize: isDiarized,
    numSpeakers: speakers,
    chunkLevel: "segment"
  }),
  gladia: ({ code, detects, isDiarized, range, speakers, terms }) => ({
    language: code,
    detectLanguage: detects,
    diarization: isDiarized,
    diarizationConfig:
      speakers === undefined
        ? range && dropUndefined({ minSpeakers: range.min, maxSpeakers: range.max })
        : { numberOfSpeakers: speakers },
    customVocabulary: terms === undefined ? undefined : true,
    customVocabularyConfig: terms === undefined ? undefined : { vocabulary: terms }
  }),
  groq: ({ code, ...settings }, model) => ({
    language: code,
    prompt: promptOf(model, settings) ?? undefined,
    // Groq's other formats have no timestamps.
    responseFormat: "verbose_json",
    timestampGranularities: ["segment", "word"]
  }),
  // Mistral's older models do not accept a language together with timestamps. Timestamps and
  // speakers matter more.
  mistral: ({ code, isDiarized, terms }, model) => {
    const language = mistralWithoutBoth.has(model) ? undefined : code
    return {
      language,
      returnLanguage: language === undefined ? true : undefined,
      diarize: isDiarized,
      timestampGranularities: ["segment"],
      contextBias: terms
    }
  },
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
  }),
  xai: ({ code, isDiarized, terms }) => ({
    language: code,
    diarize: isDiarized,
    keyterm: terms
  })
}

/** The names of a model and its provider, which determine the options to send. */
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

/** Whether a provider needs different options for a job that requests speakers. */
export const canDiarize = (named: ProviderModel, settings: RecognitionSettings): boolean =>
  JSON.stringify(ownOptions(named, { ...settings, isDiarized: true })) !==
  JSON.stringify(ownOptions(named, { ...settings, isDiarized: false }))

/** Lists the hints about words and speakers that the model's provider supports. */
export const usedHints = (model: ProviderModel, settings: RecognitionSettings) => {
  const { speakerCount, speakerCountMax, speakerCountMin, ...uncounted } = settings
  const isSent = (less: RecognitionSettings) =>
    JSON.stringify(ownOptions(model, settings)) !== JSON.stringify(ownOptions(model, less))
  return {
    ...(isSent({ ...settings, keywords: [] }) && { areKeywordsUsed: true }),
    ...(isSent(uncounted) && { isSpeakerCountUsed: true })
  }
}

/** Returns the options for one call. The host's options for a provider override Verbatim's own. */
export const optionsOf = (
  model: ProviderModel,
  {
    overrides,
    settings
  }: { readonly overrides: ProviderOptions; readonly settings: RecognitionSettings }
): Record<string, Options> => {
  const { provider } = model
  const own = ownOptions(model, settings)
  return {
    ...overrides,
    ...(own !== undefined && { [provider]: { ...own, ...overrides[provider] } })
  }
}
