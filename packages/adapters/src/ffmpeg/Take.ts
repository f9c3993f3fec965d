/**
 * One track of a recording, as plain audio: a run of the engine, the judgement of how it ended, and
 * what its files say of time and channels.
 */
import { access, mkdir, open, rename } from "node:fs/promises"
import { basename, join } from "node:path"
import type { AudioDecoderError } from "@verbatim/core/ports"
import { type Balance, type LocalMedia, sampleRate } from "@verbatim/core/transcription"
import { type Duration, Effect } from "effect"
import { type Channels, readChannels } from "./ChannelReading.ts"
import { leadOf, type Report, readLog } from "./Description.ts"
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
  spread
} from "./SoundFiles.ts"

/** What all takes of a recording have in common. */
export interface Source {
  readonly engine: Engine
  readonly media: LocalMedia
  /** A private folder. Each take makes one of its own in it. */
  readonly folder: string
  readonly timeout: Duration.Duration
  readonly hoursMax: number
  /** The most bytes of audio that the recording may hold. */
  readonly byteMax: number
  readonly isHtml: boolean
  readonly isLengthIgnored: boolean
}

/** An engine that has ended, and what it wrote. */
export interface Take {
  readonly source: Source
  readonly selection: Selection
  readonly folder: string
  readonly path: string
  readonly byteLength: number
  readonly run: Run
  readonly report: Report
}

/** Audio, and what it is like. */
export interface Sound extends Loudness {
  readonly path: string
  readonly sampleCount: number
  readonly balance?: Balance
  /** Its channels cancel each other out, so one of them was taken alone. */
  readonly isOneChannel: boolean
  /** What the engine complained about. */
  readonly complaints: string
}

/** A step on our storage. */
export const storageStep = <A>(
  step: (signal: AbortSignal) => Promise<A>
): Effect.Effect<A, AudioDecoderError> =>
  Effect.tryPromise({
    try: step,
    catch: (cause) =>
      makeError({ _tag: "StorageFailed", detail: String(Object(cause).code ?? cause) })
  })

const fail = (reason: Reason) => Effect.fail(makeError(reason))

const openFile = (path: string) =>
  Effect.acquireRelease(
    storageStep(() => open(path, "wx", 0o600)),
    (handle) => Effect.ignore(storageStep(() => handle.close()))
  )

/** The name of the folder was drawn when the media was there already. */
const markOf = ({ folder }: Source): string => basename(folder)

/** Runs the engine on a part of a recording. */
export const take = Effect.fnUntraced(function* (
  source: Source,
  selected: Pick<Selection, "track" | "channel">
): Effect.fn.Return<Take, AudioDecoderError> {
  const { byteMax, engine, isLengthIgnored, media, timeout } = source
  const selection = { ...selected, isLengthIgnored }
  const mark = markOf(source)
  const folder = join(source.folder, `${selected.track}-${selected.channel ?? "all"}`)
  const path = join(folder, "audio.pcm")
  yield* storageStep(() => mkdir(folder, { mode: 0o700 }))
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const output = yield* openFile(path)
      const ended = yield* engine({
        ...{ media, selection, folder, mark, byteMax, timeout },
        ...{ output: output.fd, outputPath: path }
      })
      const { size } = yield* storageStep(() => output.stat())
      const run = { ...ended, log: ended.log.replaceAll(media.path, "the media") }
      const report = readLog(run.log, mark)
      return { source, selection, folder, path, byteLength: size, run, report }
    })
  )
})

const isThere = (path: string) => Effect.isSuccess(storageStep(() => access(path)))

const tooMuch = (what: string): Reason => ({
  _tag: "MediaUndecodable",
  detail: `it decodes to more ${what} than its length allows`
})

/** Counts the samples, or says why there are none. */
const countSamples = ({ byteLength, run, selection, source }: Take) => {
  const { byteMax, hoursMax, isHtml } = source
  if (byteMax < bytesOfHours(hoursMax) && byteLength > byteMax) return fail(tooMuch("sound"))
  const judged = judge(run, {
    ...{ byteLength, hoursMax, isHtml, track: selection.track },
    mark: markOf(source)
  })
  return Effect.mapError(Effect.fromResult(judged), makeError)
}

/** The samples of silence before the first packet, where the limits have room for them. */
const findLead = (
  { description }: Report,
  { end, source }: { readonly source: Source; readonly end: number }
): number => {
  if (description === undefined) return 0
  const lead = Math.round(leadOf(description, end / sampleRate) * sampleRate)
  const most = Math.min(source.byteMax / sampleBytes, source.hoursMax * 3_600 * sampleRate)
  return end + lead <= most ? lead : 0
}

/** Puts audio where it belongs in time, within the limits of its length. */
const place = Effect.fnUntraced(function* ({ folder, path, report, source }: Take, count: number) {
  const whole: ReadonlyArray<Span> = [{ from: 0, at: 0 }]
  const index = join(folder, indexOf(markOf(source)))
  const isPlaced = isTimed(report.description?.format ?? "") && (yield* isThere(index))
  const found = isPlaced ? yield* storageStep((signal) => readSpans(index, signal)) : whole
  const heard = found.filter(({ from }) => from < count)
  const lead = isPlaced ? findLead(report, { source, end: endOf(heard, count) }) : 0
  const spans = heard.map(({ at, from }) => ({ from, at: at + lead }))
  const end = endOf(spans, count)
  if (end === count) return { spans, end }
  if (end > source.hoursMax * 3_600 * sampleRate) {
    return yield* fail({ _tag: "AudioTooLong", maxHours: source.hoursMax })
  }
  if (end * sampleBytes > source.byteMax) return yield* fail(tooMuch("silence"))
  const placed = join(folder, "placed.pcm")
  yield* storageStep((signal) => spread([path, placed], { spans, signal }))
  yield* storageStep(() => rename(placed, path))
  return { spans, end }
})

/** Judges how a take ended, and reads what it wrote. */
export const listen: (taken: Take) => Effect.Effect<Sound, AudioDecoderError> = Effect.fnUntraced(
  function* (taken: Take) {
    const { folder, path, report, selection } = taken
    const count = yield* countSamples(taken)
    const { end, spans } = yield* place(taken, count)
    const channelsPath = join(folder, balanceOf(markOf(taken.source)))
    const channels: Channels = (yield* isThere(channelsPath))
      ? yield* storageStep((signal) => readChannels(channelsPath, { spans, end, signal }))
      : {}
    const isOneChannel = selection.channel !== undefined
    if (channels.best !== undefined && !isOneChannel) {
      return yield* hear(taken.source, { track: selection.track, channel: channels.best })
    }
    const loudness = yield* storageStep((signal) =>
      readLoudness(path, { sampleCount: end, signal })
    )
    const { balance } = channels
    const { complaints } = report
    return {
      ...{ path, sampleCount: end, isOneChannel, complaints, ...loudness },
      ...(balance !== undefined && { balance })
    }
  }
)

/** Decodes a part of a recording. Channels that cancel each other out are not mixed. */
export const hear = (
  source: Source,
  selected: Pick<Selection, "track" | "channel">
): Effect.Effect<Sound, AudioDecoderError> => Effect.flatMap(take(source, selected), listen)
