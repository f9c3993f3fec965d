import { MemoryDatabase, MemoryWorkQueue } from "@verbatim/adapters/memory"
import { recordOfKinds } from "@verbatim/core/attempt"
import { JobStore, leaseDuration, type OwedWork, WorkQueue } from "@verbatim/core/ports"
import { DateTime, Duration, Effect, Layer, Option, Record } from "effect"
import { workspaceId } from "#src/samples/Ids"
import { plantFaults, type Replacement, type Tables } from "./Fault.ts"

type Row = Tables["work"] extends Map<infer _, infer A> ? A : never

/** By how many milliseconds. */
interface Shift {
  readonly due?: number
  readonly lease?: number
}

/** Shifts all instants of the work rows while an effect runs. */
const shifted = <A, E>(
  { work }: Tables,
  shift: Shift,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const before = new Map(work)
    for (const [id, row] of before) {
      const dueAt = DateTime.add(row.work.dueAt, { milliseconds: shift.due ?? 0 })
      const until = row.lease && DateTime.add(row.lease.until, { milliseconds: shift.lease ?? 0 })
      const lease = row.lease && until ? { ...row.lease, until } : null
      work.set(id, { ...row, work: { ...row.work, dueAt }, lease })
    }
    return Effect.tap(effect, () =>
      Effect.sync(() => {
        for (const [id, row] of before) {
          const now = work.get(id)
          const isTaken = now?.lease?.token !== row.lease?.token
          if (now) work.set(id, { ...row, lease: isTaken ? now.lease : row.lease })
        }
      })
    )
  })

/** The memory adapter whose claims see shifted instants. */
const shifting =
  (shift: Shift): Replacement<WorkQueue["Service"]> =>
  ({ claim }, tables) => ({
    claim: (request) => shifted(tables, shift, claim(request))
  })

/** The memory adapter that writes rows of its own over those whose leases it has extended. */
const rewritingRenewed =
  (rewrite: (before: Row) => Row): Replacement<WorkQueue["Service"]> =>
  ({ renew }, { work }) => ({
    renew: (leases) =>
      Effect.suspend(() => {
        const rows = new Map(work)
        return Effect.tap(renew(leases), ({ extended }) =>
          Effect.sync(() => {
            for (const id of extended) {
              const before = rows.get(id)
              if (before !== undefined) work.set(id, rewrite(before))
            }
          })
        )
      })
  })

const jobStoreFaults = plantFaults(JobStore, {
  // Remembers the progress of a lease that has ended.
  "keeps the progress of work while its lease is held, and no longer": ({ progress }) => {
    const last = new Map<string, number>()
    return {
      progress: (id) =>
        Effect.map(progress(id), (found) => {
          if (Option.isSome(found)) last.set(id, found.value)
          return Option.fromUndefinedOr(last.get(id))
        })
    }
  }
})

