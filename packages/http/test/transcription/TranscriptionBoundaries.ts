/**
 * Lists the limits of each parameter of a transcription. A row has a value at the limit, a value
 * just beyond it, and the message that refuses the second one. Each row is tested in every encoding
 * that can express the values, with a valid `url` unless the row has one. Core's tests cover every
 * rule.
 */
import type { Encoding } from "../Bodies.ts"

type Parameters = Readonly<Record<string, unknown>>

/** A limit of a parameter, with a value on each side of it. */
export interface TranscriptionBoundary {
  readonly accepted: Parameters
  readonly refused: Parameters
  readonly detail: string
  /** The encodings that can express the value. By default, all of them can. */
  readonly only?: ReadonlyArray<Encoding>
  /**
   * The reason why a JSON Schema cannot express the rule. Only the server refuses the value then.
   */
  readonly unsaid?: string
}

/** The URL that is sent with the parameters. */
export const url = "https://media.example.com/a.mp3"

const hook = "https://hooks.example.com/in"

const urlScheme = "Invalid 'URL' format. Must start with http or https"
const callbackScheme = "Invalid 'callback_url' format. Must start with http or https"
const callbackId =
  "Invalid 'callback_id' value. Must be a string of at most 1024 bytes without control " +
  "characters and without spaces at its ends"
const prompt =
  "Invalid 'initial_prompt' value. Must be a string of at most 4096 characters without NUL"
const unreachable = "Invalid URL or file not accessible"
const keywords =
  "Invalid 'keywords' value. Must be a list of at most 100 words or phrases, each of 1 to 100 " +
  "characters without control characters and without spaces at its ends, 4096 characters together"
const count = (name: string) => `Invalid '${name}' value. Must be an integer from 1 to 32`
const flag = (name: string) => `Invalid '${name}' value. Must be a boolean`

const textLists = "no schema can check the parts between commas"
const networks = "a URL is judged when the server parses and resolves it"
const bytes = "JSON Schema counts characters, not bytes"
const templates = "the operator's templates are not part of the description"

const inJson = ["json"] as const
const inForms = ["form", "multipart"] as const

type Row = readonly [
  name: string,
  accepted: unknown,
  refused: unknown,
  detail: string,
  more?: Pick<TranscriptionBoundary, "only" | "unsaid">
]

const rows: ReadonlyArray<Row> = [
  ["url", "HTTPS://media.example.com/a.mp3", "ftp://media.example.com/a.mp3", urlScheme],
  ["url", url, 1, "The 'URL' field must be a string", { only: inJson }],
  ["callback_url", `${hook}?a=b`, `\t${hook}`, callbackScheme],
  ["callback_url", hook.padEnd(2048, "a"), hook.padEnd(2049, "a"), unreachable],
  ["callback_url", "http://8.8.8.8/", "http://127.0.0.1/", unreachable, { unsaid: networks }],
  ["callback_url", hook, {}, "The 'callback_url' field must be a string", { only: inJson }],
  ["language", "af", "aa", "Invalid language code: aa"],
  ["language", "de", 1, "Invalid language format. Must be a string", { only: inJson }],
  ["modifier", "srt", "SRT", "Invalid modifier: SRT"],
  ["modifier", "vtt", ["en"], "Invalid modifier: array", { only: inJson }],
  ["summary", "long", "longer", "Invalid summary type: longer"],
  ["vad_filter", true, "yes", flag("vad_filter")],
  ["vad_filter", null, "false", flag("vad_filter"), { only: inJson }],
  ["disable_diarization", "true", "TRUE", flag("disable_diarization"), { only: inForms }],
  ["disable_diarization", false, 0, flag("disable_diarization")],
  ["callback_id", "a".repeat(1024), "a".repeat(1025), callbackId],
  ["callback_id", `${"é".repeat(511)}ab`, `${"é".repeat(511)}abc`, callbackId, { unsaid: bytes }],
  ["callback_id", "a\u00a0b", "a\u0085b", callbackId],
  ["initial_prompt", "🎙".repeat(4096), "🎙".repeat(4097), prompt],
  ["initial_prompt", "a\nb", "a\u0000b", prompt],
  ["keywords", ["Zoë Baker"], ["Zoë", ""], keywords, { only: inJson }],
  ["keywords", "Zoë Baker , heart,", "Zoë\u0007", keywords, { only: inForms, unsaid: textLists }],
  ["keywords", '["a"]', '["a", 7]', keywords, { only: inForms, unsaid: textLists }],
  ["speakers", 32, 33, count("speakers"), { only: inJson }],
  ["speakers", "2", "02", count("speakers"), { only: inForms }],
  ["speakers_min", 1, 0, count("speakers_min"), { only: inJson }],
  ["speakers_max", "32", "33", count("speakers_max"), { only: inForms }],
  ["tracks", "mix", "all", "Invalid tracks: all"],
  ["template", "meetings", "none", "Invalid template: none", { unsaid: templates }]
]

/** The boundaries of every parameter. */
export const boundaries: ReadonlyArray<TranscriptionBoundary> = rows.map(
  ([name, accepted, refused, detail, more]) => ({
    accepted: { [name]: accepted },
    refused: { [name]: refused },
    detail,
    ...more
  })
)

/** Every parameter except the required `url`. */
export const optional = [
  "language",
  "initial_prompt",
  "keywords",
  "speakers",
  "speakers_min",
  "speakers_max",
  "tracks",
  "vad_filter",
  "disable_diarization",
  "callback_url",
  "callback_id",
  "modifier",
  "template",
  "summary"
] as const
