/**
 * Adds speakers to any engine's result if a recording has each voice in its own channel, or if the
 * caller states that each track is one speaker.
 */
import { type Recognised, type Recognition, Transcriber } from "@verbatim/core/ports"
import { type Balance, balanceFrameMillis } from "@verbatim/core/transcription"
import { Effect, Layer } from "effect"
import { assignSpeakers, type Turn } from "../whisper/Speakers.ts"

// Finds speaker turns by comparing loudness, for recordings with each voice in its own channel or
// track, such as those of telephone systems, conferences or microphone pairs. Pure.

/**
 * Minimum power of a voice (-50 dBFS), used unless the caller states that each track is one
 * speaker.
 */
const quietPower = (32_768 * 10 ** (-50 / 20)) ** 2

/** Maximum power of silence (-70 dBFS): quieter than microphone noise. */
const silentPower = (32_768 * 10 ** (-70 / 20)) ** 2

/** Minimum ratio of powers (6 dB) between a speaker's own channel and the other channel. */
const louderBy = 4

/** Frames of silence that end a speaker turn. */
const pauseFrames = 5

/**
 * Minimum number of speech frames on each side: one second. A recording with less speech is not a
 * conversation.
 */
const voiceFramesMin = 10

/**
 * Minimum share of speech frames in which one side is clearly louder. Below this share, both
 * channels contain the same audio, or music.
 */
const clearShareMin = 0.5

/**
 * The side that is speaking in a frame, or a marker if several sides are equally loud or all are
 * silent.
 */
type Side = number | "several" | "none"

/** Returns a frame's loudest side, its power, and the power of the second loudest side. */
const loudestIn = (powers: Float32Array) => {
  let [side, power, second] = [0, 0, 0]
  for (const [index, each] of powers.entries()) {
    if (each > power) [side, power, second] = [index, each, power]
    else if (each > second) second = each
  }
  return { side, power, second }
}

const sidesOf = ({ isSpeakerPerSide, powers, sideCount }: Balance): ReadonlyArray<Side> =>
  Array.from({ length: Math.floor(powers.length / sideCount) }, (_, frame): Side => {
    const found = loudestIn(powers.subarray(frame * sideCount, (frame + 1) * sideCount))
    if (found.power < (isSpeakerPerSide ? silentPower : quietPower)) return "none"
    return isSpeakerPerSide || found.power > found.second * louderBy ? found.side : "several"
  })

/** Whether each side has its own voice. */
const isConversation = (sides: ReadonlyArray<Side>): boolean => {
  const count = (wanted: Side) => sides.filter((side) => side === wanted).length
  const [left, right, both] = [count(0), count(1), count("several")]
  const isClear = (left + right) / Math.max(left + right + both, 1) >= clearShareMin
  return left >= voiceFramesMin && right >= voiceFramesMin && isClear
}

/**
 * Returns the speaker turns of all sides, or null if the sides do not distinguish speakers. If the
 * caller states that each track is one speaker, the loudest track is the one that speaks.
 * Otherwise, a recording must have two channels with one voice each.
 */
export const turnsFrom = (balance: Balance): ReadonlyArray<Turn> | null => {
  const sides = sidesOf(balance)
  const isClear = balance.isSpeakerPerSide || (balance.sideCount === 2 && isConversation(sides))
  if (!isClear) return null
  const turns: Array<{ speaker: number; from: number; to: number }> = []
  for (const [index, side] of sides.entries()) {
    if (side === "none" || side === "several") continue
    const last = turns.at(-1)
    if (last?.speaker === side && index - last.to <= pauseFrames) last.to = index + 1
    else turns.push({ speaker: side, from: index, to: index + 1 })
  }
  return turns.map(({ from, speaker, to }) => ({
    speaker,
    startMillis: from * balanceFrameMillis,
    endMillis: to * balanceFrameMillis
  }))
}

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
  const segments = assignSpeakers(recognised.segments, turns)
  return { ...recognised, segments, areSpeakersUnknown: false }
}

/**
 * Wraps an engine so that speakers come from the tracks, or from the channels if the engine finds
 * only one speaker.
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
