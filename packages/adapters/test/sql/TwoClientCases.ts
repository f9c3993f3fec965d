/** What two clients of one database do at the same time, whichever database it is. */
import { it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { givesDenseVersions, type TwoClients } from "./TwoClients.ts"
import { holdsRequests, holdsUnfinished } from "./TwoLimits.ts"
import { emptiesTogether } from "./TwoRemovals.ts"

/** The cases, with two of what the database calls its clients. */
export const testTwo = <E>(clients: string, open: Effect.Effect<TwoClients, E, Scope.Scope>) => {
  it.live(`gives dense versions to 64 writers at each of two ${clients}`, () =>
    Effect.flatMap(open, givesDenseVersions)
  )

  it.live(`holds the unfinished jobs of two ${clients} together`, () =>
    Effect.flatMap(open, holdsUnfinished)
  )

  it.live(`holds the requests of two ${clients} together`, () =>
    Effect.flatMap(open, holdsRequests)
  )

  it.live(`is emptied of a workspace by two ${clients} at once, while others write`, () =>
    Effect.flatMap(open, emptiesTogether)
  )
}
