/** What a host does with jobs. */
import type { Job as CoreJob, LegacyStatus } from "@verbatim/core/job"
import { Jobs as CoreJobs, JobRecords, Submissions } from "@verbatim/core/services"
import type { Modifier } from "@verbatim/core/transcription"
import type { Principal } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import { Refused } from "../Errors.ts"
import type { Transcript } from "../Options.ts"
import { type HistoryEvent, toAttempts, toHistory, type WebhookAttempt } from "../view/History.ts"
import { type Failure, type Hook, type Job, toJob } from "../view/Job.ts"
import { makeAbout } from "./AboutJob.ts"
import { judging, judgingAll } from "./Arguments.ts"
import { jobCalls, mainCalls } from "./Calls.ts"
import { discard, MediaFault } from "./Content.ts"
import { type CorrectionMethods, makeCorrections } from "./Corrections.ts"
import { type EventMethods, makeEvents } from "./Events.ts"
import type { Run } from "./Host.ts"
import type { JobReference } from "./JobReference.ts"
import { makePlaying, type PlayingMethods } from "./Playing.ts"
import { arrivalOf, judgeWebhook, type Transcribe } from "./Transcribe.ts"
import type { Wait } from "./Waiting.ts"
import type { Asker, Owners } from "./Workspaces.ts"

/** The statuses by which the API lists jobs. */
export type JobStatus = LegacyStatus

/** Which jobs are listed: newest first. */
export interface JobsWanted extends Asker {
  readonly status?: JobStatus
  readonly callbackId?: string
  /** Accepted then or later. */
  readonly acceptedAfter?: Date
  /** Accepted before. */
  readonly acceptedBefore?: Date
  /** The page begins after that job. */
  readonly after?: string
  /** Default: 50, at most 100. */
  readonly limit?: number
}

/** A page of jobs. */
export interface JobsPage {
  readonly jobs: ReadonlyArray<Job>
  /** What `after` is for the next page; null on the last one. */
  readonly next: string | null
}

/** What came of a job. */
export type Result =
  | { readonly state: "pending"; readonly job: Job }
  | {
      readonly state: "completed"
      readonly job: Job
      /** Null where retention has removed it. */
      readonly transcript: Transcript | null
      /** Null where there is none. */
      readonly summary: string | null
    }
  | { readonly state: "failed"; readonly job: Job; readonly failure: Failure }

/** A transcript in one of its forms. */
export interface Rendering {
  readonly contentType: string
  readonly body: string
}

