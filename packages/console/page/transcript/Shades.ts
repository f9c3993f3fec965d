/** A colour for each speaker, in order of appearance. */
import type { Transcript } from "./Model.ts"

/** So many there are; then they come again. */
const shades = 4

const known = new WeakMap<object, ReadonlyArray<string>>()

/** The speakers of a transcript, in order of appearance. */
export const speakersOf = ({ blocks }: Transcript): ReadonlyArray<string> => {
  const now = blocks.value
  const before = known.get(now)
  if (before !== undefined) return before
  const speakers = [...new Set(now.map(({ speaker }) => speaker))]
  known.set(now, speakers)
  return speakers
}

/** The colour of a speaker. */
export const shadeOf = (transcript: Transcript, speaker: string): number =>
  speakersOf(transcript).indexOf(speaker) % shades
