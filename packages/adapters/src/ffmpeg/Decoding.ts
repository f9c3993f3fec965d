/**
 * Implements `AudioDecoder` for any engine that writes raw audio to an open file. This module
 * enforces limits, creates the private folder for the audio, chooses tracks, and warns about
 * ignored tracks.
 */
import { constants } from "node:fs"
import { access, lstat, mkdtemp, opendir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { AudioDecoder, type AudioDecoderError, trace } from "@verbatim/core/ports"
import {
  type DecodedAudio,
  type LocalMedia,
  sampleRate,
  type Tracks,
  Warning
} from "@verbatim/core/transcription"
import { Duration, Effect, Layer, Option, Result, type Scope } from "effect"
import { makeFolders } from "../filesystem/makeFolders.ts"
import { type Description, isAboutAsLong, leadingSilence } from "./Description.ts"
import { bytesOfHours, sampleBytes } from "./FfmpegArguments.ts"
import { type Engine, makeError } from "./FfmpegOutcome.ts"
import { type Head, readHead } from "./MediaHead.ts"
import { hashSound, mixTracks, readLoudness } from "./SoundFiles.ts"
import {
  decodeSelection,
  openFile,
  readSound,
  runEngine,
  type Sound,
  type Source,
  tryStorage
} from "./TrackDecoding.ts"

// Creates a private folder for one decoding. The folder is removed when the scope closes; folders
// left by a crash are removed by a later decoding.

/** Name prefix of decoding folders, because other programs may share the directory. */
const prefix = "verbatim-audio-"

/**
 * A folder of this age is considered abandoned: a slow recogniser takes twice as long as the audio,
 * at most 20 hours.
 */
const staleMillis = 48 * 60 * 60 * 1_000

const remove = (path: string) => rm(path, { recursive: true, force: true })

const makeFolder = (directory: string) =>
  Effect.acquireRelease(
    tryStorage(async () => {
      makeFolders(directory, 0o700)
      return await mkdtemp(join(directory, prefix))
    }),
    // A folder that cannot be removed now is removed by a later decoding.
    (path) => Effect.ignore(Effect.tryPromise(() => remove(path)))
  )

/**
 * Removes folders that cannot be in use any more. The system sets the folders' timestamps, so the
 * system's clock is used.
 */
const sweepFolders = (directory: string): Effect.Effect<void> =>
  Effect.ignore(
    Effect.tryPromise(async () => {
      const staleBefore = Date.now() - staleMillis
      for await (const entry of await opendir(directory)) {
        if (!entry.isDirectory() || !entry.name.startsWith(prefix)) continue
        const path = join(directory, entry.name)
        // Another decoding may remove the folder in the meantime.
        const mtimeMs = (await lstat(path).catch(() => undefined))?.mtimeMs ?? staleBefore
        // Folders of other users cannot be removed, so they remain.
        if (mtimeMs < staleBefore) await remove(path).catch(() => undefined)
      }
    })
  )

/** A decoder's limits and working directory. */
export interface DecoderOptions {
  /** Maximum audio length in whole hours, by default 10. Longer audio fails with `AudioTooLong`. */
  readonly maxHours?: number
  /**
   * Maximum decoding time for one file, by default 30 minutes. Slower decoding fails with
   * `AudioTooLong`.
   */
  readonly timeout?: Duration.Input
  /**
   * Folder for the decoded audio, which takes 144 MB per hour. Default: the system's temporary
   * folder.
   */
  readonly directory?: string
}

/**
 * Default maximum length in hours: longer than a working day. Ten hours of decoded audio take 1.2
 * GB.
 */
const hoursMax = 10

/**
 * Default time limit: 10 hours at 20 times real time. The slowest measured decoding, on a busy
 * core, ran at 160 times real time.
 */
const timeoutMax = Duration.minutes(30)

/**
 * Minimum number of bytes in a file per second of audio. The lowest measured rate was 28, in silent
 * FLAC at 8,000 Hz. A file with fewer bytes per second is an attack on the decoder.
 */
const byteRateMin = 10

/**
 * Length of decoded audio that is always allowed, because even a few bytes may contain a short
 * sound.
 */
const shortestMax = Duration.minutes(1)

/** Returns the maximum size of the decoded audio, in bytes, for a file of this length. */
const bytesOfMedia = (byteLength: number): number =>
  sampleBytes *
  sampleRate *
  Math.ceil(Math.max(byteLength / byteRateMin, Duration.toSeconds(shortestMax)))

/**
 * Maximum number of tracks to decode, one after another. Recorders that write one track per voice
 * use fewer tracks.
 */
const trackMax = 16

/** Maximum peak of a silent track, -70 dBFS: encoded digital silence is quieter. */
const silentPeakMax = 10

/**
 * Reads a recording's head and its length in bytes, and refuses a file that must not be decoded.
 */
const judgeHead = Effect.fnUntraced(function* (path: string, hoursMax: number) {
  yield* tryStorage(() => access(path, constants.R_OK))
  const { isFile, size } = yield* tryStorage(async () => {
    const found = await stat(path)
    return { isFile: found.isFile(), size: found.size }
  })
  // The length of a pipe is unknown, and reading the head would consume the data.
  const unknown: Head = { isHtml: false, isLengthIgnored: false }
  if (!isFile) return { ...unknown, byteLength: Number.POSITIVE_INFINITY }
  const file = yield* openFile(path, "r")
  const head = yield* tryStorage(() => readHead(file, { hoursMax, byteLength: size }))
  if ("_tag" in head) return yield* Effect.fail(makeError(head))
  return { ...head, byteLength: size }
}, Effect.scoped)

/**
 * Chooses a single track: the default track if its codec is known, otherwise the first one with a
 * known codec.
 */
export const chooseTrack = ({ tracks }: Pick<Description, "tracks">): number => {
  const marked = tracks.findIndex(({ isDefault, isKnown }) => isDefault && isKnown)
  return Math.max(0, marked === -1 ? tracks.findIndex(({ isKnown }) => isKnown) : marked)
}

interface DecodedSound {
  readonly sound: Omit<Sound, "complaints">
  readonly warnings: ReadonlyArray<Warning>
}

/**
 * Returns a function that decodes one track. The first track is decoded immediately, to learn which
 * other tracks exist.
 */
const makeTrackDecoder = Effect.fnUntraced(function* (source: Source) {
  const first = yield* runEngine(source, { track: 0 })
  const decodeTrack = (track: number) =>
    track === 0 ? readSound(first) : decodeSelection(source, { track })
  return { description: first.report.description, decodeTrack }
})

type TrackDecoder = Effect.Success<ReturnType<typeof makeTrackDecoder>>

/** Returns the first audible track other than the given silent track. */
const findAudibleTrack = Effect.fnUntraced(function* (decoder: TrackDecoder, silent: number) {
  const count = Math.min(trackMax, decoder.description?.tracks.length ?? 0)
  for (let track = 0; track < count; track += 1) {
    if (track === silent) continue
    const decoded = yield* Effect.option(decoder.decodeTrack(track))
    if (Option.isNone(decoded)) continue
    yield* tryStorage(() => rm(decoded.value.path))
    if (decoded.value.top > silentPeakMax) return track
  }
  return undefined
})

const decodeDefault = Effect.fnUntraced(function* (
  decoder: TrackDecoder
): Effect.fn.Return<DecodedSound & { readonly complaints: string }, AudioDecoderError> {
  const { description } = decoder
  const tracks = description?.tracks ?? []
  const track = chooseTrack({ tracks })
  const sound = yield* decoder.decodeTrack(track)
  const warnings: Array<Warning> = []
  const trackCount = tracks.length
  if (trackCount > 1) {
    warnings.push(Warning.cases.TracksIgnored.make({ trackCount, track: track + 1 }))
  }
  if (sound.top <= silentPeakMax) {
    const audible = yield* findAudibleTrack(decoder, track)
    const others = audible === undefined ? {} : { soundingTrack: audible + 1 }
    warnings.push(Warning.cases.Silent.make({ track: track + 1, ...others }))
  }
  return { sound, warnings, complaints: sound.complaints }
})

const tooManyTracks = (count: number) =>
  makeError({ _tag: "MediaUndecodable", detail: `it has ${count} sound tracks` })

/** Whether the failure affects only this track, so that other tracks can still be decoded. */
const isOfTrack = ({ reason }: AudioDecoderError): boolean =>
  reason._tag === "MediaUndecodable" || reason._tag === "AudioMissing"

/** Decodes all tracks that can be decoded, and mixes them. */
const decodeAll = Effect.fnUntraced(function* (
  decoder: TrackDecoder,
  { folder, isPerSpeaker }: { readonly folder: string; readonly isPerSpeaker: boolean }
): Effect.fn.Return<DecodedSound & { readonly complaints: string }, AudioDecoderError> {
  const tracks = decoder.description?.tracks ?? []
  if (tracks.length > trackMax) return yield* Effect.fail(tooManyTracks(tracks.length))
  const decoded: Array<Sound> = []
  let failure: AudioDecoderError | undefined
  for (const track of tracks.keys()) {
    const outcome = yield* Effect.result(decoder.decodeTrack(track))
    if (Result.isSuccess(outcome)) decoded.push(outcome.success)
    else if (isOfTrack(outcome.failure)) failure ??= outcome.failure
    else return yield* Effect.fail(outcome.failure)
  }
  if (decoded.length === 0 && failure !== undefined) return yield* Effect.fail(failure)
  const path = join(folder, "mix.pcm")
  const sampleCount = decoded.reduce((longest, each) => Math.max(longest, each.sampleCount), 0)
  const paths = decoded.map((each) => each.path)
  const balance = yield* tryStorage((signal) => mixTracks(paths, { path, sampleCount, signal }))
  // The files of the individual tracks are removed before recognition starts, because recognition
  // may take as long as the recording.
  yield* tryStorage(() => Promise.all(paths.map((each) => rm(each))))
  const loudness = yield* tryStorage((signal) => readLoudness(path, { sampleCount, signal }))
  const isOneChannel = decoded.some((each) => each.isOneChannel)
  const sound = { path, sampleCount, isOneChannel, ...loudness }
  return {
    sound: isPerSpeaker ? { ...sound, balance } : sound,
    warnings: loudness.top <= silentPeakMax ? [Warning.cases.Silent.make({ track: 1 })] : [],
    complaints: decoded.map(({ complaints }) => complaints).join("\n")
  }
})

/** ffmpeg's messages for a file that ends too early. */
const cutShort = /partial file|File ended prematurely|Packet corrupt/

/** Warns if a recording is shorter than its file declares. */
const findTruncation = (
  { complaints, sound }: DecodedSound & { readonly complaints: string },
  { declared, description }: { readonly declared?: number; readonly description?: Description }
): ReadonlyArray<Warning> => {
  const seconds = declared ?? description?.declared ?? 0
  const read = sound.sampleCount / sampleRate
  const lead = description === undefined ? 0 : leadingSilence(description, read)
  const isShorter = !isAboutAsLong(read, seconds - lead)
  // A video's length proves nothing, because its audio may end before its video.
  const isCut = isShorter && (description?.hasOthers !== true || cutShort.test(complaints))
  if (!isCut) return []
  return [
    Warning.cases.AudioTruncated.make({
      declaredMillis: Math.round(seconds * 1_000),
      readMillis: Math.round(read * 1_000)
    })
  ]
}

const make = (engine: Engine, options: DecoderOptions): AudioDecoder["Service"] => {
  const hours = options.maxHours ?? hoursMax
  const timeout = Duration.fromInputUnsafe(options.timeout ?? timeoutMax)
  const directory = directoryOf(options)

  const decodeIn = Effect.fnUntraced(function* (
    folder: string,
    { media, tracks }: { readonly media: LocalMedia; readonly tracks: Tracks }
  ): Effect.fn.Return<DecodedAudio, AudioDecoderError> {
    const head = yield* judgeHead(media.path, hours)
    const byteMax = Math.min(bytesOfHours(hours), bytesOfMedia(head.byteLength))
    const limits = { timeout, hoursMax: hours, byteMax }
    const decoder = yield* makeTrackDecoder({ ...limits, ...head, engine, media, folder })
    const { description } = decoder
    const isOne = tracks === "default" || (description?.tracks.length ?? 0) < 2
    const decoded = isOne
      ? yield* decodeDefault(decoder)
      : yield* decodeAll(decoder, { folder, isPerSpeaker: tracks === "speakers" })
    const { balance, isOneChannel, path, peaks, sampleCount } = decoded.sound
    const warnings = [
      ...decoded.warnings,
      ...findTruncation(decoded, { ...head, ...(description !== undefined && { description }) }),
      ...(isOneChannel ? [Warning.cases.ChannelsCancel.make({})] : [])
    ]
    return {
      ...{ path, sampleCount, peaks },
      ...(balance !== undefined && { balance }),
      ...(warnings.length > 0 && { warnings })
    }
  })

  return {
    decode: trace("AudioDecoder.decode")(function* (
      media: LocalMedia,
      tracks: Tracks = "default"
    ): Effect.fn.Return<DecodedAudio, AudioDecoderError, Scope.Scope> {
      // Folders are swept before every decoding, because after a quick restart, folders left behind
      // by the server itself are too recent to be removed.
      yield* sweepFolders(directory)
      const folder = yield* makeFolder(directory)
      const decoded = yield* Effect.timeoutOption(decodeIn(folder, { media, tracks }), timeout)
      if (Option.isSome(decoded)) return decoded.value
      return yield* Effect.fail(makeError({ _tag: "AudioTooLong", maxHours: hours }))
    }),
    digest: ({ path }, range) => tryStorage((signal) => hashSound(path, { ...range, signal }))
  }
}

const directoryOf = (options: DecoderOptions): string => resolve(options.directory ?? tmpdir())

/** Provides an `AudioDecoder` that runs the given engine. */
export const layer = (
  engine: Effect.Effect<Engine>,
  options: DecoderOptions
): Layer.Layer<AudioDecoder> =>
  Layer.effect(
    AudioDecoder,
    Effect.map(engine, (found) => make(found, options))
  )
