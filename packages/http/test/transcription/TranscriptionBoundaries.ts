/**
 * Every rule about a parameter of a transcription, as rows: the last value that is accepted, the
 * first one that is refused, and the sentence. Beside them stands a good `url`, unless they bring
 * their own.
 */
import type { Encoding } from "../Bodies.ts"

type Parameters = Readonly<Record<string, unknown>>

/** One edge of a rule. */
export interface TranscriptionBoundary {
  readonly accepted: Parameters
  readonly refused: Parameters
  readonly detail: string
  /** The encodings that can express it; all of them when left out. */
  readonly only?: ReadonlyArray<Encoding>
  /** Why a JSON Schema cannot express it; only the server refuses. */
  readonly unsaid?: string
}

/** The URL that parameters are sent with. */
export const url = "https://media.example.com/a.mp3"

const hook = "https://hooks.example.com/in"

const urlScheme = "Invalid 'URL' format. Must start with http or https"
const callbackScheme = "Invalid 'callback_url' format. Must start with http or https"
const callbackId =
  "Invalid 'callback_id' value. Must be a string of at most 1024 bytes without control " +
  "characters and without spaces at its ends"
const prompt =
  "Invalid 'initial_prompt' value. Must be a string of at most 4096 characters " + "without NUL"
const unreachable = "Invalid URL or file not accessible"
const flag = (name: string) => `Invalid '${name}' value. Must be a boolean`

const networks = "what a URL leads to is judged when it is parsed and resolved"
const bytes = "JSON Schema counts characters, not bytes"
const templates = "the operator's templates are not part of the description"

const addresses: ReadonlyArray<TranscriptionBoundary> = [
  { accepted: { url }, refused: { url: "ftp://media.example.com/a.mp3" }, detail: urlScheme },
  {
    accepted: { url: "http://media.example.com/a.mp3" },
    refused: { url: "http:/media.example.com/a.mp3" },
    detail: urlScheme
  },
  {
    accepted: { url: "HTTPS://media.example.com/a.mp3" },
    refused: { url: ` ${url}` },
    detail: urlScheme
  },
  { accepted: { url: `${url}?a=b#c` }, refused: { url: "media.example.com" }, detail: urlScheme },
  {
    accepted: { callback_url: hook },
    refused: { callback_url: "ftp://hooks.example.com/in" },
    detail: callbackScheme
  },
  {
    accepted: { callback_url: "HTTP://hooks.example.com:8080" },
    refused: { callback_url: "hooks.example.com:8080" },
    detail: callbackScheme
  },
  {
    accepted: { callback_url: `${hook}?a=b` },
    refused: { callback_url: `\t${hook}` },
    detail: callbackScheme
  },
  {
    accepted: { callback_url: hook.padEnd(2048, "a") },
    refused: { callback_url: hook.padEnd(2049, "a") },
    detail: unreachable
  },
  {
    accepted: { callback_url: "http://8.8.8.8/" },
    refused: { callback_url: "http://127.0.0.1/" },
    detail: unreachable,
    unsaid: networks
  },
  {
    accepted: { callback_url: "http://[2606:4700::1]/" },
    refused: { callback_url: "http://[::ffff:10.0.0.1]/" },
    detail: unreachable,
    unsaid: networks
  },
  {
    accepted: { callback_url: "http://a.example/" },
    refused: { callback_url: "http://localhost/" },
    detail: unreachable,
    unsaid: networks
  },
  {
    accepted: { callback_url: "http://a.example:80/" },
    refused: { callback_url: "http://a.example:25/" },
    detail: unreachable,
    unsaid: networks
  },
  {
    accepted: { callback_url: "http://a.example/b@c" },
    refused: { callback_url: "http://b:c@a.example/" },
    detail: unreachable,
    unsaid: networks
  }
]

const words: ReadonlyArray<TranscriptionBoundary> = [
  {
    accepted: { language: "af" },
    refused: { language: "aa" },
    detail: "Invalid language code: aa"
  },
  {
    accepted: { language: "en" },
    refused: { language: "EN" },
    detail: "Invalid language code: EN"
  },
  {
    accepted: { language: "zh" },
    refused: { language: "zh-CN" },
    detail: "Invalid language code: zh-CN"
  },
  {
    accepted: { modifier: "plain_text" },
    refused: { modifier: "plain_texts" },
    detail: "Invalid modifier: plain_texts"
  },
  { accepted: { modifier: "srt" }, refused: { modifier: "SRT" }, detail: "Invalid modifier: SRT" },
  {
    accepted: { modifier: "paragraph_json", callback_url: hook },
    refused: { modifier: "m".repeat(101), callback_url: hook },
    detail: `Invalid modifier: ${"m".repeat(100)}`
  },
  {
    accepted: { summary: "brief" },
    refused: { summary: "Brief" },
    detail: "Invalid summary type: Brief"
  },
  {
    accepted: { summary: "long" },
    refused: { summary: "longer" },
    detail: "Invalid summary type: longer"
  }
]

