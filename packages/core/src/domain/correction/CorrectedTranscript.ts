/**
 * A transcript as it stands: what was recognised, read through its corrections. A part of it is
 * read like the whole, by the number of segments before it.
 *
 * A corrected text has no timed words any more: nobody can say when a word was spoken that was put
 * there by hand. Renderings share the time of the segment out, as they do for engines that time
 * no words.
 */
import type { Segment } from "../transcription/Transcript.ts"
import { isEmpty, type Overlay } from "./Overlay.ts"

/** What has segments: a transcript, or a part of one. */
interface Segmented {
  readonly segments: ReadonlyArray<Segment>
}

/** Reads the segments that follow that many others. What has no corrections stays the same. */
export type Corrector = <A extends Segmented>(part: A, before: number) => A

const asRecognised: Corrector = (part) => part

/** Makes the reader of one overlay, for a transcript and for each of its parts. */
export const makeCorrector = (overlay: Overlay): Corrector => {
  if (isEmpty(overlay)) return asRecognised
  const names = new Map(overlay.speakers.map(({ name, speaker }) => [speaker, name]))
  const readings = new Map(overlay.segments.map((reading) => [reading.index, reading]))
  /** A segment in which nothing is said any more leaves its space behind. */
  const isSpacePassed = (index: number) => readings.get(index - 1)?.text?.trim() === ""

  const read = (segment: Segment, index: number): Segment => {
    const { speaker = null, text = null } = readings.get(index) ?? {}
    const said = speaker ?? segment.speaker
    const spoken = names.get(said) ?? said
    const isSpoken = spoken === segment.speaker
    const isSaid = text === null || text === segment.text
    const isParted = segment.hasSpaceBefore === false && isSpacePassed(index)
    if (isSpoken && isSaid && !isParted) return segment
    const { words, ...timed } = segment
    return {
      ...timed,
      speaker: spoken,
      text: text ?? segment.text,
      ...(isParted ? { hasSpaceBefore: true } : {}),
      ...(isSaid && words !== undefined ? { words } : {})
    }
  }
  return (part, before) => ({
    ...part,
    segments: part.segments.map((segment, place) => read(segment, before + place))
  })
}
