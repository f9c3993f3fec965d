/**
 * Describes how requests differ between servers that use OpenAI's protocol. Every difference is a
 * row in one of the tables here; responses are read in the same way for all servers.
 */
import type { Recognition } from "@verbatim/core/ports"
import type { Segment } from "@verbatim/core/transcription"
import { Stream } from "effect"

// Builds a `multipart/form-data` body with one file. The body is assembled here, so that its length
// is known in advance, because simple servers do not accept chunked bodies. Pure.

/** A text field of a form. A list becomes several fields with the same name. */
export type Field = readonly [name: string, value: string]

/** A multipart form: text fields and one file. */
export interface Form<E> {
  readonly fields: ReadonlyArray<Field>
  readonly file: {
    readonly name: string
    readonly contentType: string
    readonly content: Stream.Stream<Uint8Array, E>
    readonly byteLength: number
  }
  /** Random text, long enough not to occur in the content. */
  readonly boundary: string
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/**
 * Returns the bytes of the body before and after the file. The names are constants, so nothing
 * needs escaping.
 */
const frame = ({ boundary, fields, file }: Form<unknown>) => ({
  head: encode(
    [
      ...fields.map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      ),
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\n`,
      `Content-Type: ${file.contentType}\r\n\r\n`
    ].join("")
  ),
  tail: encode(`\r\n--${boundary}--\r\n`)
})

/** Encodes the form as a body. */
export const multipartBody = <E>(form: Form<E>) => {
  const { head, tail } = frame(form)
  return {
    contentType: `multipart/form-data; boundary=${form.boundary}`,
    content: Stream.make(head).pipe(
      Stream.concat(form.file.content),
      Stream.concat(Stream.make(tail))
    ),
    byteLength: head.byteLength + form.file.byteLength + tail.byteLength
  }
}

/** The kinds of OpenAI-compatible server that differ in their requests. */
export const dialectNames = ["openai", "whisper.cpp", "faster-whisper"] as const
export type DialectName = (typeof dialectNames)[number]

/** The response formats that models support. */
export type Format = "verbose_json" | "diarized_json" | "json"

/** The settings that are sent to a server. */
export type RequestSettings = Pick<
  Recognition,
  "language" | "initialPrompt" | "keywords" | "isVadFiltered"
>

interface Dialect {
  readonly path: (url: string) => string
  /**
   * The fields to send for an unknown language. No field is needed if the server then detects the
   * language.
   */
  readonly unknownLanguage: ReadonlyArray<Field>
  readonly extra: (settings: RequestSettings) => ReadonlyArray<Field>
}

const path = () => "/audio/transcriptions"

const dialects: Readonly<Record<DialectName, Dialect>> = {
  openai: { path, unknownLanguage: [], extra: () => [] },
  "whisper.cpp": {
    // whisper.cpp can serve the same path as other servers, so its URL may already end in this
    // path.
    path: (url) => (url.endsWith("/v1") ? path() : "/inference"),
    // whisper.cpp's default language is English.
    unknownLanguage: [["language", "auto"]],
    // Returning the probabilities of all languages would require another pass over the audio.
    extra: () => [["no_language_probabilities", "true"]]
  },
  "faster-whisper": {
    path,
    unknownLanguage: [],
    extra: ({ isVadFiltered }) => [["vad_filter", `${isVadFiltered}`]]
  }
}

/** A model's response format, and how the model accepts keywords. */
interface Traits {
  readonly format: Format
  readonly keywords: "prompt" | "list" | "none"
}

/**
 * Models that differ from Whisper. A name can begin with an owner and a slash. Diarizing models
 * accept no prompt or keywords.
 */
const traits: ReadonlyArray<readonly [RegExp, Traits]> = [
  [/(?:^|\/)[^/]*diarize[^/]*$/i, { format: "diarized_json", keywords: "none" }],
  [/(?:^|\/)gpt-transcribe(?:-[\d-]+)?$/i, { format: "json", keywords: "list" }],
  [/(?:^|\/)gpt-(?:[\w.]+-)*transcribe(?:-[\d-]+)?$/i, { format: "json", keywords: "prompt" }]
]

const traitsOf = (model: string): Traits =>
  traits.find(([pattern]) => pattern.test(model))?.[1] ?? {
    format: "verbose_json",
    keywords: "prompt"
  }

/** Returns the response format to request, with timestamps and words if the model offers both. */
export const formatOf = (model: string): Format => traitsOf(model).format

/**
 * Maximum length of keywords in a Whisper prompt, in UTF-16 units. The model reads the last 224
 * tokens, and a token in a name has at least three characters.
 */
const hintLengthMax = 600

/** Joins as many keywords as the maximum length allows, beginning with the first. */
const hintOf = (keywords: ReadonlyArray<string>, lengthMax: number): string => {
  const fitting: Array<string> = []
  let length = 0
  for (const keyword of keywords) {
    length += keyword.length + 2
    if (length > lengthMax) break
    fitting.push(keyword)
  }
  return fitting.join(", ")
}

/** Whether a model accepts keywords. */
export const takesKeywords = (model: string): boolean => traitsOf(model).keywords !== "none"

/** Returns the prompt with the keywords at the end, because Whisper reads the end of a prompt. */
export const promptOf = (
  model: string,
  { initialPrompt, keywords = [] }: Pick<RequestSettings, "initialPrompt" | "keywords">
): string | null => {
  const form = traitsOf(model).keywords
  if (form === "none") return null
  if (form === "list" || keywords.length === 0) return initialPrompt
  const isWhisper = formatOf(model) === "verbose_json"
  const hint = hintOf(keywords, isWhisper ? hintLengthMax : Number.POSITIVE_INFINITY)
  return initialPrompt === null ? hint : `${initialPrompt}\n${hint}`
}

/** Returns the keywords for a model that accepts a list of keywords. */
export const keywordListOf = (
  model: string,
  { keywords = [] }: Pick<RequestSettings, "keywords">
): ReadonlyArray<string> => (traitsOf(model).keywords === "list" ? keywords : [])

/** A sample of a speaker's voice from an earlier piece, as a data URL. */
export interface KnownVoice {
  readonly name: string
  readonly sample: string
}

/** Returns the path for transcription on a server of this dialect. */
export const pathOf = (dialect: DialectName, url: string): string => dialects[dialect].path(url)

const formatFields: Readonly<Record<Format, ReadonlyArray<Field>>> = {
  verbose_json: [
    ["timestamp_granularities[]", "word"],
    ["timestamp_granularities[]", "segment"]
  ],
  // OpenAI requires this field for audio longer than 30 s.
  diarized_json: [["chunking_strategy", "auto"]],
  json: []
}

/** Returns a request's fields, except the file, in a fixed order. */
export const fieldsOf = (request: {
  readonly dialect: DialectName
  readonly model: string
  readonly settings: RequestSettings
  readonly voices: ReadonlyArray<KnownVoice>
}): ReadonlyArray<Field> => {
  const { dialect, model, voices, settings } = request
  const { extra, unknownLanguage } = dialects[dialect]
  const { language } = settings
  const prompt = promptOf(model, settings)
  const format = formatOf(model)
  return [
    ["model", model],
    ["response_format", format],
    ...formatFields[format],
    ...(language === null ? unknownLanguage : [["language", language] as const]),
    // Diarizing models reject a prompt with 400.
    ...(prompt === null ? [] : [["prompt", prompt] as const]),
    ...keywordListOf(model, settings).map((keyword) => ["keywords[]", keyword] as const),
    ...extra(settings),
    ...voices.map(({ name }) => ["known_speaker_names[]", name] as const),
    ...voices.map(({ sample }) => ["known_speaker_references[]", sample] as const)
  ]
}

// Chooses voice samples from earlier pieces to send with the next piece, so that a speaker keeps
// the same name in a long recording. Pure.

/** OpenAI's protocol accepts at most four voice samples, each of 2 to 10 seconds. */
export const voiceMax = 4
const sampleMillisMin = 2_000
const sampleMillisMax = 8_000

/** A range with the speech of one person, in milliseconds from the start of the file. */
export interface Sample {
  readonly name: string
  readonly startMillis: number
  readonly endMillis: number
}

/**
 * Length in characters of one sample as a data URL: base64 turns three bytes into four characters.
 */
export const sampleBytesMax = (bytesPerSecond: number): number =>
  Math.ceil((((sampleMillisMax / 1_000) * bytesPerSecond + 44) * 4) / 3) + 100

/**
 * Returns voice samples of the first speakers: the longest turn of each speaker, if it is long
 * enough to identify the voice.
 */
export const samplesOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Sample> => {
  const longest = new Map<string, Segment>()
  for (const segment of segments) {
    const other = longest.get(segment.speaker)
    if (other === undefined || lengthOf(segment) > lengthOf(other)) {
      longest.set(segment.speaker, segment)
    }
  }
  return [...longest]
    .filter(([, segment]) => lengthOf(segment) >= sampleMillisMin)
    .slice(0, voiceMax)
    .map(([name, { endMillis, startMillis }]) => ({
      name,
      startMillis,
      endMillis: Math.min(endMillis, startMillis + sampleMillisMax)
    }))
}

const lengthOf = ({ endMillis, startMillis }: Segment): number => endMillis - startMillis
