/** Faults planted into the jobs and the queue of the memory adapter. */
import type { IdempotencyRecord } from "@verbatim/core/job"
import {
  type Changes,
  type Commit,
  type FeedStretch,
  JobStore,
  JobStoreError,
  WorkQueue,
  WorkspaceStore
} from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import { workspaceId } from "#src/samples/Ids"
import { doAfterRefusal, doBefore, plantFaults, type Replacement, type Tables } from "./Fault.ts"

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
  ledger.set(key, { place: ledger.size + 1, workspaceId: next.workspaceId, at, millis, reason })
  accounts.set(next.workspaceId, {
    ...account,
    balanceMillis: account.balanceMillis + millis
  })
}

/** The memory adapter that commits something else than it is given. */
const committing =
  (alter: (change: Commit) => Commit): Replacement<JobStore["Service"]> =>
  ({ commit }) => ({ commit: (change) => commit(alter(change)) })

const full = new JobStoreError({ operation: "insert", reason: { _tag: "Full", of: "workspace" } })

const max = (most: number | null | undefined): number => most ?? Number.POSITIVE_INFINITY

type Store = JobStore["Service"]

/** Tells the feed otherwise. */
const ofFeed =
  (change: (stretch: FeedStretch) => FeedStretch) =>
  ({ changes }: Pick<Store, "changes">): Partial<Store> => ({
    changes: (query) =>
      Effect.map(
        changes(query),
        (found): Changes => ({
          ...found,
          feed: Option.map(found.feed, change)
        })
      )
  })

type Row = Tables["work"] extends Map<infer _, infer A> ? A : never

/** Shows a claim other rows; what it leases is leased in the real rows. */
const showing = <A, E>(
  { work }: Tables,
  change: (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const before = new Map(work)
    work.clear()
    for (const row of change([...before.values()])) work.set(row.jobId, row)
    return Effect.tap(effect, () =>
      Effect.sync(() => {
        const after = new Map(work)
        work.clear()
        for (const [id, row] of before) {
          work.set(id, { ...row, lease: after.get(id)?.lease ?? row.lease })
        }
      })
    )
  })

/** All rows as those of one workspace. */
const ofOne = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.map((row) => ({ ...row, work: { ...row.work, workspaceId: workspaceId(1) } }))

/** The first few of the workspaces that have something. */
const firstOnes = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const owners = [...new Set(rows.map(({ work }) => work.workspaceId))].sort().slice(0, 32)
  return rows.filter(({ work }) => owners.includes(work.workspaceId))
}

