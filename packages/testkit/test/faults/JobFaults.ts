/** Faults in the memory adapter's job store and queue. */
import type { IdempotencyRecord } from "@verbatim/core/job"
import { type Commit, JobStore, JobStoreError, WorkQueue } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import { workspaceId } from "#src/samples/Ids"
import { plantFaults, type Replacement, type Tables } from "./Fault.ts"

const superseded = new JobStoreError({ operation: "commit", reason: { _tag: "Superseded" } })

const charge = (
  { accounts, ledger }: Tables,
  key: `job:${string}`,
  { at, chargeMillis, next }: Commit
) => {
  const account = accounts.get(next.workspaceId)
  if (account === undefined || Option.isNone(chargeMillis)) return
  const millis = -chargeMillis.value
  const reason = { _tag: "Charge", jobId: next.id, keyId: null } as const
  ledger.set(key, { ordinal: ledger.size + 1, workspaceId: next.workspaceId, at, millis, reason })
  accounts.set(next.workspaceId, {
    ...account,
    balanceMillis: account.balanceMillis + millis
  })
}

/** The memory adapter with changed commits. */
const committing =
  (alter: (change: Commit) => Commit): Replacement<JobStore["Service"]> =>
  ({ commit }) => ({ commit: (change) => commit(alter(change)) })

const full = new JobStoreError({ operation: "insert", reason: { _tag: "Full", of: "workspace" } })

const max = (most: number | null | undefined): number => most ?? Number.POSITIVE_INFINITY

/**
 * Shows all rows to a claim as if they belonged to one workspace. The leases of the claim are
 * written to the real rows.
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
  // Does not check the lease token.
  "refuses the token of a lease that was taken over, released, or ended by a commit": committing(
    (change) => ({
      ...change,
      token: Option.none()
    })
  ),
  // Loses an update, because it does not compare the revision.
  "refuses a commit based on an outdated revision, and writes nothing": ({ commit }, { jobs }) => ({
    commit: (change) => {
      const stored = jobs.get(change.next.id)?.job.revision ?? 0
      return commit({ ...change, next: { ...change.next, revision: stored + 1 } })
    }
  }),
  // Compares the revision, but then lets other callers write first.
  "lets one of many concurrent commits that are based on the same revision win": (
    { commit },
    { jobs }
  ) => ({
    commit: (change) =>
      Effect.gen(function* () {
        const seen = jobs.get(change.next.id)
        if (seen?.job.revision !== change.next.revision - 1) return yield* superseded
        yield* Effect.yieldNow
        jobs.set(change.next.id, seen)
        return yield* commit(change)
      })
  }),
  // Shows a job to every workspace.
  "finds an inserted job only in its own workspace": (_, { jobs }) => ({
    find: (_workspaceId, id) => Effect.sync(() => Option.fromUndefinedOr(jobs.get(id)?.job))
  }),
  // Books a charge for every commit.
  "charges a job once, even if several commits contain a charge": ({ commit }, tables) => ({
    commit: (change) =>
      Effect.tap(commit({ ...change, chargeMillis: Option.none() }), () =>
        Effect.sync(() => charge(tables, `job:${change.next.id}/${change.next.revision}`, change))
      )
  }),
  // Leaves a summary's text in the history.
  "erases only a job's text, including the copies of the text in the job's history": ({
    commit
  }) => ({
    commit: (change) =>
      commit(change.forgotten === undefined ? change : { ...change, forgotten: { history: [] } })
  }),
  // Returns the record of an existing key to every request in the same statement.
  "gives each of many concurrent requests its own answer, with and without keys": ({ insert }) => {
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
  // Counts unfinished jobs, but then lets other callers insert jobs first.
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
  // Inserts a job before it looks up its key.
  "inserts one job per idempotency key, and returns it for later requests": ({ insert }) => ({
    insert: (creation) =>
      Effect.flatMap(insert({ ...creation, idempotency: Option.none() }), () =>
        Effect.catch(insert(creation), () => Effect.succeedNone)
      )
  }),
  // Returns the newest entries first.
  "returns each commit of a workspace once, in order, from any cursor": ({ changes }) => ({
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
  // Keeps a lease for one millisecond too long.
  "hands out leased work again at the exact instant when its lease expires": (
    { claim },
    { work }
  ) => ({
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
  // Renews every requested lease.
  "does not renew a lease whose work another claim took": () => ({
    renew: (leases) =>
      Effect.succeed({ extended: new Set(leases.map(({ jobId }) => jobId)), busy: new Set() })
  }),
  // Releases a lease without checking the token.
  "releases only work that is held by the given token": (_, { work }) => ({
    release: (leases) =>
      Effect.sync(() => {
        for (const { jobId } of leases) {
          const row = work.get(jobId)
          if (row) work.set(jobId, { ...row, lease: null })
        }
      })
  }),
  // Serves work only by how long it has waited.
  "serves every waiting workspace once before it serves any workspace again": (
    { claim },
    tables
  ) => ({
    claim: (request) => showing(tables, claim(request))
  })
})
