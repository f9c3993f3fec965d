/**
 * Where speech is, without a model: where the recording is not silent. Ordinary noise is taken for
 * speech, which costs time but adds no words. Pure.
 */
import { type Span, sampleRate } from "./Protocol.ts"

/** -35 dB of full scale, measured on speech: below it is breath and hiss (engines report, 1.3). */
const quiet = 10 ** (-35 / 20)

/** A shorter pause is a part of speech. */
const silenceMin = 0.4 * sampleRate

/** Kept at both ends of speech, because it fades in and out. */
const margin = Math.round(0.1 * sampleRate)

/** Finds what lies between silences, in samples that come block by block. */
export const spansBetween = (blocks: Iterable<Float32Array>): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let count = 0
  let start = 0
  /** The position after the last loud sample. */
  let loudUntil = 0
  const close = () => {
    const isSilent = count - loudUntil >= silenceMin
    const end = isSilent ? loudUntil + margin : count
    if (loudUntil > 0) spans.push({ start, end: Math.min(end, count) })
  }
  for (const samples of blocks) {
    for (const sample of samples) {
      if (Math.abs(sample) > quiet) {
        if (count - loudUntil >= silenceMin) {
          close()
          start = Math.max(count - margin, 0)
        }
        loudUntil = count + 1
      }
      count += 1
    }
  }
  close()
  return spans
}
