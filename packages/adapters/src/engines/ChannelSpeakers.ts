/**
 * Speakers for any engine that knows only one, where a recording holds each voice in a channel of
 * its own.
 */
import { type FileHandle, open } from "node:fs/promises"
import { type Recognised, type Recognition, Transcriber } from "@verbatim/core/ports"
import { isSpaced } from "@verbatim/core/transcription"
import { Effect, Layer } from "effect"
import type { Turn } from "../whisper/Protocol.ts"
import { withSpeakers } from "../whisper/Speakers.ts"
import { type Frame, frameSamples, turnsFrom } from "./ChannelTurns.ts"

/** Two channels of 16 bit. */
const pairBytes = 4

const frameBytes = frameSamples * pairBytes

/** A minute at once: little memory, and other work comes in between. */
const blockBytes = 600 * frameBytes

const frameOf = (bytes: Buffer, from: number): Frame => {
  let [left, right] = [0, 0]
  for (let at = from; at < from + frameBytes; at += pairBytes) {
    left += bytes.readInt16LE(at) ** 2
    right += bytes.readInt16LE(at + 2) ** 2
  }
  return { left: left / frameSamples, right: right / frameSamples }
}

const framesOf = async (file: FileHandle, signal: AbortSignal): Promise<ReadonlyArray<Frame>> => {
  const frames: Array<Frame> = []
  const block = Buffer.alloc(blockBytes)
  for (let position = 0; !signal.aborted; ) {
    const { bytesRead } = await file.read(block, 0, blockBytes, position)
    for (let at = 0; at + frameBytes <= bytesRead; at += frameBytes) frames.push(frameOf(block, at))
    if (bytesRead < blockBytes) break
    position += bytesRead
  }
  return frames
}

/** The turns of a recording by its channels; none when these tell nothing, or cannot be read. */
export const turnsIn = (path: string): Effect.Effect<ReadonlyArray<Turn> | null> =>
  Effect.acquireUseRelease(
    Effect.tryPromise(() => open(path, "r")),
    (file) => Effect.tryPromise((signal) => framesOf(file, signal)),
    (file) => Effect.promise(() => file.close())
  ).pipe(
    Effect.map(turnsFrom),
    Effect.orElseSucceed(() => null)
  )

const hasOneSpeaker = ({ segments }: Recognised): boolean =>
  segments.every(({ speaker }) => speaker === segments[0]?.speaker)

const nameSpeakers = Effect.fnUntraced(function* (
  { audio, isDiarized }: Recognition,
  recognised: Recognised
) {
  const { balancePath } = audio
  if (!isDiarized || balancePath === undefined || !hasOneSpeaker(recognised)) return recognised
  const turns = yield* turnsIn(balancePath)
  if (turns === null) return recognised
  const separator = isSpaced(recognised.language) ? " " : ""
  return { ...recognised, segments: withSpeakers(recognised.segments, { turns, separator }) }
})

/** The same engine, with speakers by channel where it has found no more than one. */
export const over = <R>(
  engine: Layer.Layer<Transcriber, never, R>
): Layer.Layer<Transcriber, never, R> =>
  Layer.effect(
    Transcriber,
    Effect.map(Transcriber, ({ readiness, transcribe }) =>
      Transcriber.of({
        readiness,
        transcribe: (recognition) =>
          Effect.flatMap(transcribe(recognition), (recognised) =>
            nameSpeakers(recognition, recognised)
          )
      })
    )
  ).pipe(Layer.provide(engine))
