/**
 * Reasons why work on a job can fail. The list is closed. Each reason defines the sentence that a
 * caller sees, and whether another attempt can help. Ports fail with these reasons, `Verdict`
 * decides what happens next, and the history stores them.
 */
import { Record, Schema } from "effect"
import { storable } from "../schema/StorableText.ts"

// Removes likely secrets from external text. An engine's error message may repeat a rejected key,
// and URLs may contain tokens.

/**
 * Maximum number of characters searched for secrets. A server's error message may be a whole page.
 */
const lengthMax = 4_000

/** Matches `API key provided:` and similar phrases, with the text that follows. */
const named = new RegExp(
  String.raw`\b((?:api[ -]?)?key|token|secret|password)` +
    "((?: provided| given| is| was)?[:=]\\s*[\\\\\"'`]*)" +
    "[^\\s\"'`,;]*[^\\s\"'`,;.]",
  "gi"
)

/** Patterns that match secrets, each with its replacement. */
const secrets: ReadonlyArray<readonly [RegExp, string]> = [
  [/(\w{1,20}:\/\/)[^\s/@]*@/g, "$1[key]@"],
  [/([?&#][\w.-]+=)[^\s&"']+/g, "$1[key]"],
  [/\b(bearer|basic|token)(\s+)[\w.+/=*-]{6,}/gi, "$1$2[key]"],
  [named, "$1$2[key]"],
  [/\b(?:sk|pk|rk|gsk|xi|key|api|vb[imo]|whsec|hf|xai)[-_][\w*.+/=-]{5,}[\w*+/=]/gi, "[key]"],
  // Some servers mask the middle of a key. The pattern can match in only one way, so that untrusted
  // text cannot slow it down.
  [/[\w.-]{0,64}\*{2}[\w*-]*(?:\.[\w*-]+)*/g, "[key]"]
]

/** Matches 20 or more consecutive characters that could be a key. */
const run = /[\w+/-]{20,}=*/g

/**
 * Whether text could be part of a model name or a hyphenated word: letters, numbers, or a short
 * mixture of both.
 */
const isNamePart = (part: string): boolean =>
  part.length <= 6 || /^(?:[a-z]+|[A-Z][a-z]+|\d{1,8})$/i.test(part)

const isName = (text: string): boolean =>
  text.length < 80 && text.split(/[-_/]/).every((part) => part.length <= 24 && isNamePart(part))

/** Returns the text without secrets, truncated if it is very long. */
export const withoutSecrets = (text: string): string =>
  secrets
    .reduce((clean, [pattern, by]) => clean.replace(pattern, by), text.slice(0, lengthMax))
    .replace(run, (found) => (isName(found) ? found : "[key]"))

/** Free text for the operator's log and the history; never part of a sentence for callers. */
const detail = Schema.String

/** The reason why an attempt failed. */
export const Failure = Schema.TaggedUnion({
  /**
   * The URL could not be read: it was refused, unreachable or too slow, or the status of the
   * response was not 2xx.
   */
  MediaUnreachable: { detail },
  /** The media at the URL is larger than this server accepts. */
  MediaTooLarge: { maxMegabytes: Schema.Int },
  /** The server does not accept the extension of the media at the URL. */
  MediaUnsupported: { extension: Schema.String },
  /** The stored media no longer exists. */
  MediaMissing: {},
  /**
   * The file is not media, or is corrupt from the first byte. The cause is included if it is known.
   */
  MediaUndecodable: {
    detail,
    cause: Schema.optionalKey(
      Schema.Literals(["Empty", "Html", "IndexMissing", "UnknownFormat", "TooManyChannels"])
    )
  },
  /** The media has no audio track, or the track is empty. */
  AudioMissing: {},
  /** Decoding or recognising the recording would exceed the limits. */
  AudioTooLong: { maxHours: Schema.Int },
  /** The engine has no model for the language. */
  LanguageUnsupported: { language: Schema.String },
  /**
   * The engine does not respond, or refuses every request because of our key, model or settings.
   * The attempt counts as an outage, because the job itself is not the cause.
   */
  EngineUnavailable: { detail },
  EngineFailed: { detail },
  /** The engine refuses this recording or this text, and always will. */
  EngineRefused: { detail },
  StorageFailed: { detail },
  /** The transcript no longer exists, because the job was just deleted. */
  TranscriptMissing: {},
  /** The webhook receiver responded with a status other than 2xx. */
  ReceiverRefused: { status: Schema.Int, detail: Schema.optionalKey(detail) },
  /** The webhook receiver did not respond in time, or at all. */
  ReceiverUnreachable: { detail },
  /** The process that was running the task died. */
  WorkerLost: {},
  /**
   * The first attempt may have sent a body that cannot be rebuilt, so this attempt sent nothing.
   */
  BodyChanged: {},
  /** The host's listener failed, or did not return in time. */
  ListenerFailed: { detail }
})
export type Failure = typeof Failure.Type

/** The name of a failure, by which a list can find jobs that failed for the same reason. */
export const FailureName = Schema.Literals(Record.keys(Failure.cases))
export type FailureName = typeof FailureName.Type

/**
 * Maximum length of a detail. Every attempt stores a detail, and a longer text would not help an
 * operator.
 */
const detailLengthMax = 2_000

/**
 * Cleans a failure so that every store accepts it. The detail comes from other programs and
 * servers, and may contain any characters.
 */
export const toStorable = (failure: Failure): Failure =>
  "detail" in failure && failure.detail !== undefined
    ? { ...failure, detail: storable(withoutSecrets(failure.detail), detailLengthMax) }
    : failure

const undecodable = {
  Empty: "The file is empty",
  Html: "The file is a web page, not a recording",
  IndexMissing: "The MP4 file has no index: it was not finished, or only partly copied",
  UnknownFormat: "The format of the file is not known",
  TooManyChannels: "The file has more channels than can be decoded"
} as const

/** Returns the sentence that a caller sees, without hosts, paths or external text. */
export const sentence: (failure: Failure) => string = Failure.match({
  MediaUnreachable: () => "Failed to access the file or invalid URL",
  MediaTooLarge: ({ maxMegabytes }) => `File size exceeds ${maxMegabytes}MB limit`,
  MediaUnsupported: ({ extension }) => `Unsupported file extension: ${extension}`,
  MediaMissing: () => "The file is no longer stored",
  MediaUndecodable: ({ cause }) =>
    cause === undefined ? "The file could not be decoded" : undecodable[cause],
  AudioMissing: () => "The file has no audio",
  AudioTooLong: ({ maxHours }) => `The audio is longer than ${maxHours} hours`,
  LanguageUnsupported: ({ language }) => `The speech engine does not support: ${language}`,
  EngineUnavailable: () => "The engine is not available",
  EngineFailed: () => "The engine failed",
  EngineRefused: () => "The engine refused the work",
  StorageFailed: () => "The storage is not available",
  TranscriptMissing: () => "The transcript is no longer stored",
  ReceiverRefused: ({ status }) => `The receiver answered ${status}`,
  ReceiverUnreachable: () => "The receiver could not be reached",
  WorkerLost: () => "The work was interrupted too often",
  BodyChanged: () => "The webhook could not be repeated as it was",
  ListenerFailed: () => "The listener of the host failed"
})

/**
 * Whether a dependency of the task was unreachable. The recording is not at fault, so the attempt
 * is not counted and the task waits.
 */
export const isOutage = ({ _tag }: Failure): boolean =>
  _tag === "EngineUnavailable" || _tag === "StorageFailed" || _tag === "MediaMissing"

/** Whether another attempt can succeed. */
export const isTransient = ({ _tag }: Failure): boolean => !permanent.has(_tag)

const permanent: ReadonlySet<Failure["_tag"]> = new Set([
  "MediaTooLarge",
  "MediaUnsupported",
  "MediaUndecodable",
  "AudioMissing",
  "AudioTooLong",
  "LanguageUnsupported",
  "EngineRefused",
  "TranscriptMissing",
  "BodyChanged"
])

// The cause of a failure in the words of the engine, receiver or server: one short line without
// likely secrets, for operators and workspace managers.

/** Maximum length of a log or history line, in UTF-16 units. */
const lineLengthMax = 500

/** Matches line breaks and invisible characters. */
const breaks = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/** Matches a path on this machine. Responses never show such paths. */
const path = /(^|[\s"'`(=])(?:file:\/\/)?(?:\/[\w.@+-]+){2,}\/?/g

const v4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`
const v6 = String.raw`\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\]?`

/**
 * Matches an IPv4 or IPv6 address, with or without a port. Only the log shows resolved addresses.
 */
const address = new RegExp(String.raw`(?<![\w.])(?:${v4}|${v6})(?::\d+)?(?![\w.]*\w)`, "gi")

/** Converts external text into one short printable line. Secrets are not removed. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(breaks, " ").trim().slice(0, lineLengthMax).toWellFormed()

/** Converts external text into one line for the log. */
export const toLine = (text: string): string => printable(withoutSecrets(text))

/** Converts external text into a failure cause that responses can show. */
export const toCause = (text: string): string =>
  printable(withoutSecrets(text).replace(path, "$1[path]").replace(address, "[address]"))

/**
 * Failures with a detail for responses. Details from our storage and from host code are only for
 * the log.
 */
const shown: ReadonlySet<Failure["_tag"]> = new Set([
  "MediaUnreachable",
  "EngineUnavailable",
  "EngineFailed",
  "EngineRefused",
  "ReceiverRefused",
  "ReceiverUnreachable"
])

/**
 * Returns the message from the engine, receiver or server; undefined if the failure's own sentence
 * is sufficient.
 */
export const causeOf = (failure: Failure): string | undefined =>
  shown.has(failure._tag) && "detail" in failure
    ? toCause(failure.detail ?? "") || undefined
    : undefined
