/**
 * Slots that workspaces share: each may hold so many, and all together no more than the process can
 * serve. Whoever finds none free waits, in the order of asking. A slot is given back when the scope
 * ends in which it was taken, for whatever reason.
 */
import { Context, Duration, Effect, RcMap, type Scope, Semaphore } from "effect"
import { waitIdle } from "./Idle.ts"

/** How long somebody waits for a slot: less than servers and clients keep a silent connection. */
export const Patience: Context.Reference<Duration.Duration> = Context.Reference(
  "@verbatim/core/services/Patience",
  { defaultValue: () => Duration.seconds(20) }
)

/** How many slots there are. */
interface Room {
  /** Of one workspace at the same time. */
  readonly share: number
  /**
   * Of all workspaces. Whoever waits for one of these holds one of its own share already, so nobody
   * waits behind more than a share of each other workspace.
   */
  readonly total: number
}

/** Slots that somebody may wait for in vain. */
interface BusyRoom<E> extends Room {
  /** What somebody is told who waited in vain. */
  readonly refusal: () => E
}

/** Takes a slot for a workspace, until the scope ends. */
export type Hold<E> = (workspace: string) => Effect.Effect<void, E, Scope.Scope>

/** Free slots, for which everybody waits as long as it takes. */
export const makeQueue = Effect.fnUntraced(function* ({
  share,
  total
}: Room): Effect.fn.Return<Hold<never>, never, Scope.Scope> {
  const all = yield* Semaphore.make(total)
  const shares = yield* RcMap.make({ lookup: (_: string) => Semaphore.make(share) })
  // The share comes first: whoever waits for its own workspace keeps nobody else from a slot.
  return (workspace) =>
    Effect.andThen(
      Effect.flatMap(RcMap.get(shares, workspace), (own) => own.takeScoped(1)),
      all.takeScoped(1)
    )
})

/** Free slots, for which nobody waits longer than `Patience`. */
export const make = Effect.fnUntraced(function* <E>({
  refusal,
  ...room
}: BusyRoom<E>): Effect.fn.Return<Hold<E>, never, Scope.Scope> {
  const patience = yield* Patience
  const hold = yield* makeQueue(room)
  return (workspace) =>
    waitIdle(
      Effect.timeoutOrElse(hold(workspace), {
        duration: patience,
        orElse: () => Effect.fail(refusal())
      })
    )
})
