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

const keywords =
  "Invalid 'keywords' value. Must be a list of at most 100 words or phrases, each of 1 to 100 " +
  "characters without control characters and without spaces at its ends, 4096 characters together"

const speakers = "Invalid 'speakers' value. Must be an integer from 1 to 32"

const textLists = "what a text has between its commas no schema tells"
const networks = "what a URL leads to is judged when it is parsed and resolved"
const bytes = "JSON Schema counts characters, not bytes"
const templates = "the operator's templates are not part of the description"

/** Rows about one parameter: an accepted value, and a refused one. */
const rowsOf = (
  name: string,
  rule: Omit<TranscriptionBoundary, "accepted" | "refused">,
  values: ReadonlyArray<readonly [accepted: string, refused: string]>
): ReadonlyArray<TranscriptionBoundary> =>
  values.map(([accepted, refused]) => ({
    accepted: { [name]: accepted },
    refused: { [name]: refused },
    ...rule
  }))

const addresses: ReadonlyArray<TranscriptionBoundary> = [
  ...rowsOf("url", { detail: urlScheme }, [
    [url, "ftp://media.example.com/a.mp3"],
    ["http://media.example.com/a.mp3", "http:/media.example.com/a.mp3"],
    ["HTTPS://media.example.com/a.mp3", ` ${url}`],
    [`${url}?a=b#c`, "media.example.com"]
  ]),
  ...rowsOf("callback_url", { detail: callbackScheme }, [
    [hook, "ftp://hooks.example.com/in"],
    ["HTTP://hooks.example.com:8080", "hooks.example.com:8080"],
    [`${hook}?a=b`, `\t${hook}`]
  ]),
  ...rowsOf("callback_url", { detail: unreachable }, [
    [hook.padEnd(2048, "a"), hook.padEnd(2049, "a")]
  ]),
  ...rowsOf("callback_url", { detail: unreachable, unsaid: networks }, [
    ["http://8.8.8.8/", "http://127.0.0.1/"],
    ["http://[2606:4700::1]/", "http://[::ffff:10.0.0.1]/"],
    ["http://a.example/", "http://localhost/"],
    ["http://a.example:80/", "http://a.example:25/"],
    ["http://a.example/b@c", "http://b:c@a.example/"]
  ])
]

