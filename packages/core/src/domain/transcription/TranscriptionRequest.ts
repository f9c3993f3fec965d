/**
 * The transcription request, as it is stored with a job, and the rules that it must pass, in order
 * (specification, errors).
 */
import { Option, Predicate, Result, Schema, type Stream } from "effect"
import { isExact } from "../schema/ExactNumber.ts"
import { isStorable, toShown } from "../schema/StorableText.ts"
import { SummaryType } from "../summary/SummaryType.ts"
import {
  fromText,
  type Keywords,
  keywordsRule,
  readKeywords,
  unite
} from "../workspace/Keywords.ts"
import { callbackIdBytesMax, isSendable } from "./CallbackId.ts"
import { isLanguage, Language } from "./Language.ts"
import { extensionOf, isAccepted, lastPart } from "./MediaType.ts"
import { InvalidParameter, type Refusal, UnsupportedExtension } from "./TranscriptionRefusal.ts"

/**
 * The names of the renderings: four from the specification (create request parameters), and three
 * more.
 */
export const Modifier = Schema.Literals([
  "paragraph_json",
  "paragraph_text",
  "plain_text",
  "plain_json",
  "srt",
  "vtt",
  "word_json"
])
export type Modifier = typeof Modifier.Type

/** The receiver of a webhook, and the rendering that it gets. */
export const Receiver = Schema.Struct({
  url: Schema.String,
  /** The modifier that names the rendering; null for the status JSON. */
  modifier: Schema.NullOr(Modifier)
})
export type Receiver = typeof Receiver.Type

/**
 * Maximum length of an initial prompt, in code points. Engines read far less (Whisper: 224 tokens).
 */
export const promptLengthMax = 4096

/** Whether a value is a valid initial prompt. */
export const isPrompt = (value: unknown): boolean =>
  typeof value === "string" &&
  // A code point has at most two UTF-16 units, so a huge text is refused before its code points are
  // counted.
  value.length <= 2 * promptLengthMax &&
  Array.from(value).length <= promptLengthMax &&
  isStorable(value)

/** Maximum number of speakers: as many as any engine accepts (ElevenLabs: 32). */
export const speakerMax = 32

/** Whether a value is a valid number of speakers. */
const isSpeakerCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= speakerMax

/** Whether a value in a form is a number of one or two digits. */
const isDigits = (value: unknown): boolean =>
  typeof value === "string" && /^[1-9][0-9]?$/.test(value)

/**
 * Which audio tracks of a file to transcribe: one track (the default, or the first if none is
 * marked), a mix of all tracks, or all tracks, each as one speaker.
 */
export const Tracks = Schema.Literals(["default", "mix", "speakers"])
export type Tracks = typeof Tracks.Type

/** An accepted request, in the form that is stored with its job. */
export const TranscriptionRequest = Schema.Struct({
  source: Schema.TaggedUnion({ Upload: { filename: Schema.String }, Url: { url: Schema.String } }),
  /** The language of the recording; null if the engine should detect it. */
  language: Schema.NullOr(Language),
  initialPrompt: Schema.NullOr(Schema.String),
  isVadFiltered: Schema.Boolean,
  isDiarized: Schema.Boolean,
  callback: Schema.NullOr(Schema.Struct({ url: Schema.String, modifier: Schema.NullOr(Modifier) })),
  /**
   * The callback id is outside `callback`, because responses repeat the id even if there is no
   * callback.
   */
  callbackId: Schema.NullOr(Schema.String),
  summary: Schema.NullOr(SummaryType),
  template: Schema.NullOr(Schema.String),
  /** Number of speakers to tell apart; missing if unknown. */
  speakerCount: Schema.optionalKey(Schema.Int),
  /** Limits on the number of voices; missing if unknown. */
  speakerCountMin: Schema.optionalKey(Schema.Int),
  speakerCountMax: Schema.optionalKey(Schema.Int),
  /** The audio tracks to transcribe; if missing, the default track. */
  tracks: Schema.optionalKey(Tracks),
  /** The request's own keywords, then those of its workspace; missing if there are none. */
  keywords: Schema.optionalKey(Schema.Array(Schema.String))
})
export type TranscriptionRequest = typeof TranscriptionRequest.Type

/** The parameters of a request, keyed by their names on the wire; only own properties count. */
export type Parameters = Readonly<Record<string, unknown>>

