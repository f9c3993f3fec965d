/** Makes and records calls to the job ports. */

import type { WorkKind } from "@verbatim/core/attempt"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { applyCommit, type IdempotencyRecord, type Job, pendingWork } from "@verbatim/core/job"
import { JobStore, WorkQueue } from "@verbatim/core/ports"
import { DateTime, Effect, Option, Result } from "effect"
import { digestOf } from "../../model/Digest.ts"
import { jobId, leaseToken, workspaceId } from "../../samples/Ids.ts"
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

const recordOf = ({ at, jobId }: IdempotencyRecord): KeyRecord => ({
  job: numberOf(jobId),
  atMillis: DateTime.toEpochMillis(at)
})

/** A limit higher than the number of jobs in a round. */
const roomy = { workspace: 10_000_000, key: null }

const leasesOf = (leases: ReadonlyArray<LeaseOf>) =>
  leases.map(({ job, token }) => ({ jobId: jobId(job), token: leaseToken(token) }))

/** The parts of a commit that vary. All other parts follow from the job. */
export interface CommitSpec extends Pick<Calls["commit"], "isLeaseKept" | "token"> {
  /** The job as last seen by the writer. */
  readonly known: Job
  readonly spec: Omit<EventSpec, "number">
  readonly isCharged: boolean
  readonly hasTranscript: boolean
}

/** The services that a fiber calls, and the recorder for these calls. */
interface CallServices {
  readonly recorder: Recorder
  readonly store: JobStore["Service"]
  readonly queue: WorkQueue["Service"]
  readonly troubles: Troubles["Service"]
}

/** The calls about jobs. Each returns the call's outcome and, if needed, the job. */
export class JobCalls {
  readonly #services: CallServices

  constructor(services: CallServices) {
    this.#services = services
  }

  insert(caller: Caller, input: Calls["insert"]) {
    const { recorder, store } = this.#services
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
      (earlier) => Option.getOrNull(Option.map(earlier, recordOf))
    )
    return recorder.record(caller, { call: "insert", input, answer })
  }

  commit(caller: Caller, commitSpec: CommitSpec) {
    const { recorder, store } = this.#services
    const { hasTranscript, isCharged, isLeaseKept, known, token } = commitSpec
    const id = recorder.number()
    const spec = { ...commitSpec.spec, number: id }
    const event = eventOf(known, spec)
    const next = Result.getOrThrow(applyCommit(known, [event]))
    const input = {
      job: numberOf(known.id),
      revision: next.revision,
      spec,
      token,
      isLeaseKept,
      transcript: hasTranscript ? id : null,
      chargeMillis: isCharged ? id : null
    }
    const answer = store.commit({
      next,
      events: [event],
      at: instantOf(id),
      token: Option.map(Option.fromNullOr(token), leaseToken),
      work: pendingWork(next),
      isLeaseKept,
      transcript: hasTranscript ? Option.some(transcriptOf([`${id}`])) : Option.none(),
      chargeMillis: Option.fromNullOr(input.chargeMillis),
      body: Option.none()
    })
    const attempted = { call: "commit" as const, input, answer: Effect.as(answer, null), id }
    return Effect.map(recorder.record(caller, attempted), (outcome) => ({ next, outcome }))
  }

  claim(
    caller: Caller,
    { kinds, limit }: { readonly kinds: ReadonlyArray<WorkKind>; readonly limit: number }
  ) {
    const { queue, recorder } = this.#services
    const token = recorder.number()
    let found = { hasMore: false, jobs: [] as Job[] as ReadonlyArray<Job> }
    const capacity = makeCapacity({ kinds, limit })
    const answer = Effect.map(queue.claim({ ...capacity, token: leaseToken(token) }), (claimed) => {
      found = claimed
      return {
        nowMillis: DateTime.toEpochMillis(claimed.now),
        jobs: claimed.jobs.map(sightOf)
      }
    })
    const attempted = { call: "claim" as const, input: { token, kinds }, answer, id: token }
    return Effect.map(recorder.record(caller, attempted), ({ is }) => ({
      token,
      hasMore: found.hasMore,
      jobs: is === "answered" ? found.jobs : []
    }))
  }

  renew(caller: Caller, leases: ReadonlyArray<LeaseOf>) {
    const { queue, recorder } = this.#services
    const answer = Effect.map(queue.renew(leasesOf(leases)), ({ busy, extended }) => ({
      extended: [...extended].map(numberOf),
      busy: [...busy].map(numberOf)
    }))
    return recorder.record(caller, { call: "renew", input: { leases }, answer })
  }

  release(caller: Caller, leases: ReadonlyArray<LeaseOf>) {
    const { queue, recorder } = this.#services
    const answer = Effect.as(queue.release(leasesOf(leases)), null)
    return recorder.record(caller, { call: "release", input: { leases }, answer })
  }

  find(caller: Caller, job: number) {
    return this.#see("find", caller, job)
  }

  remove(caller: Caller, job: number) {
    return this.#see("remove", caller, job)
  }

  #see(call: "find" | "remove", caller: Caller, job: number) {
    const { recorder, store } = this.#services
    let found: Job | undefined
    const answer = Effect.map(store[call](workspaceId(1), jobId(job)), (answered) => {
      found = Option.getOrUndefined(answered)
      return found === undefined ? null : sightOf(found)
    })
    return Effect.map(recorder.record(caller, { call, input: { job }, answer }), () => found)
  }

  history(caller: Caller, job: number) {
    const { recorder, store } = this.#services
    const answer = Effect.map(store.history(jobId(job)), (entries) =>
      entries.map(({ at, events, revision, token }) =>
        entryOf({
          revision,
          atMillis: DateTime.toEpochMillis(at),
          token: Option.getOrNull(Option.map(token, numberOf)),
          events
        })
      )
    )
    return recorder.record(caller, { call: "history", input: { job }, answer })
  }

  transcript(caller: Caller, job: number) {
    const { recorder, store } = this.#services
    const answer = Effect.map(store.transcript(jobId(job)), (found) =>
      Option.isNone(found) ? null : Number(found.value.segments[0]?.text)
    )
    return recorder.record(caller, { call: "transcript", input: { job }, answer })
  }

  idempotency(caller: Caller, key: string) {
    const { recorder, store } = this.#services
    const answer = Effect.map(
      store.idempotency(workspaceId(1), IdempotencyKey.make(key)),
      (found) => Option.getOrNull(Option.map(found, recordOf))
    )
    return recorder.record(caller, { call: "idempotency", input: { key }, answer })
  }

  lapse(caller: Caller, jobs: ReadonlyArray<number>) {
    const { recorder, troubles } = this.#services
    const answer = Effect.as(troubles.lapse?.(jobs.map(jobId)) ?? Effect.void, null)
    return recorder.record(caller, { call: "lapse", input: { jobs }, answer })
  }
}

/** Builds the calls to a process's stores. */
export const jobCalls = Effect.fnUntraced(function* (recorder: Recorder) {
  const [store, queue, troubles] = [yield* JobStore, yield* WorkQueue, yield* Troubles]
  return new JobCalls({ recorder, store, queue, troubles })
})
