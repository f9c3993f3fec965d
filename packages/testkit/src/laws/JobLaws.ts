/** Laws for jobs. Each job combines several machines. */

import type { Work } from "@verbatim/core/attempt"
import * as Delivery from "@verbatim/core/delivery"
import { attemptUnderway, beginEvents, failureEvents, type Job, JobEvent } from "@verbatim/core/job"
import type { IllegalTransition } from "@verbatim/core/machine"
import * as Notice from "@verbatim/core/notice"
import * as Summary from "@verbatim/core/summary"
import * as Transcription from "@verbatim/core/transcription"
import { DateTime, Effect, Equal, Layer, Option, Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import type { Case } from "../contracts/Contract.ts"
import { always } from "../contracts/Expect.ts"
import { suiteOf } from "../contracts/Vitest.ts"
import { makeFullJob, makeUploadJob } from "../samples/SampleJob.ts"

/** A job module's exports, including its events. */
export interface JobModule {
  readonly Job: Schema.Codec<Job, unknown>
  readonly JobEvent: Schema.Codec<JobEvent, unknown>
  readonly applyCommit: (
    job: Job,
    events: ReadonlyArray<JobEvent>
  ) => Result.Result<Job, IllegalTransition>
  readonly pendingWork: (job: Job) => Option.Option<Work>
  readonly isTerminal: (job: Job) => boolean
}

/**
 * Maximum number of commits: each of six kinds of work begins at most once and then fails
 * permanently.
 */
const commitMax = 12

/** Number of random events. About one in eight is legal, so a job makes about 12 moves. */
const walkEvents = { minLength: 60, maxLength: 100 }

/** Number of events. It is large enough that each machine of a job gets one. */
const fewEvents = { minLength: 8, maxLength: 16 }

const at = DateTime.makeUnsafe("2025-01-02T03:04:05.678Z")

const begin = { at, frozen: { balanceMillis: 0 } }

/** Returns the next commit of a worker in which every attempt fails permanently. */
const worst = (job: Job): ReadonlyArray<JobEvent> => {
  const attempt = attemptUnderway(job)
  return attempt === undefined
    ? beginEvents(job, begin)
    : failureEvents(job, { at, attempt, failure: { _tag: "AudioMissing" } })
}

/** Whether an event is a retry, a redelivery, or part of retention. */
const isForEnded = ({ _tag }: JobEvent): boolean => isForSettled(_tag) || _tag === "Keeping"

const { Keeping, Redelivery, Retry } = JobEvent.cases

const request: Arbitrary.Arbitrary<JobEvent> = Arbitrary.schema(
  Schema.Union([Keeping, Redelivery, Retry])
)

const isForSettled = (tag: JobEvent["_tag"]): boolean => tag === "Redelivery" || tag === "Retry"

/** Whether a job has no pending work except notices. */
const waitsForHost = (job: Job): boolean => {
  const { delivery, summary, transcription } = job
  return (
    attemptUnderway(job) === undefined &&
    Transcription.isTerminal(transcription) &&
    (summary === null || Summary.isTerminal(summary)) &&
    (delivery === null || Delivery.isTerminal(delivery))
  )
}

/**
 * Whether a job that has ended accepts an event. A redelivery needs the webhook and the content, a
 * retry needs retryable work, and a deletion needs remaining content.
 */
const isPossibleThen = (job: Job, happened: JobEvent): boolean => {
  const { delivery, keeping, request, summary, transcription } = job
  const kept = keeping?._tag ?? "Kept"
  switch (happened._tag) {
    case "Redelivery":
      return delivery !== null && kept !== "TranscriptGone"
    case "Retry":
      if (transcription._tag === "Transcribed") {
        return summary?._tag === "Failed" && kept !== "TranscriptGone"
      }
      return (
        kept === "Kept" &&
        transcription._tag === "Failed" &&
        (transcription.media !== undefined || request.source._tag === "Url")
      )
    case "Keeping":
      return ways[kept]?.includes(happened.event._tag) === true
    default:
      return false
  }
}

/** The legal retention events, which do not depend on the module under test. */
const ways: Readonly<Record<string, ReadonlyArray<string>>> = {
  Kept: ["MediaExpired", "TranscriptExpired"],
  MediaGoing: ["MediaRemoved"],
  MediaGone: ["TranscriptExpired"],
  TranscriptGone: []
}

interface Walk {
  readonly job: Job
  readonly history: ReadonlyArray<ReadonlyArray<JobEvent>>
}

/** Generates values, each with a randomly chosen generator. */
const oneOf = <A>(...all: ReadonlyArray<Arbitrary.Arbitrary<A>>): Arbitrary.Arbitrary<A> =>
  Arbitrary.flatMap(
    Arbitrary.schema(Schema.Literals([...all.keys()])),
    (place) => all[place] ?? oneOf(...all)
  )

/** Generates a new job, or a job in any other state. */
const startOf = (jobs: Arbitrary.Arbitrary<Job>): Arbitrary.Arbitrary<Job> =>
  oneOf(Arbitrary.Constant(makeUploadJob(1)), Arbitrary.Constant(makeFullJob(1)), jobs)

/**
 * Number of runs. It is high, because only one random history in fifty repeats a requested notice.
 */
const historyRuns = 300

/** The job module under test, with generators for its jobs and events. */
interface Subject extends JobModule {
  readonly jobs: Arbitrary.Arbitrary<Job>
  readonly event: Arbitrary.Arbitrary<JobEvent>
  /** Returns the job after the given events are committed, or none if the commit is refused. */
  readonly next: (job: Job, happened: ReadonlyArray<JobEvent>) => Option.Option<Job>
}

const hasWorkWhileItMoves = ({ event, isTerminal, jobs, next, pendingWork }: Subject) => {
  const requestOrEvent = oneOf(request, event)
  return Effect.andThen(
    always("work is pending until the end", {
      of: jobs,
      runs: 300,
      holds: (job) => Option.isSome(pendingWork(job)) !== isTerminal(job)
    }),
    always(
      "after its end, a job accepts only requests to run again; before, it accepts some event",
      {
        of: Arbitrary.all([jobs, Arbitrary.array(requestOrEvent, fewEvents)]),
        runs: 300,
        holds: ([job, tried]) => {
          const legal = tried.filter((event) => Option.isSome(next(job, [event])))
          if (!isTerminal(job)) {
            const requests = waitsForHost(job)
              ? tried.filter((each) => isForSettled(each._tag) && isPossibleThen(job, each))
              : []
            const isMoving = Option.isSome(next(job, worst(job)))
            return isMoving && Equal.equals(legal.filter(isForEnded), requests)
          }
          return Equal.equals(
            legal,
            tried.filter((happened) => isPossibleThen(job, happened))
          )
        }
      }
    )
  )
}

/** Returns whether a retry repeats the failed step and all later steps, but no earlier step. */
const repeatsFromFailure =
  ({ next }: Subject) =>
  ([job, retry]: readonly [Job, typeof Retry.Type]): boolean =>
    Option.match(next(job, [retry]), {
      onNone: () => true,
      onSome: ({ delivery, notice, summary, transcription }) =>
        (job.transcription._tag === "Transcribed"
          ? Equal.equals(transcription, job.transcription)
          : !Transcription.isTerminal(transcription)) &&
        (summary === null || summary._tag === "Waiting") &&
        [delivery, notice].every(
          (each) => !each || (each._tag === "Waiting" && each.id === `${retry.event.id}`)
        )
    })

const canEnd =
  ({ isTerminal, next }: Subject) =>
  (start: Job): boolean => {
    let job = start
    for (let commit = 0; commit < commitMax && !isTerminal(job); commit++) {
      const moved = next(job, worst(job))
      if (Option.isNone(moved)) return false
      job = moved.value
    }
    return isTerminal(job)
  }

const followsFromHistory = ({ applyCommit, event, Job, JobEvent, jobs, next }: Subject) => {
  const JobJson = Schema.fromJsonString(Schema.toCodecJson(Job))
  const HistoryJson = Schema.fromJsonString(
    Schema.toCodecJson(Schema.Array(Schema.Array(JobEvent)))
  )
  /** Commits the events in order, and skips events that are illegal in the current state. */
  const walk = (start: Job, tried: ReadonlyArray<JobEvent>): Walk =>
    tried.reduce<Walk>(
      ({ history, job }, event) =>
        Option.match(next(job, [event]), {
          onNone: () => ({ job, history }),
          onSome: (moved) => ({ job: moved, history: [...history, [event]] })
        }),
      { job: start, history: [] }
    )
  return always("folding what was stored gives the job that was stored", {
    of: Arbitrary.all([Arbitrary.array(event, walkEvents), startOf(jobs)]),
    runs: historyRuns,
    holds: ([tried, start]) => {
      const { history, job } = walk(start, tried)
      const kept = Schema.decodeSync(HistoryJson)(Schema.encodeSync(HistoryJson)(history))
      const folded = kept.reduce(
        (moved, happened) => Result.getOrThrow(applyCommit(moved, happened)),
        Schema.decodeSync(JobJson)(Schema.encodeSync(JobJson)(start))
      )
      return (
        Equal.equals(folded, job) &&
        job.revision === start.revision + history.length &&
        Equal.equals(
          [job.id, job.workspaceId, job.request, job.acceptedAt],
          [start.id, start.workspaceId, start.request, start.acceptedAt]
        )
      )
    }
  })
}

/** The laws as cases for any test runner. */
export const laws = (module: JobModule): ReadonlyArray<Case<never>> => {
  const subject: Subject = {
    ...module,
    jobs: anyJob(module.Job),
    event: Arbitrary.schema(module.JobEvent),
    next: (job, happened) => Result.getSuccess(module.applyCommit(job, happened))
  }
  const { jobs } = subject
  const JobJson = Schema.fromJsonString(Schema.toCodecJson(module.Job))
  return [
    {
      title: "has pending work exactly while it can still move",
      effect: hasWorkWhileItMoves(subject)
    },
    {
      title: "can end from every state, and ends when every attempt fails",
      effect: always("the job ends after each kind of work has begun and failed once at most", {
        of: jobs,
        runs: 300,
        holds: canEnd(subject)
      })
    },
    {
      title: "repeats only the failed step and the steps after it",
      effect: always("a retry keeps a finished transcription and renews all later steps", {
        of: Arbitrary.all([jobs, Arbitrary.schema(Retry)]),
        runs: 300,
        holds: repeatsFromFailure(subject)
      })
    },
    { title: "can be replayed from its history", effect: followsFromHistory(subject) },
    {
      title: "survives a round trip through JSON",
      effect: always("what is read is what was written", {
        of: jobs,
        runs: 300,
        holds: (job) =>
          Equal.equals(Schema.decodeSync(JobJson)(Schema.encodeSync(JobJson)(job)), job)
      })
    }
  ]
}

/** Registers the laws with Vitest. */
export const suite = (name: string, module: JobModule): void =>
  suiteOf({ port: name, cases: laws(module) })("laws of a job", Layer.empty)

/**
 * Whether a job can be in this state: each machine waited for the ones before it, and nothing was
 * deleted while the job was unfinished.
 */
const isPossible = (job: Job): boolean => {
  const { delivery, keeping, notice, summary, transcription } = job
  const isSummaryTurn = Transcription.isTerminal(transcription)
  const isDeliveryTurn = isSummaryTurn && (summary === null || Summary.isTerminal(summary))
  const isNoticeTurn = isDeliveryTurn && (delivery === null || Delivery.isTerminal(delivery))
  const isOver = isNoticeTurn && (notice === undefined || Notice.isTerminal(notice))
  return (
    (isSummaryTurn || summary === null || summary._tag === "Waiting") &&
    (isDeliveryTurn || delivery === null || delivery._tag === "Waiting") &&
    (isNoticeTurn || notice === undefined || notice._tag === "Waiting") &&
    (isOver || (keeping?._tag ?? "Kept") === "Kept")
  )
}

/** The terminal states of each machine. */
const ends = {
  transcription: Arbitrary.filter(Arbitrary.schema(Transcription.State), Transcription.isTerminal),
  summary: Arbitrary.filter(Arbitrary.schema(Summary.State), Summary.isTerminal),
  delivery: Arbitrary.filter(Arbitrary.schema(Delivery.State), Delivery.isTerminal)
}

/** Generates arbitrary jobs that have ended, with or without a notice. */
const settledJob = (schema: Schema.Codec<Job, unknown>): Arbitrary.Arbitrary<Job> =>
  Arbitrary.map(
    Arbitrary.all({
      job: Arbitrary.schema(schema),
      ...ends,
      notice: Arbitrary.schema(Notice.State),
      isNoticed: Arbitrary.schema(Schema.Boolean)
    }),
    ({ delivery, isNoticed, job, notice, summary, transcription }) => {
      const { keeping, notice: _, ...rest } = job
      const settled = {
        ...rest,
        transcription,
        summary: job.summary && summary,
        delivery: job.delivery && delivery,
        ...(isNoticed ? { notice } : {})
      }
      const isOver = !isNoticed || Notice.isTerminal(notice)
      return keeping === undefined || !isOver ? settled : { ...settled, keeping }
    }
  )

/** Generates arbitrary valid jobs. */
export const anyJob = (schema: Schema.Codec<Job, unknown>): Arbitrary.Arbitrary<Job> => {
  const wild = Arbitrary.filter(Arbitrary.schema(schema), isPossible)
  return oneOf(Arbitrary.filter(settledJob(schema), isPossible), wild)
}