/** A placeholder for a parameter that was sent as a file. No rule accepts it. */
export const sentAsFile: unique symbol = Symbol.for("@verbatim/core/sentAsFile")

/** A transcription request as it arrived, before validation. */
export interface Submission {
  readonly parameters: Parameters
  /**
   * The `file` part. None if the part was empty and had no name, which is what browsers send if the
   * user chose no file.
   */
  readonly upload: Option.Option<{ readonly filename: string }>
  /**
   * Whether all values are text, as in forms, which have the texts `true` and `false` for booleans.
   */
  readonly isTextual: boolean
  /** The names of the parameters that were sent more than once. */
  readonly repeated: ReadonlyArray<string>
  /** The operator's templates, with JSON values. The request's own parameters take precedence. */
  readonly templates: ReadonlyMap<string, Parameters>
}

/** Accepts a request, or refuses it with the first rule that it breaks. */
export const decodeRequest = (
  submission: Submission
): Result.Result<TranscriptionRequest, Refusal> => {
  const received: Received = { ...submission, values: collectValues(submission) }
  for (const rule of rules) {
    const refusal = rule(received)
    if (refusal !== null) return Result.fail(refusal)
  }
  const found = sourceOf(received)
  return found === null ? Result.fail(sourceMissing()) : Result.succeed(toRequest(received, found))
}

const flags = ["vad_filter", "disable_diarization"] as const

const counts = ["speakers", "speakers_min", "speakers_max"] as const

/** The parameters that a template can set. The source of the audio always comes from the caller. */
export const templated = [
  "callback_url",
  "language",
  "modifier",
  "summary",
  ...flags,
  "callback_id",
  "initial_prompt",
  "keywords",
  ...counts,
  "tracks"
] as const

const names = ["url", "template", ...templated] as const
type Name = (typeof names)[number]

/** Whether a part with this name is a parameter, and not a file. */
export const isParameter = (name: string): boolean => names.some((known) => known === name)

interface Received extends Submission {
  /** The parameters that are present, including those of the template, with flags as booleans. */
  readonly values: ReadonlyMap<Name, unknown>
}

const collectValues = ({
  isTextual,
  parameters,
  templates
}: Submission): ReadonlyMap<Name, unknown> => {
  const own = present(parameters, names)
  for (const flag of isTextual ? flags : []) {
    const word = own.get(flag)
    if (word === "true" || word === "false") own.set(flag, word === "true")
  }
  const keywords = own.get("keywords")
  if (isTextual && typeof keywords === "string") own.set("keywords", fromText(keywords))
  for (const count of isTextual ? counts : []) {
    const digits = own.get(count)
    if (isDigits(digits)) own.set(count, Number(digits))
  }
  const template = templateOf(own, templates)
  return template === undefined ? own : new Map([...present(template, templated), ...own])
}

/**
 * Returns the parameters that are present. An empty string or null means the same as a missing
 * parameter.
 */
const present = (from: Parameters, wanted: ReadonlyArray<Name>): Map<Name, unknown> =>
  new Map(
    wanted
      .filter((name) => Object.hasOwn(from, name))
      .map((name) => [name, from[name]] as const)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
  )

const templateOf = (
  values: ReadonlyMap<Name, unknown>,
  templates: Submission["templates"]
): Parameters | undefined => {
  const name = values.get("template")
  return typeof name === "string" ? templates.get(name) : undefined
}

type Rule = (received: Received) => Refusal | null

/**
 * Creates a rule for a parameter, if it is present. `judge` returns the broken rule's sentence, or
 * null.
 */
const about =
  (parameter: Name, judge: (value: unknown) => string | null): Rule =>
  ({ values }) => {
    const detail = values.has(parameter) ? judge(values.get(parameter)) : null
    return detail === null ? null : new InvalidParameter({ parameter, detail })
  }

const mustBeText = (parameter: Name, sentence: string): Rule =>
  about(parameter, (value) => (typeof value === "string" ? null : sentence))

