/**
 * Places that workspaces take: each has a share, and all of them together have no more than the
 * process can serve. Whoever finds none waits in the order of asking. A place is given back by the
 * end of the scope it was taken in, whatever ends that.
 */
import { Context, Duration, Effect, RcMap, type Scope, Semaphore } from "effect"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"

/** How long somebody waits for a place: less than servers and clients keep a silent connection. */
export const Patience: Context.Reference<Duration.Duration> = Context.Reference(
  "@verbatim/core/services/Patience",
  { defaultValue: () => Duration.seconds(20) }
)

/** How many places there are. */
interface Room {
  /** Of one workspace at the same time. */
  readonly share: number
  /**
   * Of all workspaces. A workspace that waits for one of these has a place of its share already, so
   * nobody waits behind more than a share of each other workspace.
   */
  readonly total: number
}

interface BusyRoom<E> extends Room {
  /** What somebody is told who waited in vain. */
  readonly refusal: () => E
}

/** Takes a place for a workspace, for as long as there is the scope. */
export type Hold<E> = (workspaceId: WorkspaceId) => Effect.Effect<void, E, Scope.Scope>

/** Empty places, for which everybody waits until there is one. */
export const makeQueue = Effect.fnUntraced(function* ({
  share,
  total
}: Room): Effect.fn.Return<Hold<never>, never, Scope.Scope> {
  const all = yield* Semaphore.make(total)
  const shares = yield* RcMap.make({ lookup: (_: WorkspaceId) => Semaphore.make(share) })
  // The share comes first: whoever waits for its own workspace keeps nobody else from a place.
  return (workspaceId) =>
    Effect.andThen(
      Effect.flatMap(RcMap.get(shares, workspaceId), (own) => own.takeScoped(1)),
      all.takeScoped(1)
    )
})

/** Empty places, for which nobody waits longer than `Patience`. */
export const make = Effect.fnUntraced(function* <E>({
  refusal,
  ...room
}: BusyRoom<E>): Effect.fn.Return<Hold<E>, never, Scope.Scope> {
  const patience = yield* Patience
  const hold = yield* makeQueue(room)
  return (workspaceId) =>
    Effect.timeoutOrElse(hold(workspaceId), {
      duration: patience,
      orElse: () => Effect.fail(refusal())
    })
})
