/**
 * How the wishes of a job are told to each provider. The SDK's interface has no place for language,
 * prompt and speakers: every provider has options of its own, and a row here. Pure.
 */
import type { Recognition } from "@verbatim/core/ports"
import type { ProviderOptions } from "./Model.ts"

/** What a job asks of a model. */
export type Wishes = Pick<
  Recognition,
  "language" | "initialPrompt" | "isVadFiltered" | "isDiarized"
>

type Options = ProviderOptions[string]

const without = (options: Readonly<Record<string, Options[string] | undefined>>): Options =>
  Object.fromEntries(
    Object.entries(options).filter(
      (entry): entry is [string, Options[string]] => entry[1] !== undefined
    )
  )

/** The options of the providers that we know, as in their packages for version 4. */
const rows: ReadonlyMap<string, (wishes: Wishes) => Options> = new Map([
  [
    "assemblyai",
    ({ isDiarized, language }) =>
      without({
        languageCode: language ?? undefined,
        languageDetection: language === null ? true : undefined,
        speakerLabels: isDiarized
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
    ({ isDiarized, language }) =>
      without({ languageCode: language ?? undefined, diarize: isDiarized })
  ],
  [
    "gladia",
    ({ isDiarized, language }) =>
      without({
        language: language ?? undefined,
        detectLanguage: language === null ? true : undefined,
        diarization: isDiarized
      })
  ],
  [
    "openai",
    ({ initialPrompt, language }) =>
      without({ language: language ?? undefined, prompt: initialPrompt ?? undefined })
  ],
  [
    "revai",
    ({ isDiarized, language }) =>
      without({ language: language ?? undefined, skip_diarization: !isDiarized })
  ]
])

/** The options of one call. What the host gives for a provider wins over what we would tell it. */
export const optionsOf = ({
  given,
  provider,
  wishes
}: {
  readonly given: ProviderOptions
  readonly provider: string
  readonly wishes: Wishes
}): Record<string, Options> => {
  const ours = rows.get(provider)?.(wishes)
  return {
    ...given,
    ...(ours !== undefined && { [provider]: { ...ours, ...given[provider] } })
  }
}
