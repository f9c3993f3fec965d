/** Stores that lose corrections, mix them, keep them too long, or let a writer past another. */
import { noCorrections } from "@verbatim/core/correction"
import {
  CorrectionStore,
  type JobRevision,
  JobStore,
  OperatorKeyStore,
  RetentionStore,
  type Stores,
  WorkerRegistry
} from "@verbatim/core/ports"
import { correctionId } from "@verbatim/testkit/samples"
import { DateTime, Effect, Option } from "effect"
import { RateLimiter } from "effect/persistence"
import { operatorKey } from "#src/samples/SampleWorkspace"
import {
  doBefore,
  type Fault,
  plantFaults,
  type Replacement,
  rewriteRows,
  type Tables
} from "./Fault.ts"

/** Stores of corrections with a fault. */
export const correctionStoreFaults: ReadonlyArray<Fault<Stores>> = plantFaults(CorrectionStore, {
  // Forgets which segments a version changed.
  "keeps each version, and everything as the last one left it": ({ version }) => ({
    version: (id, number) =>
      Effect.map(
        version(id, number),
        Option.map((found) => ({ ...found, segments: [] }))
      )
  }),
  // Tells what stands now.
  "knows everything that was corrected at each version": ({ current }) => ({
    overlayAt: (id) =>
      Effect.map(
        current(id),
        Option.match({ onNone: () => noCorrections, onSome: ({ overlay }) => overlay })
      )
  }),
  // Begins each page at the latest version.
  "gives versions page by page, the latest first": ({ versions }) => ({
    versions: (id, page) => versions(id, { ...page, before: Option.none() })
  }),
  // Writes whatever comes, in place of what is there.
  "refuses a version that was decided on another one, and writes nothing of it": (
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
  }),
  // Refuses what it has written.
  "writes a version once, however often it is written": ({ commit, version }) => ({
    commit: (change) =>
      Effect.flatMap(version(change.next.id, change.version.version), (found) =>
        commit(
          Option.isSome(found)
            ? { ...change, version: { ...change.version, id: correctionId(999) } }
            : change
        )
      )
  }),
  // Finds the first one.
  "finds the last version that a request made, by its key": ({ requested, version }) => ({
    requested: (id, key) =>
      Effect.flatMap(version(id, 1), (first) =>
        Option.isSome(first) && first.value.request?.key === key
          ? Effect.succeed(first)
          : requested(id, key)
      )
  })
})

type Faulty = Replacement<RetentionStore["Service"]>

/** The same jobs, at whatever revision they are by now. */
export const atStoredRevision = <Job extends JobRevision>(
  { jobs }: Pick<Tables, "jobs">,
  given: ReadonlyArray<Job>
): ReadonlyArray<Job> =>
  given.map((each) => ({ ...each, revision: jobs.get(each.id)?.job.revision ?? 0 }))

/** The charges of jobs go with them. */
const removeCharges: Faulty = ({ remove }, { ledger }) => ({
  remove: (id, given) =>
    Effect.tap(remove(id, given), (gone) =>
      Effect.sync(() => {
        for (const each of gone) ledger.delete(`job:${each}`)
      })
    )
})

const storeFaults = plantFaults(RetentionStore, {
  // Finds jobs that ended a moment too late.
  "finds ended jobs by what they hold, the earliest end first": ({ ended }) => ({
    ended: (query) => ended({ ...query, until: DateTime.add(query.until, { milliseconds: 1 }) })
  }),
  // Begins each page at the first job.
  "goes on behind a place, page by page": ({ ended }) => ({
    ended: (query) => ended({ ...query, after: Option.none() })
  }),
  // Never looks for ends that are not noted.
  "finds jobs that may have ended without a note, until their end is noted": () => ({
    unnoted: () => Effect.succeed([])
  }),
  // Removes the charges too.
  "removes jobs with all that they have but their charges, and no others": removeCharges,
  // Looks at a revision long before it removes its job.
  "lets either a removal or a commit of the same revision win": ({ remove }, { jobs }) => ({
    remove: (id, given) =>
      Effect.gen(function* () {
        const right = given.filter((each) => jobs.get(each.id)?.job.revision === each.revision)
        for (let turn = 0; turn < 8; turn += 1) yield* Effect.yieldNow
        return yield* remove(id, atStoredRevision({ jobs }, right))
      })
  }),
  // Gives the turn to everybody.
  "gives the turn to one of many, until it passes it on or falls silent": () => ({
    takeTurn: () => Effect.succeed(true)
  }),
  // Counts the files of jobs that go as a whole.
  "tells what is over, by what jobs hold, and changes nothing": ({ overdue }) => ({
    overdue: (query, cutoffs) =>
      Effect.map(overdue(query, cutoffs), (found) => ({ ...found, media: found.media + 1 }))
  }),
  // Forgets to count what is not noted.
  "counts jobs without a noted end, up to a number": () => ({
    unnotedCount: () => Effect.succeed(0)
  }),
  // Counts the first page again and again.
  "tells what is over page by page": ({ overdue }) => ({
    overdue: (query, cutoffs) => overdue({ ...query, after: Option.none() }, cutoffs)
  })
})

