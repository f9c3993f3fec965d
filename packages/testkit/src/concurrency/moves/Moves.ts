/** What a fiber may do next, and how often. */
import { commitMoves } from "./CommitMoves.ts"
import { jobMoves } from "./JobMoves.ts"
import { keyMoves } from "./KeyMoves.ts"
import type { Move, Player } from "./Move.ts"
import { presetMoves } from "./PresetMoves.ts"
import { troubleMoves } from "./TroubleMoves.ts"

/** Every kind of move. */
const moves: ReadonlyArray<Move> = [
  ...jobMoves,
  ...commitMoves,
  ...keyMoves,
  ...presetMoves,
  ...troubleMoves
]

/** For each move, the weights up to its own. */
const weights = moves.map((_, index) =>
  moves.slice(0, index + 1).reduce((sum, { weight }) => sum + weight, 0)
)

/** Chooses a move by the player's dice. */
export const chooseMove = ({ dice }: Player): Move => {
  const drawn = dice.next() * (weights.at(-1) ?? 0)
  return moves[weights.findIndex((weight) => drawn < weight)] as Move
}
