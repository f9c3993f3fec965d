/** Reads text that arrives piece by piece. */
import { Effect, Option } from "effect"

interface Piece<Position> {
  readonly text: string
  readonly next: Option.Option<Position>
}

/** Joins all pieces of the text. */
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
