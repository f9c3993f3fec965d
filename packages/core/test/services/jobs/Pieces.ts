/** Reads texts that are written piece by piece. */
import { Effect, Option } from "effect"

interface Piece<Place> {
  readonly text: string
  readonly next: Option.Option<Place>
}

/** The whole text. */
export const joinPieces = Effect.fnUntraced(function* <Place, E>(
  piece: (place: Option.Option<Place>) => Effect.Effect<Piece<Place>, E>
) {
  let text = ""
  let place = Option.none<Place>()
  do {
    const made = yield* piece(place)
    text += made.text
    place = made.next
  } while (Option.isSome(place))
  return text
})