const flags: ReadonlyArray<TranscriptionBoundary> = (
  ["vad_filter", "disable_diarization"] as const
).flatMap((name) => [
  { accepted: { [name]: true }, refused: { [name]: "yes" }, detail: flag(name) },
  { accepted: { [name]: false }, refused: { [name]: 0 }, detail: flag(name) },
  {
    accepted: { [name]: "true" },
    refused: { [name]: "TRUE" },
    detail: flag(name),
    only: ["form", "multipart"]
  },
  { accepted: { [name]: null }, refused: { [name]: "false" }, detail: flag(name), only: ["json"] }
])

const texts: ReadonlyArray<TranscriptionBoundary> = [
  {
    accepted: { callback_id: "a".repeat(1024) },
    refused: { callback_id: "a".repeat(1025) },
    detail: callbackId
  },
  {
    accepted: { callback_id: `${"é".repeat(511)}ab` },
    refused: { callback_id: `${"é".repeat(511)}abc` },
    detail: callbackId,
    unsaid: bytes
  },
  {
    accepted: { callback_id: "🎙️".repeat(2) },
    refused: { callback_id: "🎙".repeat(257) },
    detail: callbackId,
    unsaid: bytes
  },
  { accepted: { callback_id: "a b" }, refused: { callback_id: " ab" }, detail: callbackId },
  { accepted: { callback_id: "a b" }, refused: { callback_id: "ab " }, detail: callbackId },
  { accepted: { callback_id: "a~b" }, refused: { callback_id: "a\u007fb" }, detail: callbackId },
  {
    accepted: { callback_id: "a\u00a0b" },
    refused: { callback_id: "a\u0085b" },
    detail: callbackId
  },
  {
    accepted: { callback_id: "utf8-b64:YQ==" },
    refused: { callback_id: "a\u0000" },
    detail: callbackId
  },
  {
    accepted: { callback_id: "\ud83d\ude00" },
    refused: { callback_id: "\ud83d" },
    detail: callbackId,
    only: ["json"],
    unsaid: "half a character is not text to a regular expression"
  },
  {
    accepted: { initial_prompt: "p".repeat(4096) },
    refused: { initial_prompt: "p".repeat(4097) },
    detail: prompt
  },
  {
    accepted: { initial_prompt: "🎙".repeat(4096) },
    refused: { initial_prompt: "🎙".repeat(4097) },
    detail: prompt
  },
  {
    accepted: { initial_prompt: "a\nb" },
    refused: { initial_prompt: "a\u0000b" },
    detail: prompt
  },
  {
    accepted: { initial_prompt: "\ud83d\ude00" },
    refused: { initial_prompt: "\ude00" },
    detail: prompt,
    only: ["json"],
    unsaid: "half a character is not text to a regular expression"
  },
  {
    accepted: { template: "meetings" },
    refused: { template: "Meetings" },
    detail: "Invalid template: Meetings",
    unsaid: templates
  },
  {
    accepted: { template: "meetings" },
    refused: { template: "constructor" },
    detail: "Invalid template: constructor",
    unsaid: templates
  }
]

/** How the sentence shows a value that is not text. */
const wrong = [
  [1, "1"],
  [true, "true"],
  [["en"], "array"],
  [{ a: 1 }, "object"]
] as const

const typed: ReadonlyArray<readonly [name: string, good: unknown, (shown: string) => string]> = [
  ["url", url, () => "The 'URL' field must be a string"],
  ["callback_url", hook, () => "The 'callback_url' field must be a string"],
  ["language", "de", () => "Invalid language format. Must be a string"],
  ["modifier", "vtt", (shown) => `Invalid modifier: ${shown}`],
  ["summary", "medium", (shown) => `Invalid summary type: ${shown}`],
  ["callback_id", "a", () => callbackId],
  ["initial_prompt", "a", () => prompt],
  ["template", "meetings", (shown) => `Invalid template: ${shown}`]
]

/** JSON has other types than text. */
const types: ReadonlyArray<TranscriptionBoundary> = typed.flatMap(([name, good, detail]) =>
  wrong.map(([value, shown]) => ({
    accepted: { [name]: good },
    refused: { [name]: value },
    detail: detail(shown),
    only: ["json" as const]
  }))
)

/** Every boundary of a parameter. */
export const boundaries: ReadonlyArray<TranscriptionBoundary> = [
  ...addresses,
  ...words,
  ...flags,
  ...texts,
  ...types
]

/** Each parameter except `url`, which a request cannot do without. */
export const optional = [
  "language",
  "initial_prompt",
  "vad_filter",
  "disable_diarization",
  "callback_url",
  "callback_id",
  "modifier",
  "template",
  "summary"
] as const
