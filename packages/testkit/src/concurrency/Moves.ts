/**
 * What a fiber may do next, and how often it does. A move is one question or a few that belong
 * together; all choices come from the fiber's own dice.
 */
import type { Effect } from "effect"
import type { Board } from "./Board.ts"
import { commitMoves } from "./CommitMoves.ts"
import type { jobCalls } from "./JobCalls.ts"
import { jobMoves } from "./JobMoves.ts"
import { keyMoves } from "./KeyMoves.ts"
import type { presetCalls } from "./PresetCalls.ts"
import { presetMoves } from "./PresetMoves.ts"
import type { Caller, Recorder } from "./Recorder.ts"
import { troubleMoves } from "./TroubleMoves.ts"
import type { Troubles } from "./Troubles.ts"

/** Whoever makes moves. */
export interface Player extends Caller {
  readonly board: Board
  readonly recorder: Recorder
  readonly jobs: Effect.Success<ReturnType<typeof jobCalls>>
  readonly presets: Effect.Success<ReturnType<typeof presetCalls>>
  readonly troubles: Troubles["Service"]
  /** The round, whose names of keys and presets are its own. */
  readonly round: number
  readonly todayMillis: number
}

/** A kind of move. */
export interface Move {
  /** How often it is made, next to the others. */
  readonly weight: number
  readonly make: (player: Player) => Effect.Effect<unknown>
}

/** Every kind of move. */
export const moves: ReadonlyArray<Move> = [
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
