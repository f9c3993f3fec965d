/** Defines tests of concurrency with two clients of one database. */
import { it } from "@effect/vitest"
import { Deadline } from "@verbatim/core/ports"
import { Clock, Duration, Effect, type Scope } from "effect"
import { givesDenseVersions, type TwoClients } from "./TwoClients.ts"
import { limitsRequests, limitsUnfinished } from "./TwoLimits.ts"
import { deleteTogether } from "./TwoRemovals.ts"

/** Gives every write ten minutes, because writes can be slow on a busy machine. */
const patiently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.monotonicTimeNanos, (now) =>
    Effect.provideService(effect, Deadline, now + Duration.toNanosUnsafe(Duration.minutes(10)))
  )

/** Runs the tests with two clients, and calls them `clients` in the titles. */
export const testTwo = <E>(clients: string, open: Effect.Effect<TwoClients, E, Scope.Scope>) => {
  it.live(`numbers versions without gaps for 24 writers on each of two ${clients}`, () =>
    Effect.flatMap(open, givesDenseVersions)
  )

  it.live(`limits the number of unfinished jobs on two ${clients} together`, () =>
    Effect.flatMap(open, limitsUnfinished)
  )

  it.live(`limits the number of requests on two ${clients} together`, () =>
    Effect.flatMap(open, limitsRequests)
  )

  it.live(`deletes a workspace through two ${clients} at once while others write to it`, () =>
    patiently(Effect.flatMap(open, deleteTogether))
  )
}
