/**
 * How the wishes of a job are told to each provider. The SDK's interface has no place for language,
 * prompt and speakers: every provider has options of its own, and a row here. Pure.
 */
import type { Recognition } from "@verbatim/core/ports"
import { keywordListOf, promptOf, takesKeywords } from "../openai/Dialect.ts"
import type { ProviderOptions } from "./Model.ts"

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
