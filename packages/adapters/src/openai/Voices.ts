/**
 * Samples of the voices heard so far, sent along with the next piece, so that a speaker keeps one
 * name through a long recording. Pure.
 */
import type { Segment } from "@verbatim/core/transcription"

/** Section 4.1 of the protocol: at most four, each of 2 to 10 seconds. */
export const voiceMax = 4
const sampleMillisMin = 2_000
const sampleMillisMax = 8_000

/** A stretch in which one speaker is heard, in milliseconds of the file. */
export interface Sample {
  readonly name: string
  readonly startMillis: number
  readonly endMillis: number
}

/** Length of one sample as a data URL: base64 turns three bytes into four characters. */
export const sampleBytesMax = (bytesPerSecond: number): number =>
  Math.ceil((((sampleMillisMax / 1_000) * bytesPerSecond + 44) * 4) / 3) + 100

/** The longest turn of each of the first speakers, if it is long enough to recognise a voice. */
export const samplesOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Sample> => {
  const longest = new Map<string, Segment>()
  for (const segment of segments) {
    const other = longest.get(segment.speaker)
    if (other === undefined || lengthOf(segment) > lengthOf(other)) {
      longest.set(segment.speaker, segment)
    }
  }
  return [...longest]
    .filter(([, segment]) => lengthOf(segment) >= sampleMillisMin)
    .slice(0, voiceMax)
    .map(([name, { endMillis, startMillis }]) => ({
      name,
      startMillis,
      endMillis: Math.min(endMillis, startMillis + sampleMillisMax)
    }))
}

const lengthOf = ({ endMillis, startMillis }: Segment): number => endMillis - startMillis
