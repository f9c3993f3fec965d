/**
 * Why work on a job can fail: a closed list, with the sentence a caller sees and whether another
 * attempt can help. Ports fail with these reasons, `Verdict` judges them, history keeps them.
 */
import { Schema } from "effect"
import { storable } from "../schema/StorableText.ts"

// Texts from outside without what looks like a secret: engines repeat the key that they refuse, and
// URLs carry tokens.

/** How much is read of a text: servers answer with whole pages. */
const lengthMax = 4_000

/** What follows `API key provided:` and the like. */
const named = new RegExp(
  String.raw`\b((?:api[ -]?)?key|token|secret|password)` +
    "((?: provided| given| is| was)?[:=]\\s*[\\\\\"'`]*)" +
    "[^\\s\"'`,;]*[^\\s\"'`,;.]",
  "gi"
)

/** Each pattern, and what stands in its place. */
const secrets: ReadonlyArray<readonly [RegExp, string]> = [
  [/(\w{1,20}:\/\/)[^\s/@]*@/g, "$1[key]@"],
  [/([?&#][\w.-]+=)[^\s&"']+/g, "$1[key]"],
  [/\b(bearer|basic|token)(\s+)[\w.+/=*-]{6,}/gi, "$1$2[key]"],
  [named, "$1$2[key]"],
  [/\b(?:sk|pk|rk|gsk|xi|key|api|vb[imo]|whsec|hf|xai)[-_][\w*.+/=-]{5,}[\w*+/=]/gi, "[key]"],
  // Some servers hide the middle of a key. No part may match in two ways: this text is hostile.
  [/[\w.-]{0,64}\*{2}[\w*-]*(?:\.[\w*-]+)*/g, "[key]"]
]

/** Long runs of what keys are made of. */
const run = /[\w+/-]{20,}=*/g

/** The parts of names of models and of words with hyphens: letters, numbers, or a short mixture. */
const isNamePart = (part: string): boolean =>
  part.length <= 6 || /^(?:[a-z]+|[A-Z][a-z]+|\d{1,8})$/i.test(part)

const isName = (text: string): boolean =>
  text.length < 80 && text.split(/[-_/]/).every((part) => part.length <= 24 && isNamePart(part))

/** The text without secrets, cut when it is very long. */
export const withoutSecrets = (text: string): string =>
  secrets
    .reduce((clean, [pattern, by]) => clean.replace(pattern, by), text.slice(0, lengthMax))
    .replace(run, (found) => (isName(found) ? found : "[key]"))

/** Free text for the log and the history of the operator; never part of a sentence for callers. */
const detail = Schema.String

/** Why an attempt failed. */
export const Failure = Schema.TaggedUnion({
  /** Nothing could be read from the URL: refused, unreachable, not 2xx, too slow. */
  MediaUnreachable: { detail },
  /** The media behind the URL is larger than this server takes. */
  MediaTooLarge: { maxMegabytes: Schema.Int },
  /** What was behind the URL has no accepted extension. */
  MediaUnsupported: { extension: Schema.String },
  /** The stored media is gone. */
  MediaMissing: {},
  /** Not media, or broken from its first byte. The cause is there where it is known. */
  MediaUndecodable: {
    detail,
    cause: Schema.optionalKey(
      Schema.Literals(["Empty", "Html", "IndexMissing", "UnknownFormat", "TooManyChannels"])
    )
  },
  /** Media without a sound track, or without one sample in it. */
  AudioMissing: {},
  /** Decoding or recognising it would take more than the limits allow. */
  AudioTooLong: { maxHours: Schema.Int },
  /** The engine has no model for the language. */
  LanguageUnsupported: { language: Schema.String },
  /**
   * The engine does not answer, or refuses us whatever we send: our key, our model or our settings.
   * Only an operator or time can change that, so it is an outage.
   */
  EngineUnavailable: { detail },
  EngineFailed: { detail },
  /** The engine refuses this recording or this text, now and later. */
  EngineRefused: { detail },
  StorageFailed: { detail },
  /** The transcript is gone: the job was deleted a moment ago. */
  TranscriptMissing: {},
  /** The receiver of a webhook answered, but not with 2xx. */
  ReceiverRefused: { status: Schema.Int, detail: Schema.optionalKey(detail) },
  /** The receiver of a webhook did not answer, or not in time. */
  ReceiverUnreachable: { detail },
  /** The process that did the work vanished without a word. */
  WorkerLost: {},
  /** The first attempt may have sent bytes that cannot be made again, so nothing was sent. */
  BodyChanged: {},
  /** The host's own listener failed, or did not return in time. */
  ListenerFailed: { detail }
})
export type Failure = typeof Failure.Type

/** More would not help an operator, and it is kept with every attempt. */
const detailLengthMax = 2_000

/** A failure that every store may hold: its detail comes from programs and servers. */
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

/** The sentence a caller sees. It names no host, path or text from outside. */
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
 * Whether something that the work needs was out of reach. The recording is not to blame: such an
 * attempt is not counted, and the work waits.
 */
export const isOutage = ({ _tag }: Failure): boolean =>
  _tag === "EngineUnavailable" || _tag === "StorageFailed" || _tag === "MediaMissing"

/** Whether a later attempt can end differently. */
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

// The cause of a failure in the words of the engine, receiver or server that gave it, as operators
// and the managers of a workspace may read them: one line, short, without what looks like a secret.

/** As much as a line of a log or a history holds, in UTF-16 units. */
const lineLengthMax = 500

/** Characters that break a line or hide in one. */
const breaks = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/** A path of this machine: an answer over the wire names none. */
const path = /(^|[\s"'`(=])(?:file:\/\/)?(?:\/[\w.@+-]+){2,}\/?/g

const v4 = String.raw`\d{1,3}(?:\.\d{1,3}){3}`
const v6 = String.raw`\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\]?`

/** An IPv4 or IPv6 address with its port. Only the log names those that a resolver gave. */
const address = new RegExp(String.raw`(?<![\w.])(?:${v4}|${v6})(?::\d+)?(?![\w.]*\w)`, "gi")

/** A text from outside on one line, printable and short. Secrets stay in it. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(breaks, " ").trim().slice(0, lineLengthMax).toWellFormed()

/** A text from outside as part of a line of the log. */
export const toLine = (text: string): string => printable(withoutSecrets(text))

/** A text from outside as a cause, which may be shown over the wire. */
export const toCause = (text: string): string =>
  printable(withoutSecrets(text).replace(path, "$1[path]").replace(address, "[address]"))

/** Details of our own storage and of a host's code are for the log alone. */
const told: ReadonlySet<Failure["_tag"]> = new Set([
  "MediaUnreachable",
  "EngineUnavailable",
  "EngineFailed",
  "EngineRefused",
  "ReceiverRefused",
  "ReceiverUnreachable"
])

/** What the other side said; nothing where the sentence of the failure already says all. */
export const causeOf = (failure: Failure): string | undefined =>
  told.has(failure._tag) && "detail" in failure
    ? toCause(failure.detail ?? "") || undefined
    : undefined
