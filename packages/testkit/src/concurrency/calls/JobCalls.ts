/** Makes and records calls to the job ports. */

import type { WorkKind } from "@verbatim/core/attempt"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { type IdempotencyRecord, type Job, pendingWork } from "@verbatim/core/job"
import { type HistoryEntry, JobStore, WorkQueue } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import { digestOf } from "../../model/Digest.ts"
import { jobId, leaseToken, workspaceId } from "../../samples/Ids.ts"
import { commitOf } from "../../samples/SampleJob.ts"
import { transcriptOf } from "../../samples/SampleTranscript.ts"
import { makeCapacity } from "../../samples/Stored.ts"
import { entryOf } from "../judge/JobModel.ts"
import { Troubles } from "../Troubles.ts"
import type { Calls, JobSight, KeyRecord, LeaseOf } from "./CallRecord.ts"
import { type EventSpec, eventOf, instantOf, jobFrom } from "./JobSpec.ts"
import type { Caller, Recorder } from "./Recorder.ts"

/** Returns the number in an id created by `Ids`. */
export const numberOf = (id: string): number => Number.parseInt(id.slice(-12), 16)

const sightOf = (job: Job): JobSight => ({
  job: numberOf(job.id),
  revision: job.revision,
  digest: digestOf(job)
})

const toRecord = (found: Option.Option<IdempotencyRecord>): KeyRecord | null =>
  Option.getOrNull(
    Option.map(found, ({ at, jobId }) => ({
      job: numberOf(jobId),
      atMillis: DateTime.toEpochMillis(at)
    }))
  )

const lineOf = ({ at, events, revision, token }: HistoryEntry): string =>
  entryOf({
    revision,
    atMillis: DateTime.toEpochMillis(at),
    token: Option.getOrNull(Option.map(token, numberOf)),
    events
  })

/** A limit higher than the number of jobs in a round. */
const roomy = { workspace: 10_000_000, key: null }

const leasesOf = (leases: ReadonlyArray<LeaseOf>) =>
  leases.map(({ job, token }) => ({ jobId: jobId(job), token: leaseToken(token) }))

/** The parts of a commit that the check chooses. All other parts follow from the job. */
export interface CommitSpec extends Pick<Calls["commit"], "isLeaseKept" | "token"> {
  /** The job as last seen by the writer. */
  readonly known: Job
  readonly spec: Omit<EventSpec, "number">
  readonly isCharged: boolean
  readonly hasTranscript: boolean
}

/** The calls to the job ports. Each returns its outcome and, if needed, the job. */
export type JobCalls = Effect.Success<ReturnType<typeof jobCalls>>

/** Builds the calls to the job ports of a process. */
export const jobCalls = Effect.fnUntraced(function* (recorder: Recorder) {
  const [store, queue, troubles] = [yield* JobStore, yield* WorkQueue, yield* Troubles]

  const insert = (caller: Caller, input: Calls["insert"]) => {
    const job = jobFrom(input.job, input.shape)
    const record = Option.map(Option.fromNullOr(input.key), ({ atMillis, name }) => ({
      key: IdempotencyKey.make(name),
      fingerprint: name,
      jobId: job.id,
      at: DateTime.makeUnsafe(atMillis)
    }))
    const creation = { job, work: pendingWork(job), idempotency: record }
    const answer = Effect.map(
      store.insert({ ...creation, ...(input.isLimited === true && { unfinishedMax: roomy }) }),
      toRecord
    )
    return recorder.record(caller, { call: "insert", input, answer })
  }

  const commit = (caller: Caller, commitSpec: CommitSpec) => {
    const { hasTranscript, isCharged, isLeaseKept, known, token } = commitSpec
    const id = recorder.number()
    const spec = { ...commitSpec.spec, number: id }
    const change = {
      events: [eventOf(known, spec)],
      at: instantOf(id),
      isLeaseKept,
      ...(token !== null && { token: leaseToken(token) }),
      ...(hasTranscript && { transcript: transcriptOf([`${id}`]) }),
      ...(isCharged && { chargeMillis: id })
    }
    const commit = commitOf(known, change)
    const { next } = commit
    const input = {
      job: numberOf(known.id),
      revision: next.revision,
      spec,
      token,
      isLeaseKept,
      transcript: hasTranscript ? id : null,
      chargeMillis: isCharged ? id : null
    }
    const answer = Effect.as(store.commit(commit), null)
    const recorded = recorder.record(caller, { call: "commit", input, answer, id })
    return Effect.map(recorded, (outcome) => ({ next, outcome }))
  }

  const claim = (
    caller: Caller,
    { kinds, limit }: { readonly kinds: ReadonlyArray<WorkKind>; readonly limit: number }
  ) => {
    const token = recorder.number()
    let found = { hasMore: false, jobs: [] as ReadonlyArray<Job> }
    const capacity = makeCapacity({ kinds, limit })
    const answer = Effect.map(queue.claim({ ...capacity, token: leaseToken(token) }), (claimed) => {
      found = claimed
      return { nowMillis: DateTime.toEpochMillis(claimed.now), jobs: claimed.jobs.map(sightOf) }
    })
    const attempted = { call: "claim" as const, input: { token, kinds }, answer, id: token }
    return Effect.map(recorder.record(caller, attempted), ({ is }) => ({
      token,
      hasMore: found.hasMore,
      jobs: is === "answered" ? found.jobs : []
    }))
  }

  const see = (call: "find" | "remove") => (caller: Caller, job: number) => {
    let found: Job | undefined
    const answer = Effect.map(store[call](workspaceId(1), jobId(job)), (answered) => {
      found = Option.getOrUndefined(answered)
      return found === undefined ? null : sightOf(found)
    })
    return Effect.map(recorder.record(caller, { call, input: { job }, answer }), () => found)
  }

  return {
    insert,
    commit,
    claim,
    find: see("find"),
    remove: see("remove"),
    renew: (caller: Caller, leases: ReadonlyArray<LeaseOf>) => {
      const answer = Effect.map(queue.renew(leasesOf(leases)), ({ busy, extended }) => ({
        extended: [...extended].map(numberOf),
        busy: [...busy].map(numberOf)
      }))
      return recorder.record(caller, { call: "renew", input: { leases }, answer })
    },
    release: (caller: Caller, leases: ReadonlyArray<LeaseOf>) => {
      const answer = Effect.as(queue.release(leasesOf(leases)), null)
      return recorder.record(caller, { call: "release", input: { leases }, answer })
    },
    history: (caller: Caller, job: number) => {
      const answer = Effect.map(store.history(jobId(job)), (entries) => entries.map(lineOf))
      return recorder.record(caller, { call: "history", input: { job }, answer })
    },
    transcript: (caller: Caller, job: number) => {
      const answer = Effect.map(store.transcript(jobId(job)), (found) =>
        Option.isNone(found) ? null : Number(found.value.segments[0]?.text)
      )
      return recorder.record(caller, { call: "transcript", input: { job }, answer })
    },
    idempotency: (caller: Caller, key: string) => {
      const read = store.idempotency(workspaceId(1), IdempotencyKey.make(key))
      const answer = Effect.map(read, toRecord)
      return recorder.record(caller, { call: "idempotency", input: { key }, answer })
    },
    lapse: (caller: Caller, jobs: ReadonlyArray<number>) => {
      const answer = Effect.as(troubles.lapse?.(jobs.map(jobId)) ?? Effect.void, null)
      return recorder.record(caller, { call: "lapse", input: { jobs }, answer })
    }
  }
})
