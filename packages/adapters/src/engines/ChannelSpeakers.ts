/**
 * Speakers for any engine where a recording holds each voice in a channel of its own, or where the
 * caller says that each track is one speaker.
 */
import { type Recognised, type Recognition, Transcriber } from "@verbatim/core/ports"
import { isSpaced } from "@verbatim/core/transcription"
import { Effect, Layer } from "effect"
import { assignSpeakers } from "../whisper/Speakers.ts"
import { turnsFrom } from "./ChannelTurns.ts"

const hasOneSpeaker = ({ segments }: Recognised): boolean =>
  segments.every(({ speaker }) => speaker === segments[0]?.speaker)

const nameSpeakers = (
  { audio: { balance }, isDiarized }: Recognition,
  recognised: Recognised
): Recognised => {
  if (!isDiarized || balance === undefined) return recognised
  // What the caller knows of the speakers wins over what the engine found.
  if (!balance.isSpeakerPerSide && !hasOneSpeaker(recognised)) return recognised
  const turns = turnsFrom(balance)
  if (turns === null) return recognised
  const separator = isSpaced(recognised.language) ? " " : ""
  return { ...recognised, segments: assignSpeakers(recognised.segments, { turns, separator }) }
}

/** The same engine, with speakers by channel where it has found no more than one, or by track. */
export const over = <R>(
  engine: Layer.Layer<Transcriber, never, R>
): Layer.Layer<Transcriber, never, R> =>
  Layer.effect(
    Transcriber,
    Effect.map(Transcriber, ({ readiness, transcribe }) =>
      Transcriber.of({
        readiness,
        transcribe: (recognition) =>
          Effect.map(transcribe(recognition), (recognised) => nameSpeakers(recognition, recognised))
      })
    )
  ).pipe(Layer.provide(engine))
