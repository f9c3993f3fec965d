/**
 * How servers of one protocol differ in how they want to be asked. Every difference is a row here;
 * answers are read in one way, whoever gave them.
 */
import type { Recognition } from "@verbatim/core/ports"
import type { Field } from "./Multipart.ts"

/** The kinds of server. */
export const dialectNames = ["openai", "whisper.cpp", "faster-whisper"] as const
export type DialectName = (typeof dialectNames)[number]

/** What a model can answer with. */
export type Format = "verbose_json" | "diarized_json" | "json"

/** The parameters that reach a server. */
export type Wishes = Pick<Recognition, "language" | "initialPrompt" | "isVadFiltered">

interface Dialect {
  readonly path: (url: string) => string
  /** What is sent when nobody knows the language; nothing where leaving it out asks to detect. */
  readonly unknownLanguage: ReadonlyArray<Field>
  readonly extra: (wishes: Wishes) => ReadonlyArray<Field>
}

const path = () => "/audio/transcriptions"

const dialects: Readonly<Record<DialectName, Dialect>> = {
  openai: { path, unknownLanguage: [], extra: () => [] },
  "whisper.cpp": {
    // It may be started with the path of the others; then its address ends like theirs.
    path: (url) => (url.endsWith("/v1") ? path() : "/inference"),
    // Its default is English.
    unknownLanguage: [["language", "auto"]],
    // Probabilities of all languages cost another pass over the audio.
    extra: () => [["no_language_probabilities", "true"]]
  },
  "faster-whisper": {
    path,
    unknownLanguage: [],
    extra: ({ isVadFiltered }) => [["vad_filter", `${isVadFiltered}`]]
  }
}

/** The models that answer in one format only; a name may carry its owner before a slash. */
const formats: ReadonlyArray<readonly [RegExp, Format]> = [
  [/(?:^|\/)[^/]*diarize[^/]*$/i, "diarized_json"],
  [/(?:^|\/)gpt-(?:[\w.]+-)*transcribe(?:-[\d-]+)?$/i, "json"]
]

/** The format to ask a model for: times and words where it has them. */
export const formatOf = (model: string): Format =>
  formats.find(([pattern]) => pattern.test(model))?.[1] ?? "verbose_json"

/** A voice heard before, as a data URL. */
export interface KnownVoice {
  readonly name: string
  readonly sample: string
}

/** Where the server of a dialect takes audio. */
export const pathOf = (dialect: DialectName, url: string): string => dialects[dialect].path(url)

const formatFields: Readonly<Record<Format, ReadonlyArray<Field>>> = {
  verbose_json: [
    ["timestamp_granularities[]", "word"],
    ["timestamp_granularities[]", "segment"]
  ],
  // Required as soon as the audio is longer than 30 s.
  diarized_json: [["chunking_strategy", "auto"]],
  json: []
}

/** The fields of one request, in a fixed order, the file aside. */
export const fieldsOf = (request: {
  readonly dialect: DialectName
  readonly model: string
  readonly wishes: Wishes
  readonly voices: ReadonlyArray<KnownVoice>
}): ReadonlyArray<Field> => {
  const { dialect, model, voices, wishes } = request
  const { extra, unknownLanguage } = dialects[dialect]
  const { initialPrompt, language } = wishes
  const format = formatOf(model)
  return [
    ["model", model],
    ["response_format", format],
    ...formatFields[format],
    ...(language === null ? unknownLanguage : [["language", language] as const]),
    // A model that tells speakers apart refuses a prompt with 400.
    ...(initialPrompt === null || format === "diarized_json"
      ? []
      : [["prompt", initialPrompt] as const]),
    ...extra(wishes),
    ...voices.map(({ name }) => ["known_speaker_names[]", name] as const),
    ...voices.map(({ sample }) => ["known_speaker_references[]", sample] as const)
  ]
}
