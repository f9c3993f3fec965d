/**
 * The door into the transaction of a host: an effect goes in with the connection of the host as
 * that of the current transaction, and is a savepoint of it. Nothing begins or ends the transaction
 * but the host.
 */
import { InHostTransaction } from "@verbatim/core/ports"
import { Cause, Context, Effect, Exit, Semaphore } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type Host, isHostLevel, makeControl, makeLevel, undoTo, type Visit } from "./HostLevel.ts"
import { HostTransactionError } from "./HostTransactionError.ts"

/** Runs effects one after the other. */
export type Turn = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface Held {
  readonly turn: Semaphore.Semaphore
  users: number
}

/** Makes turns by whatever tells sessions apart. One that nobody uses is forgotten. */
export const makeTurns = (): ((session: unknown) => Turn) => {
  const all = new Map<unknown, Held>()
  const join = (session: unknown) =>
    Effect.sync(() => {
      const held = all.get(session) ?? { turn: Semaphore.makeUnsafe(1), users: 0 }
      held.users += 1
      all.set(session, held)
      return held
    })
  const leave = (session: unknown, held: Held) =>
    Effect.sync(() => {
      held.users -= 1
      if (held.users === 0) all.delete(session)
    })
  return (session) => (self) =>
    Effect.acquireUseRelease(
      join(session),
      ({ turn }) => turn.withPermit(self),
      (held) => leave(session, held)
    )
}

/** Lets effects into a transaction. */
export type Within = <A, E, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | HostTransactionError, R>

/** A connection of a host, and what is done on it before an effect and after its success. */
export interface Entrance {
  readonly host: Host
  /** One call at a time uses a session; whatever it is known by, it may not be told any more. */
  readonly turn: Effect.Effect<Turn, SqlError.SqlError>
  readonly arrive: Effect.Effect<void, HostTransactionError | SqlError.SqlError>
  readonly leave: Effect.Effect<void, SqlError.SqlError>
}

const savepoint = "verbatim_call"

/** Why a call has nothing to write in. */
const makeToError =
  (host: Host, visit: Visit) =>
  (error: HostTransactionError | SqlError.SqlError): HostTransactionError => {
    if (error._tag === "HostTransactionError") return error
    return (
      visit.lost ??
      host.explain(error) ??
      new HostTransactionError({ reason: "Unusable", cause: error })
    )
  }

/** Begins with a savepoint, and ends with it in every case. */
const visitWith =
  ({ arrive, host, leave }: Entrance, visit: Visit) =>
  <A, E, R>(inside: Effect.Effect<A, E, R>): Effect.Effect<A, E | HostTransactionError, R> => {
    const control = makeControl(host, visit)
    const toError = makeToError(host, visit)
    const undo = undoTo(host, visit, savepoint)
    const release = Effect.andThen(leave, control(`RELEASE SAVEPOINT ${savepoint}`))
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* Effect.mapError(control(`SAVEPOINT ${savepoint}`), toError)
        yield* arrive.pipe(
          Effect.mapError(toError),
          Effect.onError(() => undo)
        )
        visit.hasBegun = true
        const exit = yield* Effect.exit(restore(inside))
        visit.isOver = true
        if (Exit.isSuccess(exit)) {
          yield* release.pipe(
            Effect.mapError(toError),
            Effect.onError(() => undo)
          )
          return exit.value
        }
        yield* undo
        // What failed because the transaction was gone says so, whatever it says itself.
        if (visit.lost !== undefined && !Cause.hasInterruptsOnly(exit.cause)) {
          return yield* visit.lost
        }
        return yield* exit
      })
    )
  }

/**
 * Lets effects in, one at a time. One succeeds only if the transaction is still the one that it
 * came into; when it fails, what it wrote is undone, and the transaction of the host goes on.
 */
export const enter =
  (sql: SqlClient.SqlClient, entrance: Entrance): Within =>
  (effect) =>
    Effect.withFiber((fiber) => {
      const { host } = entrance
      const around = Context.getOrUndefined(fiber.context, sql.transactionService)
      // It is there already.
      if (around !== undefined && isHostLevel(around[0]) && around[0].host === host) return effect
      const visit: Visit = { hasBegun: false, isOver: false, lost: undefined }
      const inside = effect.pipe(
        Effect.provideService(sql.transactionService, [makeLevel(host, visit), 0]),
        Effect.provideService(InHostTransaction, true)
      )
      const taken = Effect.mapError(entrance.turn, makeToError(host, visit))
      return Effect.flatMap(taken, (turn) => turn(visitWith(entrance, visit)(inside)))
    })
