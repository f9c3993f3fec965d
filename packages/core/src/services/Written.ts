/**
 * A text for a caller. A short one is whole. A long one is made piece by piece, each once the one
 * before it has been taken: however long it is, no more than one piece is in memory.
 */
import type { Effect, Option, Stream } from "effect"

/** A text with its media type, whole or in pieces. */
export type Written<E> =
  | { readonly _tag: "Whole"; readonly contentType: string; readonly text: string }
  | {
      readonly _tag: "Pieces"
      readonly contentType: string
      /** Fails where the rest cannot be read: what was taken so far is not the whole text. */
      readonly pieces: Stream.Stream<string, E>
    }

/** A piece of a text, and where the next one begins; none after the last one. */
export interface TextPiece<Place> {
  readonly text: string
  readonly next: Option.Option<Place>
}

/** How a text is made. */
export interface Writing<Place, E> {
  readonly contentType: string
  /** Makes the piece at a place, or the first one when no place is given. */
  readonly piece: (place: Option.Option<Place>) => Effect.Effect<TextPiece<Place>, E>
}
