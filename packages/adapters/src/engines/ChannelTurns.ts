/**
 * Who speaks when, by the channel that is louder: for recordings that hold each voice in a channel
 * of its own, as made by telephone systems and pairs of microphones. Pure.
 */
import { balanceRate } from "@verbatim/core/transcription"
import type { Turn } from "../whisper/Protocol.ts"

/** A tenth of a second: shorter than a syllable. */
const frameMillis = 100

/** Samples of one channel in a frame. */
export const frameSamples = (balanceRate * frameMillis) / 1_000

/** -50 dB of full scale: anything quieter counts as nobody. */
const quietPower = (32_768 * 10 ** (-50 / 20)) ** 2

/** 6 dB: a voice is heard in the other channel too, but less. */
const louderBy = 4

/** A voice that pauses for less counts as going on. */
const pauseFrames = 5

/** One second in each channel, or it is no conversation. */
const voiceFramesMin = 10

/** Share of the frames with speech: with fewer, both channels hold one sound, or music. */
const clearShareMin = 0.5

/** The power of both channels, frame by frame. */
export interface Frame {
  readonly left: number
  readonly right: number
}

/** Who speaks in a frame: nobody, one side, or both alike. */
const sideOf = ({ left, right }: Frame): 0 | 1 | "both" | "nobody" => {
  if (Math.max(left, right) < quietPower) return "nobody"
  if (left > right * louderBy) return 0
  if (right > left * louderBy) return 1
  return "both"
}

/** The turns of two voices; none when the channels do not hold one each. */
export const turnsFrom = (frames: ReadonlyArray<Frame>): ReadonlyArray<Turn> | null => {
  const sides = frames.map(sideOf)
  const count = (wanted: (typeof sides)[number]) => sides.filter((side) => side === wanted).length
  const [left, right, both] = [count(0), count(1), count("both")]
  const isClear = (left + right) / Math.max(left + right + both, 1) >= clearShareMin
  if (left < voiceFramesMin || right < voiceFramesMin || !isClear) return null
  const turns: Array<{ speaker: number; from: number; to: number }> = []
  for (const [index, side] of sides.entries()) {
    if (side === "nobody" || side === "both") continue
    const last = turns.at(-1)
    if (last?.speaker === side && index - last.to <= pauseFrames) last.to = index + 1
    else turns.push({ speaker: side, from: index, to: index + 1 })
  }
  return turns.map(({ from, speaker, to }) => ({
    speaker,
    startMillis: from * frameMillis,
    endMillis: to * frameMillis
  }))
}
