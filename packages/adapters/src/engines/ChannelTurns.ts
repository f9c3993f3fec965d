/**
 * Who speaks when, by the side that is louder: for recordings that hold each voice in a channel or
 * a track of its own, as made by telephone systems, conferences and pairs of microphones. Pure.
 */
import { type Balance, balanceFrameMillis } from "@verbatim/core/transcription"
import type { Turn } from "../whisper/Protocol.ts"

/** -50 dB of full scale: anything quieter is no voice, unless each side is one speaker. */
const quietPower = (32_768 * 10 ** (-50 / 20)) ** 2

/** -70 dB: quieter than the noise of a microphone. */
const silentPower = (32_768 * 10 ** (-70 / 20)) ** 2

/** 6 dB: a voice is heard in the other channel too, but less. */
const louderBy = 4

/** A voice that pauses for less counts as going on. */
const pauseFrames = 5

/** One second on each side, or it is no conversation. */
const voiceFramesMin = 10

/** Share of the frames with speech: with fewer, both channels hold one sound, or music. */
const clearShareMin = 0.5

/** Who speaks in a frame: one side, several alike, or none. */
type Side = number | "several" | "none"

/** The loudest side of a frame, and how much louder it is than any other. */
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

/** Whether both sides hold a voice each. */
const isConversation = (sides: ReadonlyArray<Side>): boolean => {
  const count = (wanted: Side) => sides.filter((side) => side === wanted).length
  const [left, right, both] = [count(0), count(1), count("several")]
  const isClear = (left + right) / Math.max(left + right + both, 1) >= clearShareMin
  return left >= voiceFramesMin && right >= voiceFramesMin && isClear
}

/**
 * The turns of each side. Where each side is known to be one speaker, the loudest has the turn;
 * otherwise there are turns only where two sides hold one voice each.
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
