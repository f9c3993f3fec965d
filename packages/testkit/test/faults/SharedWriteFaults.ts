/** Stores that let simultaneous writes believe each other's answers. */
import type { IdempotencyRecord } from "@verbatim/core/job"
import { JobStore } from "@verbatim/core/ports"
import { Effect, Option, Result } from "effect"
import { plantFaults } from "./Fault.ts"

export const sharedWriteFaults = plantFaults(JobStore, {
  "answers each of many commits of one job at once for itself": {
    "answers commits that come together by their job, whoever's was written": ({ commit }) => {
      const gathering = new Map<string, { isWritten: boolean }>()
      return {
        commit: (change) =>
          Effect.gen(function* () {
            const { id } = change.next
            const shared = gathering.get(id) ?? { isWritten: false }
            gathering.set(id, shared)
            yield* Effect.yieldNow
            gathering.delete(id)
            const outcome = yield* Effect.result(commit(change))
            if (Result.isSuccess(outcome)) shared.isWritten = true
            yield* Effect.yieldNow
            if (!shared.isWritten) return yield* Effect.fromResult(outcome)
          })
      }
    }
  },
  "lets one of many inserts of one id win": {
    "answers inserts that come together by their id, whoever's was written": (
      { insert },
      { jobs }
    ) => ({
      insert: (creation) =>
        Effect.gen(function* () {
          const isKnown = jobs.has(creation.job.id)
          yield* Effect.yieldNow
          const written = insert(creation)
          return yield* isKnown ? written : Effect.catch(written, () => Effect.succeedNone)
        })
    })
  },
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
    },
    "makes a job of every request under a key that comes together with the first": ({
      idempotency,
      insert
    }) => ({
      insert: (creation) =>
        Effect.gen(function* () {
          const { workspaceId } = creation.job
          const key = Option.map(creation.idempotency, (record) => record.key)
          const before = Option.isSome(key)
            ? yield* idempotency(workspaceId, key.value)
            : Option.none<IdempotencyRecord>()
          yield* Effect.yieldNow
          if (Option.isSome(before)) return before
          return yield* insert({ ...creation, idempotency: Option.none() })
        })
    })
  }
})
