/**
 * Classifies how a decoder ended. ffmpeg's log repeats text from the media and cannot be trusted.
 * It is searched only for a few phrases, and cleaned before it is stored for the operator.
 */
import { AudioDecoderError } from "@verbatim/core/ports"
import type { LocalMedia } from "@verbatim/core/transcription"
import { type Duration, type Effect, Result } from "effect"
import { type Description, type Report, readLog } from "./Description.ts"
import { bytesOfHours, channelMax, type Selection, sampleBytes } from "./FfmpegArguments.ts"

/** How a decoder can end. */
export type End =
  | { readonly _tag: "Exited"; readonly code: number }
  | { readonly _tag: "Signalled"; readonly signal: string }
  /**
   * The input could not be read, or the output could not be written. `code` is the system's error
   * code.
   */
  | { readonly _tag: "StorageFailed"; readonly code: string }

/** How a decoder ended, with the first and last part of the log. */
export interface Run {
  readonly end: End
  readonly log: string
}

/** The reason why no audio was decoded. */
export type Reason = AudioDecoderError["reason"]

/** Maximum length of a detail in characters: one log line. */
const detailMax = 500

/** ffmpeg's exit code after a signal, which the media did not cause. */
const interruptedCode = 255

/** The shell's codes for a program that cannot be started or does not exist. */
const notStartedCodes: ReadonlySet<number> = new Set([126, 127])

/**
 * Signals from outside, for example from an operator, a supervisor, or a system that is short of
 * memory.
 */
const outsideSignals: ReadonlySet<string> = new Set(["SIGHUP", "SIGINT", "SIGKILL", "SIGTERM"])

/**
 * Only the log shows a full disk: ffmpeg 5 may exit with code 0 although the last bytes were lost.
 */
const storageFull = /No space left on device|Disk quota exceeded|File too large/

/**
 * Whether ffmpeg itself reports a full disk. Text from the file is not trusted here, because a
 * report of a full disk stops all other work.
 */
const isStorageFull = ({ complaints, isOwn }: Report): boolean =>
  isOwn && storageFull.test(complaints)

const unknownFormat = /: Invalid (?:data found when processing input|argument)\s*$/

const noSound = /matches no streams|does not contain any stream/

/**
 * Reduces text to one clean line that any store and terminal accepts. The end of the text is kept,
 * because the cause is stated at the end.
 */
export const cleanDetail = (text: string): string =>
  text
    .replace(/[^\x21-\x7e]+/g, " ")
    .trim()
    .slice(-detailMax)

type Cause = Extract<Reason, { readonly _tag: "MediaUndecodable" }>["cause"]

/** Returns the reason why ffmpeg could not decode a file, if known. */
const causeOf = (
  { complaints, description }: Report,
  { isHtml, track }: Pick<Output, "isHtml" | "track">
): Cause => {
  if (hasTooManyChannels(description, track)) return "TooManyChannels"
  if (description !== undefined) return undefined
  if (isHtml) return "Html"
  if (complaints.includes("moov atom not found")) return "IndexMissing"
  return unknownFormat.test(complaints) ? "UnknownFormat" : undefined
}

const hasTooManyChannels = (description: Description | undefined, track: number): boolean =>
  (description?.tracks[track]?.channelCount ?? 0) > channelMax

const failure = (end: End, log: Report, output: Output): Reason => {
  if (end._tag === "StorageFailed") return { _tag: "StorageFailed", detail: end.code }
  if (isStorageFull(log)) return { _tag: "StorageFailed", detail: cleanDetail(log.complaints) }
  const isOutside =
    end._tag === "Signalled"
      ? outsideSignals.has(end.signal)
      : end.code === interruptedCode || notStartedCodes.has(end.code)
  const how = end._tag === "Signalled" ? end.signal : `code ${end.code}`
  const detail = cleanDetail(`ffmpeg ended with ${how} ${log.complaints}`)
  if (isOutside) return { _tag: "EngineUnavailable", detail }
  if (noSound.test(log.complaints)) return { _tag: "AudioMissing" }
  const cause = causeOf(log, output)
  return { _tag: "MediaUndecodable", detail, ...(cause !== undefined && { cause }) }
}

/** The output of one run of the decoder, and the limits that applied to it. */
interface Output {
  readonly byteLength: number
  readonly hoursMax: number
  /** Whether the file begins like a web page. */
  readonly isHtml: boolean
  readonly track: number
  /** A nonce that the file's author cannot know. */
  readonly nonce: string
}

/**
 * Returns the number of decoded samples, or the reason for a failure. If ffmpeg ended abnormally,
 * decoding has failed even if there are samples, because more samples may be missing. Damaged media
 * does not make ffmpeg end abnormally.
 */
export const judge = ({ end, log }: Run, output: Output): Result.Result<number, Reason> => {
  if (output.byteLength > bytesOfHours(output.hoursMax)) {
    return Result.fail({ _tag: "AudioTooLong", maxHours: output.hoursMax })
  }
  const report = readLog(log, output.nonce)
  const isRegular = end._tag === "Exited" && end.code === 0 && !isStorageFull(report)
  if (!isRegular) return Result.fail(failure(end, report, output))
  const sampleCount = Math.floor(output.byteLength / sampleBytes)
  return sampleCount > 0 ? Result.succeed(sampleCount) : Result.fail({ _tag: "AudioMissing" })
}

// An engine is a program or a thread that decodes one track at a time.

/** The input and limits of one decoding. */
export interface Task {
  readonly media: LocalMedia
  readonly selection: Selection
  /** An empty private folder for the engine. */
  readonly folder: string
  /** A nonce in the outputs' names, unknown to the media's author (`Description.ts`). */
  readonly nonce: string
  /** The descriptor of the open audio file. */
  readonly output: number
  /** The path of the audio file, because not every runtime shares descriptors between threads. */
  readonly outputPath: string
  /** Maximum output in bytes. An engine that has written more than this stops. */
  readonly byteMax: number
  readonly timeout: Duration.Duration
}

/** Decodes one track. An interruption stops it immediately. */
export type Engine = (task: Task) => Effect.Effect<Run, AudioDecoderError>

/** The file with all channels in the engine's folder, if the engine writes such a file. */
export const balanceOf = (nonce: string): string => `${nonce}.wav`

/** The file with packet timestamps in the engine's folder, if the engine writes such a file. */
export const indexOf = (nonce: string): string => `${nonce}.txt`

/**
 * Number of bytes by which output may exceed its limit, with ample space for the extra sample that
 * shows that audio is too long.
 */
const fileByteSlack = 1_048_576

/** Returns the hard limit in bytes for one file, for an engine that does not stop by itself. */
export const fileByteMaxOf = (byteMax: number): number => byteMax + fileByteSlack

/** Creates an `AudioDecoder` error. */
export const makeError = (reason: Reason): AudioDecoderError => new AudioDecoderError({ reason })

/** Creates the error for an engine that cannot be used. The detail is for the server's log. */
export const unavailable = (detail: string): AudioDecoderError =>
  makeError({ _tag: "EngineUnavailable", detail })
