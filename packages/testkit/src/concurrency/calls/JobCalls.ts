/** Recorded calls to the job ports. */

import type { WorkKind } from "@verbatim/core/attempt"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { applyCommit, type IdempotencyRecord, type Job, pendingWork } from "@verbatim/core/job"
import { JobStore, WorkQueue } from "@verbatim/core/ports"
import { DateTime, Effect, Option, Result } from "effect"
import { digestOf } from "../../model/Digest.ts"
import { jobId, leaseToken, workspaceId } from "../../samples/Ids.ts"
import { transcriptOf } from "../../samples/SampleTranscript.ts"
import { entryOf } from "../judge/JobModel.ts"
import { Troubles } from "../Troubles.ts"
import type { Calls, JobSight, KeyRecord, LeaseOf } from "./CallRecord.ts"
import { type EventSpec, eventOf, instantOf } from "./EventSpec.ts"
import { jobFrom } from "./JobShape.ts"
import type { Caller, Recorder } from "./Recorder.ts"

/** Returns the number in an id made by `Ids`. */
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

/** A limit that exceeds the number of jobs in a round. */
const roomy = { workspace: 10_000_000, key: null }

const lane = { max: 1_000, taken: {} }

const leasesOf = (leases: ReadonlyArray<LeaseOf>) =>
  leases.map(({ job, token }) => ({ jobId: jobId(job), token: leaseToken(token) }))

/** The varying parts of a commit. All other parts follow from the job. */
export interface CommitSpec extends Pick<Calls["commit"], "isLeaseKept" | "token"> {
  /** The job as last seen by the writer. */
  readonly known: Job
  readonly spec: Omit<EventSpec, "number">
  readonly isCharged: boolean
  readonly hasTranscript: boolean
}

/** Leases to renew, and the job whose work row is locked, if any. */
interface RenewSpec {
  readonly leases: ReadonlyArray<LeaseOf>
  readonly locked?: number | null
}

/** The services that a fiber calls, and the recorder of the calls. */
interface CallServices {
  readonly recorder: Recorder
  readonly store: JobStore["Service"]
  readonly queue: WorkQueue["Service"]
  readonly troubles: Troubles["Service"]
}

const insert =
  ({ recorder, store }: CallServices) =>
  (caller: Caller, input: Calls["insert"]) => {
    const job = jobFrom(input.job, input.shape)
    const record = Option.map(Option.fromNullOr(input.key), ({ atMillis, name }) => ({
      key: IdempotencyKey.make(name),
      fingerprint: name,
      jobId: job.id,
      at: DateTime.makeUnsafe(atMillis)
    }))
    const answer = Effect.map(
      store.insert({
        job,
        work: pendingWork(job),
        idempotency: record,
        ...(input.isLimited === true ? { unfinishedMax: roomy } : {})
      }),
      (earlier) => Option.getOrNull(Option.map(earlier, recordOf))
    )
    return recorder.record(caller, { call: "insert", input, answer })
  }

const commit =
  ({ recorder, store }: CallServices) =>
  (caller: Caller, commitSpec: CommitSpec) => {
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

const claim =
  ({ queue, recorder }: CallServices) =>
  (
    caller: Caller,
    { kinds, limit }: { readonly kinds: ReadonlyArray<WorkKind>; readonly limit: number }
  ) => {
    const token = recorder.number()
    let jobs: ReadonlyArray<Job> = []
    let hasMore = false
    const room = {
      kinds: Object.fromEntries(kinds.map((kind) => [kind, limit])),
      held: {},
      lanes: lane
    }
    const answer = Effect.map(queue.claim({ ...room, token: leaseToken(token) }), (claimed) => {
      jobs = claimed.jobs
      hasMore = claimed.hasMore
      return { nowMillis: DateTime.toEpochMillis(claimed.now), jobs: jobs.map(sightOf) }
    })
    const input = { token, kinds }
    const attempted = recorder.record(caller, { call: "claim", input, answer, id: token })
    return Effect.map(attempted, (outcome) => ({
      token,
      hasMore,
      jobs: outcome.is === "answered" ? jobs : []
    }))
  }

const renew =
  ({ queue, recorder }: CallServices) =>
  (caller: Caller, { leases, locked = null }: RenewSpec) => {
    const answer = Effect.map(queue.renew(leasesOf(leases)), ({ busy, extended }) => ({
      extended: [...extended].map(numberOf),
      busy: [...busy].map(numberOf)
    }))
    return recorder.record(caller, { call: "renew", input: { leases, locked }, answer })
  }

const release =
  ({ queue, recorder }: CallServices) =>
  (caller: Caller, leases: ReadonlyArray<LeaseOf>) =>
    recorder.record(caller, {
      call: "release",
      input: { leases },
      answer: Effect.as(queue.release(leasesOf(leases)), null)
    })

const see =
  ({ recorder, store }: CallServices, call: "find" | "remove") =>
  (caller: Caller, job: number) => {
    let found: Job | undefined
    const attempted = call === "find" ? store.find : store.remove
    const answer = Effect.map(attempted(workspaceId(1), jobId(job)), (answered) => {
      found = Option.getOrUndefined(answered)
      return found === undefined ? null : sightOf(found)
    })
    return Effect.map(recorder.record(caller, { call, input: { job }, answer }), () => found)
  }

const history =
  ({ recorder, store }: CallServices) =>
  (caller: Caller, job: number) =>
    recorder.record(caller, {
      call: "history",
      input: { job },
      answer: Effect.map(store.history(jobId(job)), (entries) =>
        entries.map(({ at, events, revision, token }) =>
          entryOf({
            revision,
            atMillis: DateTime.toEpochMillis(at),
            token: Option.getOrNull(Option.map(token, numberOf)),
            events
          })
        )
      )
    })

const transcript =
  ({ recorder, store }: CallServices) =>
  (caller: Caller, job: number) =>
    recorder.record(caller, {
      call: "transcript",
      input: { job },
      answer: Effect.map(store.transcript(jobId(job)), (found) =>
        Option.isNone(found) ? null : Number(found.value.segments[0]?.text)
      )
    })

const idempotency =
  ({ recorder, store }: CallServices) =>
  (caller: Caller, key: string) =>
    recorder.record(caller, {
      call: "idempotency",
      input: { key },
      answer: Effect.map(store.idempotency(workspaceId(1), IdempotencyKey.make(key)), (found) =>
        Option.getOrNull(Option.map(found, recordOf))
      )
    })

const lapse =
  ({ recorder, troubles }: CallServices) =>
  (caller: Caller, jobs: ReadonlyArray<number>) =>
    recorder.record(caller, {
      call: "lapse",
      input: { jobs },
      answer: Effect.as(troubles.lapse?.(jobs.map(jobId)) ?? Effect.void, null)
    })

/** Makes the calls about jobs. Each call returns its outcome and, if needed, the job. */
export const jobCalls = Effect.fnUntraced(function* (recorder: Recorder) {
  const attempted: CallServices = {
    recorder,
    store: yield* JobStore,
    queue: yield* WorkQueue,
    troubles: yield* Troubles
  }
  return {
    claim: claim(attempted),
    commit: commit(attempted),
    find: see(attempted, "find"),
    history: history(attempted),
    idempotency: idempotency(attempted),
    insert: insert(attempted),
    lapse: lapse(attempted),
    release: release(attempted),
    remove: see(attempted, "remove"),
    renew: renew(attempted),
    transcript: transcript(attempted)
  }
})
