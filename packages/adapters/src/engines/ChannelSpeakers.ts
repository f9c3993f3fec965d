/**
 * Adds speakers to any engine's result if a recording has each voice in its own channel, or if the
 * caller states that each track is one speaker.
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
  // The caller's statement about speakers overrides the engine's result.
  if (!balance.isSpeakerPerSide && !hasOneSpeaker(recognised)) return recognised
  const turns = turnsFrom(balance)
  if (turns === null) return recognised
  const separator = isSpaced(recognised.language) ? " " : ""
  const segments = assignSpeakers(recognised.segments, { turns, separator })
  return { ...recognised, segments, areSpeakersUnknown: false }
}

/**
 * Wraps an engine: speakers come from the tracks, or from the channels if the engine found only one
 * speaker.
 */
export const wrap = <R>(
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
