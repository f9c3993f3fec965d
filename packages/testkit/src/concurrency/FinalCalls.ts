/**
 * Makes a round's final calls, after all others have ended. They read everything, claim all work
 * and delete all jobs, so the next round starts without jobs.
 */
import { WorkKind } from "@verbatim/core/attempt"
import { JobStore, WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { labels } from "../model/PresetCommands.ts"
import { jobId, workspaceId } from "../samples/Ids.ts"
import { readLedger } from "../samples/Stored.ts"
import { dice } from "../simulation/clock/Seed.ts"
import type { LeaseOf, Recorded } from "./calls/CallRecord.ts"
import { jobCalls } from "./calls/JobCalls.ts"
import { presetCalls } from "./calls/PresetCalls.ts"
import { type Caller, Recorder } from "./calls/Recorder.ts"
import { makeNumbering } from "./Play.ts"
import { Troubles } from "./Troubles.ts"

/** The jobs, keys and leases for the final calls. */
export interface Ending {
  readonly round: number
  readonly jobs: ReadonlyArray<number>
  /** Jobs that may have a transcript. */
  readonly transcripts: ReadonlyArray<number>
  readonly slugs: ReadonlyArray<string>
  readonly keys: ReadonlyArray<string>
  /** Leases that may still be valid. */
  readonly leases: ReadonlyArray<LeaseOf>
}

/** Number of final calls made concurrently. */
const concurrency = 16

/** Number of leases renewed or released per call. */
const leasesMax = 500

/** Number of jobs claimed per call. */
const claimMax = 200

const chunks = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / leasesMax) }, (_, index) =>
    all.slice(index * leasesMax, (index + 1) * leasesMax)
  )

const closer = (round: number): Caller => ({
  name: "end",
  dice: dice(round, "end"),
  isPatient: true
})

const look = Effect.fnUntraced(function* (ending: Ending) {
  const { jobs, keys, leases, round, slugs, transcripts } = ending
  const recorder = new Recorder(makeNumbering({ round, member: 0, members: 1 }, "closing"))
  const caller = closer(round)
  const asJobs = yield* jobCalls(recorder)
  const asPresets = yield* presetCalls(recorder)
  const workspaces = yield* WorkspaceStore
  const store = yield* JobStore

  const each = <A>(all: ReadonlyArray<A>, call: (one: A) => Effect.Effect<unknown>) =>
    Effect.forEach(all, call, { concurrency, discard: true })
  const ledger = Effect.gen(function* () {
    const rows = yield* readLedger(workspaces, workspaceId(1))
    const account = yield* workspaces.account(workspaceId(1))
    return {
      balanceMillis: Option.match(account, {
        onNone: () => Number.NaN,
        onSome: ({ balanceMillis }) => balanceMillis
      }),
      amounts: rows.map(({ millis }) => -millis)
    }
  })

  /**
   * Claims all due work of every kind. Claims run one at a time, because a claim can skip rows that
   * a concurrent claim is reading.
   */
  const claimAll = Effect.forEach(WorkKind.literals, (kind) =>
    Effect.suspend(() => asJobs.claim(caller, { kinds: [kind], limit: claimMax })).pipe(
      Effect.repeat({
        while: ({ hasMore, jobs }) => hasMore || jobs.length > 0,
        times: jobs.length
      })
    )
  )
  // A release skips rows that a concurrent release has locked.
  for (const some of chunks(leases)) yield* asJobs.release(caller, some)
  yield* each(jobs, (job) => asJobs.find(caller, job))
  yield* each(jobs, (job) => asJobs.history(caller, job))
  yield* each(transcripts, (job) => asJobs.transcript(caller, job))
  yield* claimAll
  yield* each(keys, (key) => asJobs.idempotency(caller, key))
  yield* each(slugs, (slug) => asPresets.list(caller, slug))
  // Later rounds start without protected labels.
  yield* each(labels, (label) => asPresets.call(caller, { _tag: "Unprotect", label }))
  yield* recorder.record(caller, { call: "ledger", input: {}, answer: ledger })
  const records: ReadonlyArray<Recorded> = [...recorder.records]
  yield* each(jobs, (job) => Effect.orDie(store.remove(workspaceId(1), jobId(job))))
  return records
})

/** Makes the final calls after every other call has ended. */
export const close = (ending: Ending) =>
  Troubles.use(({ calmly }) => calmly(Effect.scoped(look(ending))))
