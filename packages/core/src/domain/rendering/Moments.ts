/**
 * When a stretch of a turn's text was said: as the engine timed its words, else in proportion to
 * the characters of the segment.
 */
import { spaceStart } from "./Space.ts"
import type { Turn } from "./Turns.ts"

/** From when to when something is said. */
export interface Moment {
  readonly startMillis: number
  readonly endMillis: number
}

/** Tells when a stretch of a turn's text was said. */
export type Clock = (from: number, to: number) => Moment

/** The clock of a turn. It is asked for stretches that ascend; none ends before it starts. */
export const clockOf = (turn: Turn): Clock => {
  let at = 0
  const nextOffset = () => turn.pieces[at + 1]?.offset ?? beyond
  let nextAt = nextOffset()
  const advance = () => {
    at += 1
    nextAt = nextOffset()
  }
  return (from, to) => {
    while (nextAt <= from) advance()
    const startMillis = millisAt(turn, { at, offset: from })
    while (nextAt < to) advance()
    return { startMillis, endMillis: Math.max(startMillis, millisAt(turn, { at, offset: to })) }
  }
}

/** A part of a moment, between two shares of it. */
export const within = (
  { endMillis, startMillis }: Moment,
  share: { readonly from: number; readonly to: number; readonly of: number }
): Moment => {
  const at = (offset: number) =>
    startMillis + Math.floor(((endMillis - startMillis) * offset) / share.of)
  return { startMillis: at(share.from), endMillis: at(share.to) }
}

/** Past the end of every text, so that a search in one always ends. */
const beyond = Number.POSITIVE_INFINITY

/** When an offset within a piece is reached. The space behind a piece takes no time. */
const millisAt = (
  { pieces, text }: Turn,
  { at, offset }: { readonly at: number; readonly offset: number }
): number => {
  const piece = pieces[at]
  if (piece === undefined) return 0
  const { endMillis, startMillis } = piece
  const read = offset - piece.offset
  const length = spaceStart(text, pieces[at + 1]?.offset ?? text.length) - piece.offset
  if (read <= 0 || length <= 0) return startMillis
  const millis = Math.max(0, endMillis - startMillis)
  return startMillis + (read >= length ? millis : Math.floor((millis * read) / length))
}
