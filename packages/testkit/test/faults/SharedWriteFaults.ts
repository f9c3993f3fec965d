/** Stores that let simultaneous writes believe each other's answers. */
import type { IdempotencyRecord } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { plantFaults } from "./Fault.ts"

export const sharedWriteFaults = plantFaults(JobStore, {
  "answers each of many requests at once for itself, whatever their keys": {
    "tells whoever comes together with a key that stands of its record": ({ insert }) => {
      let told = Option.none<IdempotencyRecord>()
      return {
        insert: (creation) =>
          Effect.gen(function* () {
            const earlier = yield* insert(creation)
            if (Option.isSome(earlier)) told = earlier
            yield* Effect.yieldNow
            return Option.isSome(creation.idempotency) ? told : earlier
          })
      }
    }
  }
})
