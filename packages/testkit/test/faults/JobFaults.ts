/** Faults in the in-memory adapter's job store and work queue. */
import type { IdempotencyRecord } from "@verbatim/core/job"
import { JobStore, JobStoreError, WorkQueue } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import { workspaceId } from "#src/samples/Ids"
import { plantFaults, type Tables } from "./Fault.ts"

const full = new JobStoreError({ operation: "insert", reason: { _tag: "Full", of: "workspace" } })

const max = (most: number | null | undefined): number => most ?? Number.POSITIVE_INFINITY

/**
 * Runs a claim as if all rows belonged to one workspace, and writes its leases to the real rows.
 */
const showing = <A, E>({ work }: Tables, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const before = new Map(work)
    for (const [id, row] of before) {
      work.set(id, { ...row, work: { ...row.work, workspaceId: workspaceId(1) } })
    }
    return Effect.tap(effect, () =>
      Effect.sync(() => {
        for (const [id, row] of before) {
          work.set(id, { ...row, lease: work.get(id)?.lease ?? row.lease })
        }
      })
    )
  })

export const jobStoreFaults = plantFaults(JobStore, {
  // Loses an update because it does not compare revisions.
  "refuses a commit based on an outdated revision, and writes nothing": ({ commit }, { jobs }) => ({
    commit: (change) => {
      const stored = jobs.get(change.next.id)?.job.revision ?? 0
      return commit({ ...change, next: { ...change.next, revision: stored + 1 } })
    }
  }),
  // Shows a job to every workspace.
  "finds an inserted job only in its own workspace": (_, { jobs }) => ({
    find: (_workspaceId, id) => Effect.sync(() => Option.fromUndefinedOr(jobs.get(id)?.job))
  }),
  // Does not erase a summary's text from the history.
  "erases only a job's text, including the copies of the text in the job's history": ({
    commit
  }) => ({
    commit: (change) =>
      commit(change.forgotten === undefined ? change : { ...change, forgotten: { history: [] } })
  }),
  // Answers every request in a statement with the record of one request's key.
  "gives each of many concurrent requests its own answer, with and without keys": ({ insert }) => {
    let found = Option.none<IdempotencyRecord>()
    return {
      insert: (creation) =>
        Effect.gen(function* () {
          const earlier = yield* insert(creation)
          if (Option.isSome(earlier)) found = earlier
          yield* Effect.yieldNow
          return Option.isSome(creation.idempotency) ? found : earlier
        })
    }
  },
  // Counts unfinished jobs, and lets other callers insert jobs before it inserts its own.
  "accepts exactly the allowed number of unfinished jobs from many concurrent inserts": (
    { insert },
    { work }
  ) => ({
    insert: ({ unfinishedMax, ...creation }) =>
      Effect.gen(function* () {
        const isFull = work.size >= max(unfinishedMax?.workspace)
        yield* Effect.yieldNow
        return yield* isFull ? full : insert(creation)
      })
  }),
  // Refunds the cost of a deleted job.
  "deletes a job and all its rows except its charge": ({ remove }, { ledger }) => ({
    remove: (workspaceId, id) => {
      ledger.delete(`job:${id}`)
      return remove(workspaceId, id)
    }
  }),
  // Returns the newest entries first.
  "returns each of a workspace's commits and deletions after a cursor once, in order": ({
    changes
  }) => ({
    changes: (query) =>
      Effect.map(changes(query), (found) => ({
        ...found,
        feed: Option.map(found.feed, (stretch) => ({
          ...stretch,
          entries: stretch.entries.toReversed()
        }))
      }))
  })
})

export const workQueueFaults = plantFaults(WorkQueue, {
  // Holds a lease one millisecond too long.
  "hands out leased work again exactly when its lease expires": ({ claim }, { work }) => ({
    claim: (request) => {
      for (const [id, row] of work) {
        if (row.lease === null) continue
        const until = DateTime.add(row.lease.until, { milliseconds: 1 })
        work.set(id, { ...row, lease: { ...row.lease, until } })
      }
      return claim(request)
    }
  }),
  // Ignores full lanes.
  "skips only full lanes": ({ claim }) => ({
    claim: (request) => claim({ ...request, lanes: { ...request.lanes, taken: {} } })
  }),
  // Returns the work that has waited longest, even if its workspace just had a turn.
  "serves every waiting workspace once before serving any workspace again": (
    { claim },
    tables
  ) => ({
    claim: (request) => showing(tables, claim(request))
  })
})
