/**
 * Where long audio is cut: into equal shares under a limit, each cut moved to the quietest moment
 * nearby, so that it falls between words. Pure.
 */
import { sampleRate } from "@verbatim/core/transcription"
import { sampleBytes } from "./Wave.ts"

/** Samples from `from` up to `to`. */
export interface AudioPiece {
  readonly from: number
  readonly to: number
}

/** The farthest from a planned cut: people breathe more often than this. */
const searchMax = 30 * sampleRate

/** Loudness is compared over 20 ms, and over ten of them: the gap between two sentences. */
const frame = sampleRate / 50
const framesOfQuiet = 10

/** The samples among which to look for the next cut, or none when the rest is one piece. */
export const searchFor = (rest: AudioPiece, sampleMax: number): AudioPiece | undefined => {
  const length = rest.to - rest.from
  if (length <= sampleMax) return undefined
  const share = length / Math.ceil(length / sampleMax)
  const reach = Math.min(searchMax, share / 4)
  return {
    from: Math.floor(rest.from + share - reach),
    to: Math.floor(Math.min(rest.from + share + reach, rest.from + sampleMax))
  }
}

/** The sample in the middle of the quietest stretch, counted from the first one given. */
export const quietest = (pcm: Uint8Array): number => {
  const loudness = frames(pcm)
  const run = Math.min(framesOfQuiet, loudness.length)
  if (run === 0) return 0
  let sum = loudness.slice(0, run).reduce((total, each) => total + each, 0)
  let least = sum
  let at = 0
  for (let next = run; next < loudness.length; next++) {
    sum += (loudness[next] ?? 0) - (loudness[next - run] ?? 0)
    if (sum >= least) continue
    least = sum
    at = next - run + 1
  }
  return Math.floor((at + run / 2) * frame)
}

/** The sum of the magnitudes of each whole frame. */
const frames = (pcm: Uint8Array): ReadonlyArray<number> => {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const frameBytes = frame * sampleBytes
  return Array.from({ length: Math.floor(pcm.byteLength / frameBytes) }, (_, index) => {
    let sum = 0
    for (let at = index * frameBytes; at < (index + 1) * frameBytes; at += sampleBytes) {
      sum += Math.abs(view.getInt16(at, true))
    }
    return sum
  })
}