/** How a host waits. */
export interface WaitOptions {
  /** Ends the waiting, never the job. */
  readonly signal?: AbortSignal
  /** Takes how much is recognised, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}

/** Jobs of a host. */
export interface Jobs extends EventMethods, PlayingMethods {
  readonly get: (job: JobReference) => Promise<Job>
  readonly list: (wanted?: JobsWanted) => Promise<JobsPage>
  /** What came of it, as far as it has. */
  readonly result: (job: JobReference) => Promise<Result>
  /** The transcript in one of its forms; `Refused` while there is none. */
  readonly render: (job: JobReference, modifier: Modifier) => Promise<Rendering>
  /** Runs a failed job again. */
  readonly retry: (job: JobReference) => Promise<Job>
  /** Sends the webhook of an ended job again. */
  readonly redeliver: (job: JobReference) => Promise<Job>
  /** Calls `finished`, or the hook that is named, again for a job that is over. */
  readonly renotify: (job: JobReference, hook?: Hook) => Promise<Job>
  /** Removes a job with its results and its media. What was charged stays charged. */
  readonly remove: (job: JobReference) => Promise<void>
  /** What people have corrected of its transcript. */
  readonly corrections: CorrectionMethods
  /** Everything that happened to it, oldest first. */
  readonly history: (job: JobReference) => Promise<ReadonlyArray<HistoryEvent>>
  /** Every request that was sent to the receiver of its webhook, and what came of it. */
  readonly webhookAttempts: (job: JobReference) => Promise<ReadonlyArray<WebhookAttempt>>
}

/** What jobs need of an opened Verbatim. */
export interface JobsParts {
  readonly run: Run
  readonly owners: Owners
  readonly wait: (wait: Wait) => Effect.Effect<CoreJob, unknown, JobRecords>
}

/** Makes the methods. */
export const makeJobs = ({ owners, run, wait }: JobsParts) => {
  const show = (job: CoreJob) =>
    Effect.map(owners.ownerOf(job.workspaceId), (owner) => toJob(job, owner))

  const about = makeAbout(owners, JobRecords)
  /** The same of a job as callers of the API are shown it. */
  const aboutAsShown = makeAbout(owners, CoreJobs)

  const find = (reference: JobReference) =>
    about(reference, (records, principal) => records.find(principal, reference.id))

  /** Asks for something of an ended job again, and shows the job. */
  const renew = <E>(
    reference: JobReference,
    ask: (records: JobRecords["Service"], principal: Principal) => Effect.Effect<CoreJob, E>
  ) => run(about(reference, (records, principal) => Effect.flatMap(ask(records, principal), show)))

  const resultOf = Effect.fnUntraced(function* (found: CoreJob) {
    const job = yield* show(found)
    const { transcription } = job
    if (transcription.state === "failed") {
      return { state: "failed" as const, job, failure: transcription.failure }
    }
    if (!job.isOver) return { state: "pending" as const, job }
    const transcript = Option.getOrNull(yield* (yield* JobRecords).transcript(found))
    const summary = job.summary?.state === "completed" ? job.summary.text : null
    return { state: "completed" as const, job, transcript, summary }
  })

  const accept = judging(
    mainCalls.transcribe,
    (wanted: Transcribe): Promise<Job> =>
      run(
        Effect.suspend(() => {
          const arrival = arrivalOf(wanted)
          return Effect.flatMap(owners.find(wanted), ({ principal }) =>
            Effect.flatMap(Submissions, ({ accept }) => accept(principal, arrival)).pipe(
              // The one sentence that callers get says too little to the host itself.
              Effect.catchTag("UrlUnreachable", (error) =>
                Effect.andThen(judgeWebhook(wanted), Effect.fail(error))
              ),
              // Another process has deleted it: from now on its name stands for a new one.
              Effect.tapErrorTag("WorkspaceNotFound", ({ id }) => owners.forget(id))
            )
          )
        }).pipe(
          Effect.flatMap(({ job }) => show(job)),
          Effect.catchIf(
            (error) => error instanceof MediaFault,
            ({ fault }) => Effect.fail(fault)
          )
        ),
        wanted.signal
      )
  )

  const transcribe = (wanted: Transcribe): Promise<Job> => {
    const job = accept(wanted)
    job.catch(() => discard(wanted?.media))
    return job
  }

  const jobs = judgingAll<Omit<Jobs, "corrections" | keyof (EventMethods & PlayingMethods)>>(
    jobCalls,
    {
      get: (reference) => run(Effect.flatMap(find(reference), show)),
      list: (wanted = {}) =>
        run(
          Effect.gen(function* () {
            const { acceptedAfter, acceptedBefore, after, callbackId, limit, status } = wanted
            const { owner, principal } = yield* owners.find(wanted)
            const records = yield* JobRecords
            const asked = {
              status,
              callbackId,
              createdAfter: acceptedAfter?.toISOString(),
              createdBefore: acceptedBefore?.toISOString(),
              cursor: after,
              limit: limit?.toString()
            }
            const { hasMore, jobs } = yield* records.list(principal, asked)
            const last = jobs.at(-1)
            return {
              jobs: jobs.map((job) => toJob(job, owner)),
              next: hasMore && last !== undefined ? last.id : null
            }
          })
        ),
      result: (reference) => run(Effect.flatMap(find(reference), resultOf)),
      render: (reference, modifier) =>
        run(
          Effect.gen(function* () {
            const rendered = yield* aboutAsShown(reference, (jobs, principal) =>
              jobs.result(principal, { id: reference.id, modifier })
            )
            if (rendered._tag === "Rendering") return rendered.rendering
            const message = "There is no transcript yet"
            return yield* Effect.fail(new Refused({ code: "TranscriptPending", message }))
          })
        ),
      retry: (reference) =>
        renew(reference, (records, principal) => records.retry(principal, reference.id)),
      redeliver: (reference) =>
        renew(reference, (records, principal) => records.redeliver(principal, reference.id)),
      renotify: (reference, hook = "finished") =>
        renew(reference, (records, principal) =>
          records.renotify(principal, { id: reference.id, hook })
        ),
      remove: (reference) =>
        run(about(reference, (records, principal) => records.remove(principal, reference.id))),
      history: (reference) =>
        run(
          about(reference, (records, principal) =>
            Effect.map(records.history(principal, reference.id), toHistory)
          )
        ),
      webhookAttempts: (reference) =>
        run(
          aboutAsShown(reference, (jobs, principal) =>
            Effect.map(jobs.history(principal, reference.id), toAttempts)
          )
        )
    }
  )

  const waitJudged = judging(
    mainCalls.wait,
    (reference: JobReference, options: WaitOptions = {}): Promise<Result> =>
      run(
        about(reference, (_, principal) => {
          const { onProgress = () => undefined } = options
          return Effect.flatMap(wait({ principal, id: reference.id, onProgress }), resultOf)
        }),
        options.signal
      )
  )

  /** Waits for transcript and summary, well or not. */
  const waitFor = (reference: JobReference, options?: WaitOptions): Promise<Result> => {
    const pending = waitJudged(reference, options)
    // It may be pending when it is closed: unheeded, its rejection crashes nobody.
    pending.catch(() => undefined)
    return pending
  }

  const corrections = makeCorrections({ owners, run })
  const events = makeEvents({ owners, run })
  const playing = makePlaying({ owners, run })
  return { transcribe, jobs: { ...jobs, ...events, ...playing, corrections }, wait: waitFor }
}
