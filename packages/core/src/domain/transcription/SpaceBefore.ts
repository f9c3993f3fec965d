/**
 * What an engine says about the space before each segment, as far as it holds: segments in which
 * nothing is said leave their space behind, others come in between when they are put in order.
 */
import { isSpaced } from "./Language.ts"
import type { Segment } from "./Transcript.ts"

const isBlank = ({ text }: Segment): boolean => text.trim() === ""

/** The segments in which something is said. A blank one before `lo` ends the word `Hel`. */
export const leaveOutBlank = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const kept: Array<Segment> = []
  let isSpacePassed = false
  for (const segment of segments) {
    if (isBlank(segment)) {
      isSpacePassed ||= segment.text !== "" || segment.hasSpaceBefore === true
      continue
    }
    const isParted = isSpacePassed && segment.hasSpaceBefore === false
    kept.push(isParted ? { ...segment, hasSpaceBefore: true } : segment)
    isSpacePassed = false
  }
  return kept
}

/**
 * The same segments, in another order. What was said holds only between neighbours that still are
 * neighbours, and is kept only where it is not as the language has it.
 */
export const keepSpaces = (
  language: string,
  { given, ordered }: Readonly<Record<"given" | "ordered", ReadonlyArray<Segment>>>
): ReadonlyArray<Segment> => {
  const usual = isSpaced(language)
  if (given.every(({ hasSpaceBefore = usual }) => hasSpaceBefore === usual)) {
    return ordered.map(({ hasSpaceBefore: _, ...segment }) => segment)
  }
  const before = new Map(given.map((segment, index) => [segment, given[index - 1]]))
  return ordered.map((segment, index) => {
    const { hasSpaceBefore = usual, ...others } = segment
    const isNeighbour = index > 0 && before.get(segment) === ordered[index - 1]
    return isNeighbour && hasSpaceBefore !== usual ? { ...others, hasSpaceBefore } : others
  })
}
