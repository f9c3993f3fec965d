/** Joins long texts, which are written in pieces. */
import { Effect, Option } from "effect"

interface Piece<Position> {
  readonly text: string
  readonly next: Option.Option<Position>
}

/** Reads and joins all pieces of a text. */
export const joinPieces = Effect.fnUntraced(function* <Position, E>(
  piece: (position: Option.Option<Position>) => Effect.Effect<Piece<Position>, E>
) {
  let text = ""
  let position = Option.none<Position>()
  do {
    const made = yield* piece(position)
    text += made.text
    position = made.next
  } while (Option.isSome(position))
  return text
})
