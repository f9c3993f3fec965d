/**
 * Decodes one track of a recording to raw audio: runs the engine, checks how it ended, and reads
 * timestamps and channels from the engine's files.
 */
import { access, mkdir, open, rename } from "node:fs/promises"
import { basename, join } from "node:path"
import type { AudioDecoderError } from "@verbatim/core/ports"
import { type Balance, type LocalMedia, sampleRate } from "@verbatim/core/transcription"
import { type Duration, Effect } from "effect"
import { type Channels, readChannels } from "./ChannelReading.ts"
import { leadingSilence, type Report, readLog } from "./Description.ts"
import { bytesOfHours, type Selection, sampleBytes } from "./FfmpegArguments.ts"
import {
  balanceOf,
  type Engine,
  indexOf,
  judge,
  makeError,
  type Reason,
  type Run
} from "./FfmpegOutcome.ts"
import {
  endOf,
  isTimed,
  type Loudness,
  readLoudness,
  readSpans,
  type Span,
  writeSpans
} from "./SoundFiles.ts"

/** The input and limits that are the same for every track of a recording. */
export interface Source {
  readonly engine: Engine
  readonly media: LocalMedia
  /** The private folder in which the engine gets a subfolder for each track. */
  readonly folder: string
  readonly timeout: Duration.Duration
  readonly hoursMax: number
  /** Maximum size in bytes of this recording's decoded audio. */
  readonly byteMax: number
  readonly isHtml: boolean
  readonly isLengthIgnored: boolean
}

/** The outcome and the output of one run of the engine. */
export interface EngineOutput {
  readonly source: Source
  readonly selection: Selection
  readonly folder: string
  readonly path: string
  readonly byteLength: number
  readonly run: Run
  readonly report: Report
}

/** A decoded track: its file, length, loudness and channel balance. */
export interface Sound extends Loudness {
  readonly path: string
  readonly sampleCount: number
  readonly balance?: Balance
  /** Whether only one channel was decoded, because the channels cancel each other out. */
  readonly isOneChannel: boolean
  /** The error messages that the engine wrote to its log. */
  readonly complaints: string
}

/** Runs a storage operation, and converts an exception to `StorageFailed`. */
export const tryStorage = <A>(
  step: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, AudioDecoderError> =>
  Effect.tryPromise({
    try: step,
    catch: (cause) =>
      makeError({ _tag: "StorageFailed", detail: String(Object(cause).code ?? cause) })
  })

const fail = (reason: Reason) => Effect.fail(makeError(reason))

/** Opens a file, and closes it when the scope closes. */
export const openFile = (path: string, flags: "r" | "wx") =>
  Effect.acquireRelease(
    tryStorage(() => open(path, flags, 0o600)),
    (handle) => Effect.ignore(tryStorage(() => handle.close()))
  )

/** The nonce is the folder's name, which is random and was chosen after the media was received. */
const nonceOf = ({ folder }: Source): string => basename(folder)

/** Runs the engine on part of a recording. */
export const runEngine = Effect.fnUntraced(function* (
  source: Source,
  selected: Pick<Selection, "track" | "channel">
): Effect.fn.Return<EngineOutput, AudioDecoderError> {
  const { byteMax, engine, isLengthIgnored, media, timeout } = source
  const selection = { ...selected, isLengthIgnored }
  const nonce = nonceOf(source)
  const folder = join(source.folder, `${selected.track}-${selected.channel ?? "all"}`)
  const path = join(folder, "audio.pcm")
  yield* tryStorage(() => mkdir(folder, { mode: 0o700 }))
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const output = yield* openFile(path, "wx")
      const ended = yield* engine({
        ...{ media, selection, folder, nonce, byteMax, timeout },
        ...{ output: output.fd, outputPath: path }
      })
      const { size } = yield* tryStorage(() => output.stat())
      const run = { ...ended, log: ended.log.replaceAll(media.path, "the media") }
      const report = readLog(run.log, nonce)
      return { source, selection, folder, path, byteLength: size, run, report }
    })
  )
})