/** The memory adapter that claims from other rows. */
const claimingFrom =
  (change: (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>): Replacement<WorkQueue["Service"]> =>
  ({ claim }, tables) => ({
    claim: (request) => showing(tables, change, claim(request))
  })

export const jobStoreFaults = plantFaults(JobStore, {
  // Does not fence by the token.
  "refuses the token of a lease that has ended: taken over, given back, or by a commit": committing(
    (change) => ({
      ...change,
      token: Option.none()
    })
  ),
  // Loses an update: the revision is not compared.
  "refuses a commit decided on an older revision, and writes nothing": ({ commit }, { jobs }) => ({
    commit: (change) => {
      const stored = jobs.get(change.next.id)?.job.revision ?? 0
      return commit({ ...change, next: { ...change.next, revision: stored + 1 } })
    }
  }),
  // Compares the revision, then lets others write before it does.
  "lets one of many commits on one revision win": ({ commit }, { jobs }) => ({
    commit: (change) =>
      Effect.gen(function* () {
        const seen = jobs.get(change.next.id)
        if (seen?.job.revision !== change.next.revision - 1) return yield* superseded
        yield* Effect.yieldNow
        jobs.set(change.next.id, seen)
        return yield* commit(change)
      })
  }),
  // Inserts a job without its work.
  "lets one of many inserts of one id win": ({ insert }) => ({
    insert: (creation) => insert({ ...creation, work: Option.none() })
  }),
  // Shows a job to every workspace.
  "finds what was inserted, in its workspace only": (_, { jobs }) => ({
    find: (_workspaceId, id) => Effect.sync(() => Option.fromUndefinedOr(jobs.get(id)?.job))
  }),
  // Forgets the creation in the history.
  "begins the history with the creation": ({ history }) => ({
    history: (id) => Effect.map(history(id), (entries) => entries.slice(1))
  }),
  // Charges for every commit.
  "charges a job once, however many commits charge it": ({ commit }, tables) => ({
    commit: (change) =>
      Effect.tap(commit({ ...change, chargeMillis: Option.none() }), () =>
        Effect.sync(() => charge(tables, `job:${change.next.id}/${change.next.revision}`, change))
      )
  }),
  // Charges before it knows that it may write.
  "charges nothing by a commit without a charge or a refused one": ({ commit }, tables) => ({
    commit: doBefore(commit, (change) => charge(tables, `job:${change.next.id}`, change))
  }),
  // Leaves the text of a summary in the history.
  "takes away the text of a job, also where its history repeats it, and nothing else": ({
    commit
  }) => ({
    commit: (change) =>
      commit(change.forgotten === undefined ? change : { ...change, forgotten: { history: [] } })
  }),
  // Tells whoever comes together with a key that stands of its record.
  "answers each of many requests at once for itself, whatever their keys": ({ insert }) => {
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
  // Counts, then lets others insert before it does.
  "lets no more jobs be unfinished than may be, of many inserted at once, and no fewer": (
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
  // Takes the key of a job that there is no room for.
  "writes nothing of a job that there is no room for": ({ insert }, { idempotency }) => ({
    insert: doAfterRefusal(insert, ({ idempotency: given, job }) => {
      const record = Option.getOrUndefined(given)
      if (record) idempotency.set(`${job.workspaceId}/${record.key}`, record)
    })
  }),
  // Ends when the job that a page begins behind is gone.
  "lists page after page without gaps or repeats, whatever comes or goes meanwhile": (
    { list },
    { jobs }
  ) => ({
    list: (query) =>
      Option.exists(query.after, (id) => !jobs.has(id)) ? Effect.succeed([]) : list(query)
  }),
  // Gives back what a deleted job cost.
  "deletes a job with all that belongs to it, but its charge": ({ remove }, { ledger }) => ({
    remove: (workspaceId, id) => {
      ledger.delete(`job:${id}`)
      return remove(workspaceId, id)
    }
  }),
  // Makes a job before it looks for its key.
  "remembers the key of a job, and makes no second job under it": ({ insert }) => ({
    insert: (creation) =>
      Effect.flatMap(insert({ ...creation, idempotency: Option.none() }), () =>
        Effect.catch(insert(creation), () => Effect.succeedNone)
      )
  }),
  // Takes keys for equal that differ in case.
  "keeps keys apart by their spelling and their workspace": ({ insert }) => ({
    insert: (creation) =>
      insert({
        ...creation,
        idempotency: Option.map(creation.idempotency, (record) => ({
          ...record,
          key: record.key.toLowerCase() as typeof record.key
        }))
      })
  }),
  // Answers parts of a transcript that is deleted.
  "has no further part of a transcript that was deleted meanwhile": ({ transcriptPart }) => ({
    transcriptPart: (id, before) =>
      Effect.map(transcriptPart(id, before), (part) =>
        Option.orElse(part, () => Option.map(before, (mark) => ({ ...mark, segments: [] })))
      )
  }),
  // Tells the latest first.
  "tells each commit of a workspace once, in order, from any place on": ofFeed((stretch) => ({
    ...stretch,
    entries: stretch.entries.toReversed()
  }))
})

export const usageFaults = plantFaults(WorkspaceStore, {
  // Sums all workspaces where one is named.
  "sums one workspace and one key where they are named": ({ usage }) => ({
    usage: (query) => usage({ ...query, workspaceId: null })
  })
})

export const workQueueFaults = plantFaults(WorkQueue, {
  // Lets a lease hold one millisecond too long.
  "gives out leased work again at the very instant the lease ends": ({ claim }, { work }) => ({
    claim: (request) => {
      for (const [id, row] of work) {
        if (row.lease === null) continue
        const until = DateTime.add(row.lease.until, { milliseconds: 1 })
        work.set(id, { ...row, lease: { ...row.lease, until } })
      }
      return claim(request)
    }
  }),
  // Gives out work in the order of the ids.
  "gives out the earliest due first": ({ claim }) => ({
    claim: (request) =>
      Effect.map(claim(request), ({ jobs, ...given }) => ({
        ...given,
        jobs: jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      }))
  }),
  // Knows no full lanes.
  "passes over the full lanes and no others": ({ claim }) => ({
    claim: (request) => claim({ ...request, lanes: { ...request.lanes, taken: {} } })
  }),
  // Renews whatever it is asked to.
  "renews no lease whose work another claim took": () => ({
    renew: (leases) =>
      Effect.succeed({ extended: new Set(leases.map(({ jobId }) => jobId)), busy: new Set() })
  }),
  // Takes back a lease from anybody.
  "takes back nothing that the token does not hold": (_, { work }) => ({
    release: (leases) =>
      Effect.sync(() => {
        for (const { jobId } of leases) {
          const row = work.get(jobId)
          if (row) work.set(jobId, { ...row, lease: null })
        }
      })
  }),
  // Serves whoever has waited longest.
  "goes round the workspaces, whoever has waited longest": claimingFrom(ofOne),
  // Looks at the first workspaces of a long queue, and never behind them.
  "serves every workspace in turn, however long the queue is": claimingFrom(firstOnes)
})
