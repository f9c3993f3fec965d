import { fullLanes, laneOf } from "@verbatim/core/job"
import { JobStore, leaseDuration, WorkQueue } from "@verbatim/core/ports"
import { DateTime, Duration, Effect, Option, Record } from "effect"
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
  "keeps the progress of work while its lease is held, and no longer": {
    "remembers the progress of a lease that has ended": ({ progress }) => {
      const last = new Map<string, number>()
      return {
        progress: (id) =>
          Effect.map(progress(id), (found) => {
            if (Option.isSome(found)) last.set(id, found.value)
            return Option.fromUndefinedOr(last.get(id))
          })
      }
    }
  }
})

const queueFaults = plantFaults(WorkQueue, {
  "gives out leased work again at the very instant the lease ends": {
    "lets a lease hold one millisecond too long": shifting({ lease: 1 })
  },
  "gives out work at its very instant": {
    "gives out work one millisecond before it is due": shifting({ due: -1 })
  },
  "gives out the earliest due first": {
    "gives out work in the order of the ids": ({ claim }) => ({
      claim: (request) =>
        Effect.map(claim(request), ({ jobs, ...given }) => ({
          ...given,
          jobs: jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1))
        }))
    })
  },
  "reaches its limit past any number of full lanes": {
    "counts full lanes against the limit": ({ claim }, { work }) => ({
      claim: (request) => {
        const full = fullLanes(request.lanes)
        const passed = [...work.values()].filter((row) =>
          full.includes(laneOf(row.work) ?? "")
        ).length
        const kinds = Object.fromEntries(
          Object.entries(request.kinds).map(([kind, limit]) => [kind, Math.max(0, limit - passed)])
        )
        return claim({ ...request, kinds })
      }
    })
  },
  "passes over the full lanes and no others": {
    "knows no full lanes": ({ claim }) => ({
      claim: (request) => claim({ ...request, lanes: { ...request.lanes, taken: {} } })
    })
  },
  "gives out of a lane what it has room for, the earliest, and leaves the rest free": {
    "gives out of a lane as if it were empty, unless it is full": ({ claim }) => ({
      claim: ({ lanes: { max, taken }, ...request }) => {
        const full = Record.filter(taken, (count) => count >= max)
        return claim({ ...request, lanes: { max, taken: full } })
      }
    })
  },
  "tells whether there may be more than it gave out": {
    "tells of more when it gave out anything": ({ claim }) => ({
      claim: (request) =>
        Effect.map(claim(request), (given) => ({ ...given, hasMore: given.jobs.length > 0 }))
    })
  },
  "gives out only the kinds named": {
    "takes no kind for all kinds": ({ claim }) => ({
      claim: (request) =>
        claim(
          Object.keys(request.kinds).length > 0
            ? request
            : { ...request, kinds: { Fetch: 1_000, Transcribe: 1_000 } }
        )
    })
  },
  "gives one piece of work to exactly one of two claims at once": {
    "reads what is free, then lets others claim before it does": ({ claim }, { work }) => ({
      claim: (request) =>
        Effect.gen(function* () {
          const seen = new Map(work)
          yield* Effect.yieldNow
          for (const [id, row] of seen) work.set(id, row)
          return yield* claim(request)
        })
    })
  },
  "renews no lease whose work another claim took": {
    "renews whatever it is asked to": () => ({
      renew: (leases) =>
        Effect.succeed({ extended: new Set(leases.map(({ jobId }) => jobId)), busy: new Set() })
    })
  },
  "renews a lease for its whole duration from now": {
    "tells that it has extended what it only looked at": rewritingRenewed((before) => before)
  },
  "tells of a lease that is gone, and does not take it for a busy one": {
    "takes leases that are gone for busy ones": ({ renew }) => ({
      renew: (leases) =>
        Effect.map(renew(leases), ({ extended }) => ({
          extended,
          busy: new Set(leases.flatMap(({ jobId }) => (extended.has(jobId) ? [] : [jobId])))
        }))
    })
  },
  "renews a lapsed lease that nobody took": {
    "renews no lapsed lease": ({ renew }, { work }) => ({
      renew: (leases) =>
        Effect.flatMap(DateTime.now, (now) =>
          renew(
            leases.filter(({ jobId }) => {
              const until = work.get(jobId)?.lease?.until
              return until !== undefined && DateTime.isGreaterThan(until, now)
            })
          )
        )
    })
  },
  "takes back nothing that the token does not hold": {
    "takes back a lease from anybody": (_, { work }) => ({
      release: (leases) =>
        Effect.sync(() => {
          for (const { jobId } of leases) {
            const row = work.get(jobId)
            if (row) work.set(jobId, { ...row, lease: null })
          }
        })
    })
  },
  "gives returned work to the next claim, however often it is returned": {
    "lets returned work wait for the end of its lease": () => ({
      release: () => Effect.void
    })
  },
  "gives out leased work again when the lease has ended and not before": {
    "leases for a minute": shifting({ lease: Duration.toMillis(leaseDuration) })
  }
})

/** Faults in what the queue gives out, and in what the store says of it. */
export const workQueueFaults = [...queueFaults, ...jobStoreFaults]