/** Requires a URL to start with `http` or `https`, in upper or lower case. */
const mustBeHttp = (parameter: Name, sentence: string): Rule =>
  about(parameter, (value) => (/^https?:\/\//i.test(String(value)) ? null : sentence))

const isModifier = Schema.is(Modifier)
const isSummaryType = Schema.is(SummaryType)
const isTracks = Schema.is(Tracks)

const mustBeOneOf = (options: {
  readonly parameter: Name
  readonly has: (value: unknown) => boolean
  readonly sentence: string
}): Rule =>
  about(options.parameter, (value) =>
    options.has(value)
      ? null
      : describeWrong(options.parameter, { sentence: options.sentence, value })
  )

const mustBeBoolean = (parameter: Name): Rule =>
  about(parameter, (value) =>
    typeof value === "boolean" ? null : `Invalid '${parameter}' value. Must be a boolean`
  )

const showValue = (value: unknown): string => {
  if (typeof value === "string") return toShown(value)
  if (isExact(value)) return toShown(value.rawJSON)
  if (typeof value === "number" || typeof value === "boolean") return `${value}`
  return Array.isArray(value) ? "array" : typeof value
}

/** Describes an invalid value. A file has no value to show. */
const describeWrong = (
  parameter: Name,
  { sentence, value }: { readonly sentence: string; readonly value: unknown }
): string =>
  value === sentAsFile
    ? `Invalid '${parameter}' value. Must be a string`
    : `${sentence}: ${showValue(value)}`

const sendable: Rule = about("callback_id", (value) =>
  typeof value === "string" && isSendable(value)
    ? null
    : `Invalid 'callback_id' value. Must be a string of at most ${callbackIdBytesMax} bytes ` +
      "without control characters and without spaces at its ends"
)

const prompt: Rule = about("initial_prompt", (value) =>
  isPrompt(value)
    ? null
    : `Invalid 'initial_prompt' value. Must be a string of at most ${promptLengthMax} characters ` +
      "without NUL"
)

const keywords: Rule = about("keywords", (value) =>
  Option.isSome(readKeywords(value))
    ? null
    : `Invalid 'keywords' value. Must be a list of ${keywordsRule}`
)

const mustBeCount = (parameter: Name): Rule =>
  about(parameter, (value) =>
    isSpeakerCount(value)
      ? null
      : `Invalid '${parameter}' value. Must be an integer from 1 to ${speakerMax}`
  )

/** Refuses numbers of speakers that contradict each other. */
const countsAgree: Rule = ({ values }) => {
  const countOf = (name: Name) => narrow(values.get(name), isSpeakerCount)
  const min = countOf("speakers_min") ?? 1
  const max = countOf("speakers_max") ?? speakerMax
  const count = countOf("speakers") ?? min
  if (min > max) {
    const detail = "Invalid 'speakers_min' value. Must not be greater than 'speakers_max'"
    return new InvalidParameter({ parameter: "speakers_min", detail })
  }
  const detail = "Invalid 'speakers' value. Must be from 'speakers_min' to 'speakers_max'"
  return count < min || count > max ? new InvalidParameter({ parameter: "speakers", detail }) : null
}

type Source = TranscriptionRequest["source"]

/** Returns the source of the audio: the file, or else the URL. */
const sourceOf = ({ upload, values }: Received): Source | null => {
  if (Option.isSome(upload)) return { _tag: "Upload", filename: lastPart(upload.value.filename) }
  const url = narrow(values.get("url"), Predicate.isString)
  return url === null ? null : { _tag: "Url", url }
}

const sourceMissing = () =>
  new InvalidParameter({ parameter: "file", detail: "File or URL required" })

const source: Rule = (received) => {
  if (sourceOf(received) === null) return sourceMissing()
  return Option.isSome(received.upload) && received.values.has("url")
    ? new InvalidParameter({ parameter: "url", detail: "Provide either file or URL, not both" })
    : null
}

const template: Rule = ({ templates, values }) => {
  const isKnown = !values.has("template") || templateOf(values, templates) !== undefined
  const value = values.get("template")
  const detail = describeWrong("template", { sentence: "Invalid template", value })
  return isKnown ? null : new InvalidParameter({ parameter: "template", detail })
}

const once: Rule = ({ repeated }) => {
  const parameter = ["file", ...names].find((name) => repeated.includes(name))
  const detail = `Invalid '${parameter}' value. Must be sent only once`
  return parameter === undefined ? null : new InvalidParameter({ parameter, detail })
}

/**
 * Checks the extension of an upload. The extension of a URL is checked after the fetch, because the
 * response may contain the file name.
 */
const extension: Rule = ({ upload }) => {
  const found = Option.map(upload, ({ filename }) => extensionOf(filename))
  return Option.isNone(found) || isAccepted(found.value)
    ? null
    : new UnsupportedExtension({ extension: found.value })
}

/** The rules for a request, in order. A later rule can rely on the earlier ones. */
const rules: ReadonlyArray<Rule> = [
  mustBeText("url", "The 'URL' field must be a string"),
  mustBeText("callback_url", "The 'callback_url' field must be a string"),
  source,
  mustBeHttp("url", "Invalid 'URL' format. Must start with http or https"),
  mustBeHttp("callback_url", "Invalid 'callback_url' format. Must start with http or https"),
  mustBeText("language", "Invalid language format. Must be a string"),
  mustBeOneOf({ parameter: "language", has: isLanguage, sentence: "Invalid language code" }),
  mustBeOneOf({ parameter: "modifier", has: isModifier, sentence: "Invalid modifier" }),
  mustBeOneOf({ parameter: "summary", has: isSummaryType, sentence: "Invalid summary type" }),
  mustBeBoolean("vad_filter"),
  mustBeBoolean("disable_diarization"),
  sendable,
  prompt,
  keywords,
  ...counts.map(mustBeCount),
  countsAgree,
  mustBeOneOf({ parameter: "tracks", has: isTracks, sentence: "Invalid tracks" }),
  template,
  once,
  extension
]

/** Creates the request from parameters that passed every rule. */
const toRequest = ({ values }: Received, source: Source): TranscriptionRequest => {
  const textOf = (name: Name) => narrow(values.get(name), Predicate.isString)
  const callbackUrl = textOf("callback_url")
  const modifier = narrow(values.get("modifier"), isModifier)
  const speakerCount = narrow(values.get("speakers"), isSpeakerCount)
  const speakerCountMin = narrow(values.get("speakers_min"), isSpeakerCount)
  const speakerCountMax = narrow(values.get("speakers_max"), isSpeakerCount)
  const tracks = narrow(values.get("tracks"), isTracks)
  const keywords = Option.getOrElse(readKeywords(values.get("keywords")), (): Keywords => [])
  return {
    source,
    language: narrow(values.get("language"), isLanguage),
    initialPrompt: textOf("initial_prompt"),
    isVadFiltered: values.get("vad_filter") !== false,
    isDiarized: values.get("disable_diarization") !== true,
    callback: callbackUrl === null ? null : { url: callbackUrl, modifier },
    callbackId: textOf("callback_id"),
    summary: narrow(values.get("summary"), isSummaryType),
    template: textOf("template"),
    ...(speakerCount === null ? {} : { speakerCount }),
    ...(speakerCountMin === null ? {} : { speakerCountMin }),
    ...(speakerCountMax === null ? {} : { speakerCountMax }),
    // The default is left out, so that requests with and without it are equal.
    ...(tracks === null || tracks === "default" ? {} : { tracks }),
    ...(keywords.length === 0 ? {} : { keywords })
  }
}

const narrow = <A>(value: unknown, is: (value: unknown) => value is A): A | null =>
  is(value) ? value : null

/** Appends the workspace's keywords to the request's own. */
export const withKeywords = (
  request: TranscriptionRequest,
  more: ReadonlyArray<string>
): TranscriptionRequest =>
  more.length === 0 ? request : { ...request, keywords: unite(request.keywords ?? [], more) }

/** A part of an arriving request: a parameter or a file. */
export type IncomingPart<E> =
  | { readonly _tag: "Parameter"; readonly name: string; readonly value: unknown }
  | {
      readonly _tag: "File"
      readonly name: string
      readonly filename: string
      /** The content type that the part declares; missing if it is not needed. */
      readonly contentType?: string
      readonly content: Stream.Stream<Uint8Array, E>
    }

/** A request as it arrives. Each part is read to its end before the next one is requested. */
export interface IncomingRequest<E> {
  readonly parts: Stream.Stream<IncomingPart<E>, E>
  /** Whether parameters arrive as text, as in forms, and not as JSON values. */
  readonly isTextual: boolean
  /** The idempotency key. The same request with the same key returns the same job for a day. */
  readonly idempotencyKey?: string | undefined
  /**
   * Whether a request without a key gets the job of an identical request that the same caller sent
   * within a day. Identical requests have the same parameters, and files with the same name and
   * bytes.
   */
  readonly isJoining?: boolean
}
