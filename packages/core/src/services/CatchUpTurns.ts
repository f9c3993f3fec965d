/**
 * The turns of those who are behind and read the store by themselves. A few read at a time, of each
 * workspace one: whoever waits, waits for those of its own workspace, and for one reader of each
 * other workspace at most, however many listen there. Turns are in the order of asking. One that
 * fails, or whose listener leaves, is over.
 */
import { Effect, type Scope } from "effect"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import * as SharedSlots from "./SharedSlots.ts"

/** Questions of listeners who are behind, at a time: the store has other callers. */
const catchUpMax = 4

/** Of these, how many are of one workspace. */
const catchUpShare = 1

/** Runs a question of a workspace in its turn. */
export type TakeTurn = <A, E>(id: WorkspaceId, question: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Turns at one kind of question. */
export const makeTurns: Effect.Effect<TakeTurn, never, Scope.Scope> = Effect.map(
  SharedSlots.makeQueue({ share: catchUpShare, total: catchUpMax }),
  (hold) => (id, question) => Effect.scoped(Effect.andThen(hold(id), question))
)
