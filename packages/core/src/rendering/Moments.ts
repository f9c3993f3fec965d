/**
 * When a stretch of a turn's text was said: as the engine timed its words, else in proportion to
 * the characters of the segment.
 */
import type { Token } from "./Tokens.ts"
import type { Piece, Turn } from "./Turns.ts"

/** From when to when something is said. */
export interface Moment {
  readonly startMillis: number
  readonly endMillis: number
}

/** The moments of stretches of a turn's text, which ascend. None ends before it starts. */
export const moments = (turn: Turn, tokens: ReadonlyArray<Token>): ReadonlyArray<Moment> => {
  const spans = turn.pieces.map((piece, index) => spanOf(turn, { piece, index }))
  const offsetAt = (index: number) => spans[index]?.offset ?? beyond
  let at = 0
  return tokens.map(({ from, to }) => {
    while (offsetAt(at + 1) <= from) at += 1
    const startMillis = millisAt(spans[at], from)
    while (offsetAt(at + 1) < to) at += 1
    return { startMillis, endMillis: Math.max(startMillis, millisAt(spans[at], to)) }
  })
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

interface Span {
  readonly offset: number
  /** Of the text without the space behind it. */
  readonly length: number
  readonly startMillis: number
  readonly millis: number
}

const spanOf = (
  turn: Turn,
  { index, piece }: { readonly index: number; readonly piece: Piece }
): Span => {
  const { endMillis, offset, startMillis } = piece
  const { length } = turn.text.slice(offset, turn.pieces[index + 1]?.offset).trimEnd()
  return { offset, length, startMillis, millis: Math.max(0, endMillis - startMillis) }
}

const millisAt = (span: Span | undefined, offset: number): number => {
  if (span === undefined || span.length === 0) return span?.startMillis ?? 0
  const read = Math.min(offset - span.offset, span.length)
  return span.startMillis + Math.floor((span.millis * read) / span.length)
}