const commitFaults = plantFaults(JobStore, {
  // Takes a job for ended when its transcription has.
  "notes the end of a job with the commit that ends it, and takes it back when it runs again": (
    { commit },
    { jobs }
  ) => ({
    commit: (change) =>
      Effect.map(commit(change), () => {
        const row = jobs.get(change.next.id)
        if (row === undefined || !("endedAt" in row.job.transcription)) return
        const endedAt = Option.some(row.job.transcription.endedAt)
        jobs.set(change.next.id, { ...row, end: { ...row.end, endedAt } })
      })
  })
})

export const retentionStoreFaults: ReadonlyArray<Fault<Stores>> = [...storeFaults, ...commitFaults]

type Survey = Effect.Success<WorkerRegistry["Service"]["survey"]>

/** The survey, changed before it is answered. */
const surveying =
  (change: (survey: Survey) => Partial<Survey>): Replacement<WorkerRegistry["Service"]> =>
  ({ survey }) => ({
    survey: Effect.map(survey, (told) => ({ ...told, ...change(told) }))
  })

type Lanes = Survey["debts"][number]["lanes"]

/** The lanes of each kind, changed before they are shown. */
const lanesOf = (change: (lanes: Lanes) => Lanes) =>
  surveying(({ debts }) => ({
    debts: debts.map((debt) => ({ ...debt, lanes: change(debt.lanes) }))
  }))

export const workerRegistryFaults = plantFaults(WorkerRegistry, {
  // Takes each sign for the start of a worker.
  "keeps the last sign of a worker, and the time of its first one": ({ leave, sign }) => ({
    sign: (given) => Effect.andThen(leave(given.id), sign(given))
  }),
  // Shows workers in any order.
  "shows every worker that signs, the oldest first": surveying(({ workers }) => ({
    workers: workers.toReversed()
  })),
  // Keeps a worker that leaves.
  "forgets a worker that leaves, and no other": () => ({ leave: () => Effect.void }),
  // Counts held work as due.
  "tells of each kind what is due, what comes later, and what is held": surveying(({ debts }) => ({
    debts: debts.map((debt) => ({ ...debt, due: debt.due + debt.leased, leased: 0 }))
  })),
  // Takes lanes of two workspaces for one.
  "tells in which lanes of whom it is, those with most that is due first": lanesOf((lanes) =>
    [...Map.groupBy(lanes, ({ lane }) => lane).values()].flatMap((same) => same.slice(0, 1))
  ),
  // Shows one lane too many.
  "shows the first of many lanes, and says how many there are": lanesOf((lanes) => [
    ...lanes,
    ...lanes.slice(0, 1)
  ])
})

export const rateLimiterStoreFaults = plantFaults(RateLimiter.RateLimiterStore, {
  // Never refuses.
  "gives no more than a bucket holds to many who ask at once, and no less": ({ tokenBucket }) => ({
    tokenBucket: (options) =>
      Effect.map(tokenBucket(options), ([left, elapsed]) => [Math.max(0, left), elapsed] as const)
  }),
  // Takes what there is where there is not enough.
  "takes nothing where there is not enough": ({ tokenBucket }) => ({
    tokenBucket: (options) => tokenBucket({ ...options, allowOverflow: true })
  }),
  // Has one bucket for all.
  "keeps each bucket by itself": ({ tokenBucket }) => ({
    tokenBucket: (options) => tokenBucket({ ...options, key: "" })
  }),
  // Forgets how far the next token has come.
  "says how far the next token has come": ({ tokenBucket }) => ({
    tokenBucket: (options) => Effect.map(tokenBucket(options), ([left]) => [left, 0] as const)
  })
})

export const operatorKeyStoreFaults = plantFaults(OperatorKeyStore, {
  // Opens to a key that nobody added.
  "begins empty": () => ({
    find: () => Effect.succeed(Option.some(operatorKey(1)))
  }),
  // Writes an operator key over another with its hash.
  "adds an operator key once, as it is, and no other with its hash": (
    { add },
    { operatorKeys }
  ) => ({
    add: doBefore(add, ({ hash }) => operatorKeys.delete(hash))
  }),
  // Finds revoked operator keys.
  "revokes an operator key for good, at the first instant": (_, { operatorKeys }) => ({
    find: (hash) => Effect.sync(() => Option.fromUndefinedOr(operatorKeys.get(hash)))
  }),
  // Notes an earlier use of an operator key over a later one.
  "notes the last use of an operator key, and no earlier one": (_, { operatorKeys }) => ({
    noteUse: (id, at) =>
      rewriteRows(operatorKeys, (key) => (key.id === id ? { lastUsedAt: at } : {}))
  })
})