const queueFaults = plantFaults(WorkQueue, {
  // Lets a lease hold one millisecond too long.
  "gives out leased work again at the very instant the lease ends": shifting({ lease: 1 }),
  // Gives out work one millisecond before it is due.
  "gives out work at its very instant": shifting({ due: -1 }),
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
  // Gives out of a lane as if it were empty, unless it is full.
  "gives out of a lane what it has room for, the earliest, and leaves the rest free": ({
    claim
  }) => ({
    claim: ({ lanes: { max, taken }, ...request }) => {
      const full = Record.filter(taken, (count) => count >= max)
      return claim({ ...request, lanes: { max, taken: full } })
    }
  }),
  // Tells of more when it gave out anything.
  "tells whether there may be more than it gave out": ({ claim }) => ({
    claim: (request) =>
      Effect.map(claim(request), (given) => ({ ...given, hasMore: given.jobs.length > 0 }))
  }),
  // Takes no kind for all kinds.
  "gives out only the kinds named": ({ claim }) => ({
    claim: (request) =>
      claim(
        Object.keys(request.kinds).length > 0
          ? request
          : { ...request, kinds: { Fetch: 1_000, Transcribe: 1_000 } }
      )
  }),
  // Renews whatever it is asked to.
  "renews no lease whose work another claim took": () => ({
    renew: (leases) =>
      Effect.succeed({ extended: new Set(leases.map(({ jobId }) => jobId)), busy: new Set() })
  }),
  // Tells that it has extended what it only looked at.
  "renews a lease for its whole duration from now": rewritingRenewed((before) => before),
  // Takes leases that are gone for busy ones.
  "tells of a lease that is gone, and does not take it for a busy one": ({ renew }) => ({
    renew: (leases) =>
      Effect.map(renew(leases), ({ extended }) => ({
        extended,
        busy: new Set(leases.flatMap(({ jobId }) => (extended.has(jobId) ? [] : [jobId])))
      }))
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
  // Lets returned work wait for the end of its lease.
  "gives returned work to the next claim, however often it is returned": () => ({
    release: () => Effect.void
  }),
  // Leases for a minute.
  "gives out leased work again when the lease has ended and not before": shifting({
    lease: Duration.toMillis(leaseDuration)
  })
})

/** Faults in what the queue gives out, and in what the store says of it. */
export const workQueueFaults = [...queueFaults, ...jobStoreFaults]

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

const aLongQueue = 128

export const workQueueTurnFaults = plantFaults(WorkQueue, {
  // Serves whoever has waited longest.
  "goes round the workspaces, whoever has waited longest": claimingFrom(ofOne),
  // Forgets whom it served last.
  "gives the next slot to the workspace behind the one served last": (_, tables) => ({
    claim: (request) =>
      Effect.flatMap(WorkQueue, (queue) => queue.claim(request)).pipe(
        Effect.provide(Layer.fresh(MemoryWorkQueue.layer), { local: true }),
        Effect.provideService(MemoryDatabase, tables)
      )
  }),
  // Does not count what is under way.
  "gives slots to those who have less under way": ({ claim }) => ({
    claim: (request) => claim({ ...request, held: {} })
  }),
  // Lets one workspace take all places.
  "leaves slots for others where attempts wait for hosts, and nowhere else": ({ claim }) => ({
    claim: (request) => {
      const doubled = Object.entries(request.kinds).map(([kind, places]) => [kind, 2 * places])
      return claim({ ...request, kinds: Object.fromEntries(doubled) })
    }
  }),
  // Takes the lanes of all workspaces for one.
  "keeps the lanes of workspaces apart": claimingFrom(ofOne),
  // Looks at the first workspaces of a long queue, and never behind them.
  "serves every workspace in turn, however long the queue is": claimingFrom(firstOnes),
  // Stays with the workspaces that have nothing for it.
  "comes round to a workspace past any number that have nothing for it": claimingFrom(firstOnes),
  // Knows no lanes in a long queue.
  "keeps to the limits of lanes, however long the queue is": ({ claim }, { work }) => ({
    claim: (request) => {
      const { max, taken } = request.lanes
      const isLong = work.size > aLongQueue
      return claim({ ...request, lanes: isLong ? { max: 1_000, taken: {} } : { max, taken } })
    }
  }),
  // Tells of no more when there is room left.
  "tells of more while it has not looked at all that is due": ({ claim }, tables) => ({
    claim: (request) =>
      showing(
        tables,
        firstOnes,
        Effect.map(claim(request), (given) => ({ ...given, hasMore: false }))
      )
  })
})

/** The memory adapter that tells something else of each kind. */
const telling =
  (change: (owed: OwedWork) => OwedWork): Replacement<WorkQueue["Service"]> =>
  ({ owed }) => ({
    owed: Effect.map(owed, (kinds) => recordOfKinds((kind) => change(kinds[kind])))
  })

export const workQueueOwedFaults = plantFaults(WorkQueue, {
  // Adds up all kinds.
  "counts what is owed of each kind: what waits, what is held, what is due later": ({ owed }) => ({
    owed: Effect.map(owed, ({ Transcribe }) => recordOfKinds(() => Transcribe))
  }),
  // Knows no age.
  "tells how long the oldest work has been due that nobody holds": telling((owed) => ({
    ...owed,
    age: Duration.zero
  }))
})
