/**
 * Faults in the stores for workspaces, corrections, retention, workers, buckets and operator keys.
 */
import { noCorrections } from "@verbatim/core/correction"
import {
  CorrectionStore,
  type JobRevision,
  OperatorKeyStore,
  RetentionStore,
  WorkerRegistry,
  WorkspaceStore
} from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { RateLimiter } from "effect/persistence"
import { plantFaults, rewriteRows } from "./Fault.ts"

export const correctionStoreFaults = plantFaults(CorrectionStore, {
  // Returns the current corrections for every version.
  "returns all corrections as of any version": ({ current }) => ({
    overlayAt: (id) =>
      Effect.map(
        current(id),
        Option.match({ onNone: () => noCorrections, onSome: ({ overlay }) => overlay })
      )
  }),
  // Writes every version, and replaces existing versions.
  "refuses a version that is based on an outdated version, and writes nothing": (
    { commit },
    { jobs }
  ) => ({
    commit: (change) =>
      Effect.catch(commit(change), (error) => {
        const row = jobs.get(change.next.id)
        if (error.reason._tag !== "Superseded" || row?.corrections === undefined) {
          return Effect.fail(error)
        }
        const corrections = { ...row.corrections, current: change.next }
        jobs.set(change.next.id, { ...row, corrections })
        return Effect.void
      })
  })
})

export const retentionStoreFaults = plantFaults(RetentionStore, {
  // Removes a job's charges along with the job.
  "removes only the given jobs and all their rows except their charges": (
    { remove },
    { ledger }
  ) => ({
    remove: (id, given) =>
      Effect.tap(remove(id, given), (gone) =>
        Effect.sync(() => {
          for (const each of gone) ledger.delete(`job:${each}`)
        })
      )
  }),
  // Reads a job's revision, and removes the job much later.
  "lets either a removal or a concurrent commit on the same revision win": (
    { remove },
    { jobs }
  ) => ({
    remove: (id, given) =>
      Effect.gen(function* () {
        const right = given.filter((each) => jobs.get(each.id)?.job.revision === each.revision)
        for (let turn = 0; turn < 8; turn += 1) yield* Effect.yieldNow
        const revisionOf = (each: JobRevision) => jobs.get(each.id)?.job.revision ?? 0
        return yield* remove(
          id,
          right.map((each) => ({ ...each, revision: revisionOf(each) }))
        )
      })
  }),
  // Grants the lock to several holders at once.
  "grants the lock to one of many callers until the lock is released or expires": () => ({
    acquireLock: () => Effect.succeed(true)
  })
})

export const workerRegistryFaults = plantFaults(WorkerRegistry, {
  // Still lists a stopped worker.
  "removes only the worker that leaves": () => ({ leave: () => Effect.void }),
  // Pauses tasks, but never resumes one.
  "reports the paused tasks to every worker until the list is replaced": ({ pause, survey }) => ({
    pause: (tasks) => Effect.flatMap(survey, ({ paused }) => pause([...paused, ...tasks]))
  }),
  // Counts failed jobs as completed.
  "counts the jobs that ended in the last day by hour and outcome, in all workspaces": ({
    ended
  }) => ({
    ended: Effect.map(ended, (hours) =>
      hours.map(({ completed, failed, from }) => ({
        from,
        completed: completed + failed,
        failed: 0
      }))
    )
  })
})

export const rateLimiterStoreFaults = plantFaults(RateLimiter.RateLimiterStore, {
  // Never refuses a request.
  "grants many concurrent calls exactly the tokens that a bucket holds": ({ tokenBucket }) => ({
    tokenBucket: (options) =>
      Effect.map(tokenBucket(options), ([left, elapsed]) => [Math.max(0, left), elapsed] as const)
  }),
  // Uses one bucket for all keys.
  "counts the tokens of each bucket separately": ({ tokenBucket }) => ({
    tokenBucket: (options) => tokenBucket({ ...options, key: "" })
  })
})

export const operatorKeyStoreFaults = plantFaults(OperatorKeyStore, {
  // Still finds revoked operator keys.
  "revokes an operator key permanently, and keeps the time of the first revocation": (
    _,
    { operatorKeys }
  ) => ({
    find: (hash) => Effect.sync(() => Option.fromUndefinedOr(operatorKeys.get(hash)))
  })
})

export const workspaceStoreFaults = plantFaults(WorkspaceStore, {
  // Checks that no workspace exists, and lets other callers create one before it writes its own.
  "lets one of many concurrent calls create the first workspace, with that call's keys and credit":
    ({ found }, { accounts }) => ({
      found: (founding) =>
        Effect.gen(function* () {
          if (accounts.size > 0) return false
          yield* Effect.yieldNow
          accounts.clear()
          return yield* found(founding)
        })
    }),
  // Counts a credit twice.
  "books a credit once per id and workspace, however often the call is repeated": (
    { credit },
    { ledger }
  ) => ({
    credit: (given) => credit({ ...given, id: `${given.id}/${ledger.size}` })
  }),
  // Loses a credit, because it reads the balance before other callers change it.
  "books every one of many concurrent credits": ({ credit }, { accounts }) => ({
    credit: (given) =>
      Effect.gen(function* () {
        const seen = accounts.get(given.workspaceId)
        yield* Effect.yieldNow
        if (seen) accounts.set(given.workspaceId, seen)
        return yield* credit(given)
      })
  }),
  // Returns the secrets of all workspaces.
  "hides a workspace's secrets from other workspaces": (_, { secrets }) => ({
    webhookSecrets: () => Effect.sync(() => [...secrets.values()])
  }),
  // Sets the revocation time to the time of the last call.
  "revokes a key permanently, and keeps the time of the first revocation": (
    { revokeKey },
    { keys }
  ) => ({
    revokeKey: (id, at) =>
      Effect.tap(revokeKey(id, at), () =>
        rewriteRows(keys, (key) => (key.id === id ? { revokedAt: at } : {}))
      )
  })
})