const exists = (path: string) => Effect.isSuccess(tryStorage(() => access(path)))

const decodesToMore = (what: string): Reason => ({
  _tag: "MediaUndecodable",
  detail: `it decodes to more ${what} than its length allows`
})

/** Returns the number of decoded samples, or the reason for a failure. */
const countSamples = ({ byteLength, run, selection, source }: EngineOutput) => {
  const { byteMax, hoursMax, isHtml } = source
  if (byteMax < bytesOfHours(hoursMax) && byteLength > byteMax) return fail(decodesToMore("sound"))
  const judged = judge(run, {
    ...{ byteLength, hoursMax, isHtml, track: selection.track },
    nonce: nonceOf(source)
  })
  return Effect.mapError(Effect.fromResult(judged), makeError)
}

/**
 * Returns how many samples of silence precede the first packet, or 0 if this silence would make the
 * audio exceed the limits.
 */
const findLead = (
  { description }: Report,
  { end, source }: { readonly source: Source; readonly end: number }
): number => {
  if (description === undefined) return 0
  const lead = Math.round(leadingSilence(description, end / sampleRate) * sampleRate)
  const most = Math.min(source.byteMax / sampleBytes, source.hoursMax * 3_600 * sampleRate)
  return end + lead <= most ? lead : 0
}

/** Moves audio to its positions in time, within the length limits. */
const positionAudio = Effect.fnUntraced(function* (
  { folder, path, report, source }: EngineOutput,
  count: number
) {
  const whole: ReadonlyArray<Span> = [{ from: 0, at: 0 }]
  const index = join(folder, indexOf(nonceOf(source)))
  const isPlaced = isTimed(report.description?.format ?? "") && (yield* exists(index))
  const found = isPlaced ? yield* tryStorage((signal) => readSpans(index, signal)) : whole
  const kept = found.filter(({ from }) => from < count)
  const lead = isPlaced ? findLead(report, { source, end: endOf(kept, count) }) : 0
  const spans = kept.map(({ at, from }) => ({ from, at: at + lead }))
  const end = endOf(spans, count)
  if (end === count) return { spans, end }
  if (end > source.hoursMax * 3_600 * sampleRate) {
    return yield* fail({ _tag: "AudioTooLong", maxHours: source.hoursMax })
  }
  if (end * sampleBytes > source.byteMax) return yield* fail(decodesToMore("silence"))
  const placed = join(folder, "placed.pcm")
  yield* tryStorage((signal) => writeSpans([path, placed], { spans, signal }))
  yield* tryStorage(() => rename(placed, path))
  return { spans, end }
})

/** Checks how the engine ended, and reads its output. */
export const readSound: (output: EngineOutput) => Effect.Effect<Sound, AudioDecoderError> =
  Effect.fnUntraced(function* (output: EngineOutput) {
    const { folder, path, report, selection } = output
    const count = yield* countSamples(output)
    const { end, spans } = yield* positionAudio(output, count)
    const channelsPath = join(folder, balanceOf(nonceOf(output.source)))
    const channels: Channels = (yield* exists(channelsPath))
      ? yield* tryStorage((signal) => readChannels(channelsPath, { spans, end, signal }))
      : {}
    const isOneChannel = selection.channel !== undefined
    if (channels.best !== undefined && !isOneChannel) {
      return yield* decodeSelection(output.source, {
        track: selection.track,
        channel: channels.best
      })
    }
    const loudness = yield* tryStorage((signal) => readLoudness(path, { sampleCount: end, signal }))
    const { balance } = channels
    const { complaints } = report
    return {
      ...{ path, sampleCount: end, isOneChannel, complaints, ...loudness },
      ...(balance !== undefined && { balance })
    }
  })

/**
 * Decodes part of a recording. If the channels cancel each other out, only one channel is decoded.
 */
export const decodeSelection = (
  source: Source,
  selected: Pick<Selection, "track" | "channel">
): Effect.Effect<Sound, AudioDecoderError> => Effect.flatMap(runEngine(source, selected), readSound)
