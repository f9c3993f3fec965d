/**
 * What the end of a decoder means. Its words come from ffmpeg, and ffmpeg repeats what the media
 * says: they are hostile text, searched for a few sentences and kept, cleaned, for the operator.
 */
import { AudioDecoderError } from "@verbatim/core/ports"
import type { LocalMedia } from "@verbatim/core/transcription"
import { type Duration, type Effect, Result } from "effect"
import { type Description, type Report, readLog } from "./Description.ts"
import { bytesOfHours, channelMax, type Selection, sampleBytes } from "./FfmpegArguments.ts"

/** Why a decoder is no longer there. */
export type End =
  | { readonly _tag: "Exited"; readonly code: number }
  | { readonly _tag: "Signalled"; readonly signal: string }
  /** The input could not be read or the output not be written, with the system's code. */
  | { readonly _tag: "StorageFailed"; readonly code: string }

/** How a decoder ended, and the first and the last of what it said. */
export interface Run {
  readonly end: End
  readonly log: string
}

/** Why there is no audio. */
export type Reason = AudioDecoderError["reason"]

/** A line of a log, not a log. */
const detailMax = 500

/** ffmpeg ends with this code when a signal asked it to stop, which is not the media's fault. */
const interruptedCode = 255

/** The shell's codes for a program that cannot be started or is not there. */
const notStartedCodes: ReadonlySet<number> = new Set([126, 127])

/** Sent from outside: by an operator, a supervisor, or a system that is short of memory. */
const outsideSignals: ReadonlySet<string> = new Set(["SIGHUP", "SIGINT", "SIGKILL", "SIGTERM"])

/** Full storage shows only in words: ffmpeg 5 may end with 0 although the last bytes were lost. */
const storageFull = /No space left on device|Disk quota exceeded|File too large/

/** Words of the file are never believed: they would stop the work on all others. */
const isStorageFull = ({ complaints, isOwn }: Report): boolean =>
  isOwn && storageFull.test(complaints)

const unknownFormat = /: Invalid (?:data found when processing input|argument)\s*$/

const noSound = /matches no streams|does not contain any stream/

/** Text of one line that every store and every terminal takes. The end is kept: it decides. */
export const cleanDetail = (text: string): string =>
  text
    .replace(/[^\x21-\x7e]+/g, " ")
    .trim()
    .slice(-detailMax)

type Cause = Extract<Reason, { readonly _tag: "MediaUndecodable" }>["cause"]

/** Why ffmpeg could not decode a file, as far as it says. */
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

/** What a decoder left, and what it was given. */
interface Output {
  readonly byteLength: number
  readonly hoursMax: number
  /** Whether the file begins as a web page. */
  readonly isHtml: boolean
  readonly track: number
  /** A word that the file cannot know (`Engine.ts`). */
  readonly mark: string
}

/**
 * The number of samples, or why there are none. An irregular end is a failure even when there are
 * samples: nobody knows whether these are all. Damaged media ends regularly.
 */
export const judge = ({ end, log }: Run, output: Output): Result.Result<number, Reason> => {
  if (output.byteLength > bytesOfHours(output.hoursMax)) {
    return Result.fail({ _tag: "AudioTooLong", maxHours: output.hoursMax })
  }
  const report = readLog(log, output.mark)
  const isRegular = end._tag === "Exited" && end.code === 0 && !isStorageFull(report)
  if (!isRegular) return Result.fail(failure(end, report, output))
  const sampleCount = Math.floor(output.byteLength / sampleBytes)
  return sampleCount > 0 ? Result.succeed(sampleCount) : Result.fail({ _tag: "AudioMissing" })
}

// What decodes: a program or a thread, for one track at a time.

/** One decoding. */
export interface Task {
  readonly media: LocalMedia
  readonly selection: Selection
  /** An empty private folder for whatever the engine needs. */
  readonly folder: string
  /** A word that the media cannot know. It is in the names of outputs (`Description.ts`). */
  readonly mark: string
  /** The descriptor of the open file that takes the audio. */
  readonly output: number
  /** Where that file is: not every runtime gives a thread the descriptors of another. */
  readonly outputPath: string
  /** The engine stops when it has written more. */
  readonly byteMax: number
  readonly timeout: Duration.Duration
}

/** Decodes, and ends at once when it is interrupted. */
export type Engine = (task: Task) => Effect.Effect<Run, AudioDecoderError>

/** The file in its folder that an engine writes all channels to, if it does. */
export const balanceOf = (mark: string): string => `${mark}.wav`

/** The file in its folder that an engine writes the times of packets to, if it does. */
export const indexOf = (mark: string): string => `${mark}.txt`

/** More than the extra sample that shows audio to be too long. */
const fileByteSlack = 1_048_576

/** The most that an engine may write into one file, if it does not stop by itself. */
export const fileByteMaxOf = (byteMax: number): number => byteMax + fileByteSlack

/** The error of the port. */
export const makeError = (reason: Reason): AudioDecoderError => new AudioDecoderError({ reason })