const words: ReadonlyArray<TranscriptionBoundary> = [
  ...rowsOf("language", { detail: "Invalid language code: aa" }, [["af", "aa"]]),
  ...rowsOf("language", { detail: "Invalid language code: EN" }, [["en", "EN"]]),
  ...rowsOf("language", { detail: "Invalid language code: zh-CN" }, [["zh", "zh-CN"]]),
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

const halves = {
  only: ["json"],
  unsaid: "half a character is not text to a regular expression"
} as const

/** 41 keywords of almost 100 characters, so many together. */
const long = (together: number) =>
  Array.from({ length: 41 }, (_, index) =>
    `${index}`.padEnd(index < 40 ? 100 : together - 4_000, "k")
  )

const many = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`)

/** Lists in JSON. The same as text, in forms. */
const lists: ReadonlyArray<TranscriptionBoundary> = (
  [
    [
      ["Zoë Baker", "myocarditis"],
      ["Zoë Baker", ""]
    ],
    [["a b"], [" a"]],
    [["a\u00a0b"], ["a\u00a0"]],
    [["a-b"], ["a\nb"]],
    [["k".repeat(100)], ["k".repeat(101)]],
    [["🎙".repeat(100)], ["🎙".repeat(101)]],
    [many(100), many(101)],
    [[], [7]],
    [["a"], [["a"]]]
  ] as const
).flatMap(([accepted, refused]) => [
  {
    accepted: { keywords: accepted },
    refused: { keywords: refused },
    detail: keywords,
    only: ["json"] as const
  },
  {
    accepted: { keywords: JSON.stringify(accepted) },
    refused: { keywords: JSON.stringify(refused) },
    detail: keywords,
    only: ["form", "multipart"] as const,
    unsaid: textLists
  }
])

const texts: ReadonlyArray<TranscriptionBoundary> = [
  ...rowsOf("callback_id", { detail: callbackId }, [["a".repeat(1024), "a".repeat(1025)]]),
  ...rowsOf("callback_id", { detail: callbackId, unsaid: bytes }, [
    [`${"é".repeat(511)}ab`, `${"é".repeat(511)}abc`],
    ["🎙️".repeat(2), "🎙".repeat(257)]
  ]),
  ...rowsOf("callback_id", { detail: callbackId }, [
    ["a b", " ab"],
    ["a b", "ab "],
    ["a~b", "a\u007fb"],
    ["a\u00a0b", "a\u0085b"],
    ["utf8-b64:YQ==", "a\u0000"]
  ]),
  ...rowsOf("callback_id", { detail: callbackId, ...halves }, [["\ud83d\ude00", "\ud83d"]]),
  ...rowsOf("initial_prompt", { detail: prompt }, [
    ["p".repeat(4096), "p".repeat(4097)],
    ["🎙".repeat(4096), "🎙".repeat(4097)],
    ["a\nb", "a\u0000b"]
  ]),
  ...rowsOf("initial_prompt", { detail: prompt, ...halves }, [["\ud83d\ude00", "\ude00"]]),
  ...lists,
  {
    accepted: { keywords: long(4_096) },
    refused: { keywords: long(4_097) },
    detail: keywords,
    only: ["json"],
    unsaid: "JSON Schema cannot add lengths up"
  },
  {
    accepted: { keywords: "Zoë Baker , myocarditis," },
    refused: { keywords: "Zoë\u0007" },
    detail: keywords,
    only: ["form", "multipart"],
    unsaid: textLists
  },
  {
    accepted: { keywords: '["a"]' },
    refused: { keywords: '["a", 7]' },
    detail: keywords,
    only: ["form", "multipart"],
    unsaid: textLists
  },
  ...[1, 32].flatMap((count) => [
    {
      accepted: { speakers: count },
      refused: { speakers: count === 1 ? 0 : 33 },
      detail: speakers,
      only: ["json"] as const
    },
    {
      accepted: { speakers: `${count}` },
      refused: { speakers: count === 1 ? "0" : "33" },
      detail: speakers,
      only: ["form", "multipart"] as const
    }
  ]),
  { accepted: { speakers: 2 }, refused: { speakers: 1.5 }, detail: speakers, only: ["json"] },
  {
    accepted: { speakers: "2" },
    refused: { speakers: "02" },
    detail: speakers,
    only: ["form", "multipart"]
  },
  { accepted: { speakers: null }, refused: { speakers: "2" }, detail: speakers, only: ["json"] },
  ...rowsOf("tracks", { detail: "Invalid tracks: all" }, [
    ["default", "all"],
    ["mix", "all"],
    ["speakers", "all"]
  ]),
  ...rowsOf("template", { detail: "Invalid template: Meetings", unsaid: templates }, [
    ["meetings", "Meetings"]
  ]),
  ...rowsOf("template", { detail: "Invalid template: constructor", unsaid: templates }, [
    ["meetings", "constructor"]
  ])
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
  ["keywords", ["a"], () => keywords],
  ["tracks", "mix", (shown) => `Invalid tracks: ${shown}`],
  ["template", "meetings", (shown) => `Invalid template: ${shown}`]
]

/** JSON has other types than text. */
const types: ReadonlyArray<TranscriptionBoundary> = typed.flatMap(([name, good, detail]) =>
  wrong
    .filter(([value]) => !(name === "keywords" && Array.isArray(value)))
    .map(([value, shown]) => ({
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
  "keywords",
  "speakers",
  "tracks",
  "vad_filter",
  "disable_diarization",
  "callback_url",
  "callback_id",
  "modifier",
  "template",
  "summary"
] as const
