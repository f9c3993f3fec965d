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
import { keywordListOf, promptOf, takesKeywords } from "../openai/Dialect.ts"

// A transcription model of the AI SDK, as far as it is used: versions 2 to 4 of its specification
// are asked in one way. Only types come from the SDK: at run time the object says what it is.

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

/** What a job asks of a model. */
export type Wishes = Pick<
  Recognition,
  "language" | "initialPrompt" | "keywords" | "isVadFiltered" | "isDiarized" | "speakerCount"
>

type Options = ProviderOptions[string]

const without = (options: Readonly<Record<string, Options[string] | undefined>>): Options =>
  Object.fromEntries(
    Object.entries(options).filter(
      (entry): entry is [string, Options[string]] => entry[1] !== undefined
    )
  )

const listOf = (keywords: ReadonlyArray<string> = []): Array<string> | undefined =>
  keywords.length === 0 ? undefined : [...keywords]

const countOf = ({
  isDiarized,
  speakerCount
}: Pick<Wishes, "isDiarized" | "speakerCount">): number | undefined =>
  isDiarized ? speakerCount : undefined

/** The options of the providers that we know, as in their packages for version 4. */
const rows: ReadonlyMap<string, (wishes: Wishes, model: string) => Options> = new Map([
  [
    "assemblyai",
    ({ keywords, language, isDiarized, ...voices }) =>
      without({
        languageCode: language ?? undefined,
        languageDetection: language === null ? true : undefined,
        speakerLabels: isDiarized,
        speakersExpected: countOf({ isDiarized, ...voices }),
        keytermsPrompt: listOf(keywords)
      })
  ],
  [
    "deepgram",
    ({ isDiarized, language }) =>
      without({
        language: language ?? undefined,
        detectLanguage: language === null ? true : undefined,
        diarize: isDiarized,
        punctuate: true
      })
  ],
  [
    "elevenlabs",
    ({ isDiarized, language, ...voices }) =>
      without({
        languageCode: language ?? undefined,
        diarize: isDiarized,
        numSpeakers: countOf({ isDiarized, ...voices })
      })
  ],
  [
    "gladia",
    ({ isDiarized, keywords, language, ...voices }) => {
      const vocabulary = listOf(keywords)
      const numberOfSpeakers = countOf({ isDiarized, ...voices })
      return without({
        language: language ?? undefined,
        detectLanguage: language === null ? true : undefined,
        diarization: isDiarized,
        diarizationConfig: numberOfSpeakers === undefined ? undefined : { numberOfSpeakers },
        customVocabulary: vocabulary === undefined ? undefined : true,
        customVocabularyConfig: vocabulary === undefined ? undefined : { vocabulary }
      })
    }
  ],
  [
    "openai",
    ({ language, ...wishes }, model) =>
      without({
        language: language ?? undefined,
        prompt: promptOf(model, wishes) ?? undefined,
        keywords: listOf(keywordListOf(model, wishes))
      })
  ],
  [
    "revai",
    ({ isDiarized, language, ...voices }) =>
      without({
        language: language ?? undefined,
        skip_diarization: !isDiarized,
        speakers_count: countOf({ isDiarized, ...voices })
      })
  ]
])

/**
 * Whose models are told keywords. Deepgram's package takes one term, ElevenLabs' and Rev AI's take
 * none for recordings.
 */
const keywordTakers: ReadonlyMap<string, (model: string) => boolean> = new Map([
  ["assemblyai", () => true],
  ["gladia", () => true],
  ["openai", takesKeywords]
])

/** Whether the model is told these keywords. */
export const areKeywordsTold = (
  { model, provider }: { readonly provider: string; readonly model: string },
  { keywords = [] }: Pick<Wishes, "keywords">
): boolean => keywords.length > 0 && (keywordTakers.get(provider)?.(model) ?? false)

const countTakers: ReadonlySet<string> = new Set(["assemblyai", "elevenlabs", "gladia", "revai"])

/** Whether a provider is told how many voices there are. */
export const isSpeakerCountTold = (
  provider: string,
  wishes: Pick<Wishes, "isDiarized" | "speakerCount">
): boolean => countOf(wishes) !== undefined && countTakers.has(provider)

/** The options of one call. What the host gives for a provider wins over what we would tell it. */
export const optionsOf = ({
  given,
  model,
  provider,
  wishes
}: {
  readonly given: ProviderOptions
  readonly model: string
  readonly provider: string
  readonly wishes: Wishes
}): Record<string, Options> => {
  const ours = rows.get(provider)?.(wishes, model)
  return {
    ...given,
    ...(ours !== undefined && { [provider]: { ...ours, ...given[provider] } })
  }
}
