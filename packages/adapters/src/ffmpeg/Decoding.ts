/**
 * `AudioDecoder` over any engine that writes plain audio to an open file: the limits, the private
 * folder that the audio lives in, and the judgement of how the engine ended.
 */

import { constants } from "node:fs"
import { access, type FileHandle, open, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { AudioDecoder, AudioDecoderError, trace } from "@verbatim/core/ports"
import { type DecodedAudio, type LocalMedia, sampleRate } from "@verbatim/core/transcription"
import { Duration, Effect, Layer, Option, type Scope } from "effect"
import { findFault } from "./Declared.ts"
import { bytesOfHours, sampleBytes } from "./FfmpegArguments.ts"
import { judge, type Reason, type Run } from "./FfmpegOutcome.ts"
import { makePeakReading } from "./PeakReading.ts"
import * as PrivateFolder from "./PrivateFolder.ts"

/** The limits of a decoder, and where it works. */
export interface DecoderOptions {
  /** Longest audio, in whole hours. More is `AudioTooLong`. Default 10. */
  readonly maxHours?: number
  /** Longest time for one file. More is `AudioTooLong`. Default 30 minutes. */
  readonly timeout?: Duration.Input
  /** Folder for the decoded audio, 144 MB an hour. Default: the system's temporary folder. */
  readonly directory?: string
}

/** One decoding. */
export interface Task {
  readonly media: LocalMedia
  /** An empty private folder for whatever the engine needs. */
  readonly folder: string
  /** The descriptor of the open file that takes the audio. */
  readonly output: number
  /** Where that file is: not every runtime gives a thread the descriptors of another. */
  readonly outputPath: string
  /** The engine stops when it has written more. */
  readonly byteMax: number
  readonly timeout: Duration.Duration
}

/** The name that an engine gives the file with both channels, in its folder, if it writes one. */
export const balanceName = "balance.pcm"

/** Decodes, and ends at once when it is interrupted. */
export type Engine = (task: Task) => Effect.Effect<Run, AudioDecoderError>

/** Longer than any working day, and 1.2 GB of decoded audio. */
const hoursMax = 10

/** 10 hours at 20 times real time; the slowest decoding measured, on a busy core, ran at 160. */
const timeoutMax = Duration.minutes(30)

/** The error of the port. */
export const makeError = (reason: Reason): AudioDecoderError => new AudioDecoderError({ reason })

const storageStep = <A>(step: () => Promise<A>): Effect.Effect<A, AudioDecoderError> =>
  Effect.tryPromise({
    try: step,
    catch: (cause) =>
      makeError({ _tag: "StorageFailed", detail: String(Object(cause).code ?? cause) })
  })

/**
 * The least that a second of sound takes in a file, in bytes: 28 in FLAC at 8,000 Hz, all of it
 * silent, is the least that was measured. What decodes to more was made to keep a decoder busy.
 */
const byteRateMin = 10

/** A file of a few bytes may still be a short sound. */
const shortestMax = Duration.minutes(1)

/** The bytes of decoded audio that a file of that length may hold. */
const bytesOfMedia = (byteLength: number): number =>
  sampleBytes *
  sampleRate *
  Math.ceil(Math.max(byteLength / byteRateMin, Duration.toSeconds(shortestMax)))

const tooMuchSound: Reason = {
  _tag: "MediaUndecodable",
  detail: "it decodes to more sound than its length allows"
}

/** Gives the length of a recording that may be decoded, as far as it tells. */
const judgeDeclared = Effect.fnUntraced(function* (path: string, hoursMax: number) {
  yield* storageStep(() => access(path, constants.R_OK))
  const { isFile, size } = yield* storageStep(async () => {
    const found = await stat(path)
    return { isFile: found.isFile(), size: found.size }
  })
  // Nobody knows the length of a pipe, and what was read of it is gone.
  if (!isFile) return Number.POSITIVE_INFINITY
  const file = yield* openToRead(path)
  const fault = yield* storageStep(() => findFault(file, { hoursMax, byteLength: size }))
  return fault === undefined ? size : yield* Effect.fail(makeError(fault))
}, Effect.scoped)

/** Opens a file to read, for as long as the scope. */
const openToRead = (path: string) =>
  Effect.acquireRelease(
    storageStep(() => open(path, "r")),
    (handle) => Effect.ignore(storageStep(() => handle.close()))
  )

const readPeaks = Effect.fnUntraced(function* (path: string, sampleCount: number) {
  const file = yield* openToRead(path)
  const { peaks, readOn } = makePeakReading(file, sampleCount)
  let next: number | undefined = 0
  while (next !== undefined) {
    const from: number = next
    next = yield* storageStep(() => readOn(from))
  }
  return peaks()
}, Effect.scoped)

const openFile = (path: string): Effect.Effect<FileHandle, AudioDecoderError, Scope.Scope> =>
  Effect.acquireRelease(
    storageStep(() => open(path, "wx", 0o600)),
    (handle) => Effect.ignore(storageStep(() => handle.close()))
  )

/** A decoder that runs an engine. */
const make = (engine: Engine, options: DecoderOptions): AudioDecoder["Service"] => {
  const maxHours = options.maxHours ?? hoursMax
  const timeout = Duration.fromInputUnsafe(options.timeout ?? timeoutMax)
  const directory = directoryOf(options)

  const decodeTo = Effect.fnUntraced(function* (
    path: string,
    task: Pick<Task, "media" | "folder">
  ): Effect.fn.Return<number, AudioDecoderError, Scope.Scope> {
    const mediaByteLength = yield* judgeDeclared(task.media.path, maxHours)
    const output = yield* openFile(path)
    const limit = bytesOfHours(maxHours)
    const byteMax = Math.min(limit, bytesOfMedia(mediaByteLength))
    const ended = yield* Effect.timeoutOption(
      engine({ ...task, output: output.fd, outputPath: path, byteMax, timeout }),
      timeout
    )
    const { end, log } = Option.getOrElse(
      ended,
      (): Run => ({ end: { _tag: "TimedOut" }, log: "" })
    )
    const { size } = yield* storageStep(() => output.stat())
    if (byteMax < limit && size > byteMax) return yield* Effect.fail(makeError(tooMuchSound))
    const run = { end, log: log.replaceAll(task.media.path, "the media") }
    const judged = judge(run, { byteLength: size, hoursMax: maxHours })
    return yield* Effect.mapError(Effect.fromResult(judged), makeError)
  }, Effect.scoped)

  return {
    decode: trace("AudioDecoder.decode")(function* (
      media: LocalMedia
    ): Effect.fn.Return<DecodedAudio, AudioDecoderError, Scope.Scope> {
      // Not only at the start: a server that restarts at once finds its own leftovers too young.
      yield* PrivateFolder.sweep(directory)
      const folder = yield* Effect.mapError(PrivateFolder.make(directory), makeError)
      const path = join(folder, "audio.pcm")
      const sampleCount = yield* decodeTo(path, { media, folder })
      const balancePath = join(folder, balanceName)
      const hasBalance = yield* Effect.isSuccess(storageStep(() => access(balancePath)))
      const peaks = yield* readPeaks(path, sampleCount)
      return { path, sampleCount, peaks, ...(hasBalance && { balancePath }) }
    })
  }
}

const directoryOf = (options: DecoderOptions): string => resolve(options.directory ?? tmpdir())

/** A decoder as a layer. */
export const layer = (
  engine: Effect.Effect<Engine>,
  options: DecoderOptions
): Layer.Layer<AudioDecoder> =>
  Layer.effect(
    AudioDecoder,
    Effect.map(engine, (found) => make(found, options))
  )
