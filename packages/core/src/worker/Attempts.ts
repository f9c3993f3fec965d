/**
 * One claimed job, from the claim to the commit that ends its attempt: begin, run, commit. Nothing
 * starts before the commit that counts it is acknowledged, and nothing is committed by a worker
 * whose lease is gone.
 */

import { Cause, Clock, Context, DateTime, Duration, Effect, Exit, Layer, Option } from "effect"
import type { Outcome } from "../job/Assignment.ts"
import * as Attempt from "../job/AttemptEvents.ts"
import { Failure } from "../job/Failure.ts"
import { type Job, owed } from "../job/Job.ts"
import type { JobEvent } from "../job/JobEvent.ts"
import { RetryPolicies, type RetryPolicy } from "../job/Verdict.ts"
import { MediaStore } from "../ports/MediaStore.ts"
import type { LeaseToken } from "../ports/WorkQueue.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { traced } from "../trace/Traced.ts"
import { Assignments } from "./Assignments.ts"
import { answerTimeout, type Change, Commits } from "./Commits.ts"
import { type Hold, type LeaseLost, Leases } from "./Leases.ts"

/** A job as `WorkQueue.claim` gave it out. */
export interface Claimed {
  readonly job: Job
  readonly token: LeaseToken
  /** The store's time at the claim. */
  readonly now: DateTime.Utc
  /** Monotonic instant before the claim was sent. */
  readonly askedAt: bigint
}

const nanosPerMilli = 1_000_000n

/** How long giving back an attempt may take when the worker stops; a stop takes 15 s at most. */
export const releaseTimeout: Duration.Duration = Duration.seconds(5)

/** Media outlives its job only where an operator asks for it. */
export const MediaRetention: Context.Reference<{ readonly isKept: boolean }> = Context.Reference(
  "@verbatim/core/worker/MediaRetention",
  { defaultValue: (): { readonly isKept: boolean } => ({ isKept: false }) }
)

export class Attempts extends Context.Service<
  Attempts,
  {
    /**
     * Makes one attempt of a claimed job. It never fails: what goes wrong is committed, or left to
     * the next claim. Interruption gives the attempt back.
     */
    readonly make: (claimed: Claimed) => Effect.Effect<void>
  }
>()("@verbatim/core/worker/Attempts") {
  static readonly layer: Layer.Layer<
    Attempts,
    never,
    Assignments | Commits | Leases | MediaStore | WorkspaceStore
  > = Layer.effect(
    Attempts,
    Effect.gen(function* () {
      const assignments = yield* Assignments
      const commits = yield* Commits
      const leases = yield* Leases
      const mediaStore = yield* MediaStore
      const workspaceStore = yield* WorkspaceStore
      const retention = yield* MediaRetention
      const policies = yield* RetryPolicies
      const clock = yield* Clock.Clock

      /**
       * The store's time, or a little later: its own at the claim, and the whole milliseconds
       * passed here since it was asked. Counted from its answer, which may be late, it would be too
       * early, and a webhook would follow the last one too soon.
       */
      const timeOf = ({ askedAt, now }: Claimed) =>
        Effect.sync(() => {
          const passed = (clock.monotonicTimeNanosUnsafe() - askedAt) / nanosPerMilli
          return DateTime.addDuration(now, Duration.millis(Number(passed)))
        })

      const balanceOf = (job: Job) =>
        workspaceStore
          .account(job.workspaceId)
          .pipe(
            Effect.timeout(answerTimeout),
            Effect.map(
              Option.match({ onNone: () => 0, onSome: ({ balanceMillis }) => balanceMillis })
            )
          )

      /** The events that a claim leads to. An attempt under way has lost its worker. */
      const opening = Effect.fnUntraced(function* (job: Job, at: DateTime.Utc) {
        const attempt = Attempt.underway(job)
        if (attempt !== undefined) {
          const failure = Failure.cases.WorkerLost.make({})
          return Attempt.failed(job, { at, attempt, failure, policy: policies[attempt.kind] })
        }
        // Only the first attempt of a delivery freezes a balance; the work before it asks for none.
        const isFirst = job.delivery?._tag === "Waiting" && job.delivery.frozen === null
        const isDelivery = Option.exists(owed(job), ({ kind }) => kind === "Deliver")
        return Attempt.begin(job, {
          at,
          frozen: { balanceMillis: isFirst && isDelivery ? yield* balanceOf(job) : 0 }
        })
      })

      /** Media goes when the transcription has ended. What stays behind, the collection removes. */
      const clean = Effect.fnUntraced(function* (before: Job, after: Job) {
        const { transcription } = before
        const hasEnded = transcription._tag === "Running" && after.transcription._tag !== "Running"
        if (!hasEnded || after.transcription._tag === "Queued" || retention.isKept) return
        yield* mediaStore.remove(transcription.media.key).pipe(
          Effect.timeout(answerTimeout),
          Effect.catch((error) => Effect.logWarning("Media stays for now", error))
        )
      })

      const run = Effect.fnUntraced(function* (claimed: Claimed, { lost, note }: Hold) {
        const now = timeOf(claimed)
        const commit = (change: Omit<Change, "token">) =>
          Effect.interruptible(commits.commit({ ...change, token: claimed.token }))
        // It may be the last commit itself that ended the lease: then its answer is on the way.
        const lostForGood = Effect.catch(lost, (gone) =>
          Effect.delay(Effect.fail(gone), answerTimeout)
        )

        const startedAt = yield* now
        const events = yield* opening(claimed.job, startedAt)
        const beginning = commit({ job: claimed.job, events, at: startedAt })
        const job = yield* Effect.raceFirst(beginning, lost)
        yield* clean(claimed.job, job)
        const attempt = Attempt.underway(job)
        if (attempt === undefined) return
        const policy = policies[attempt.kind]

        // Where the lease has gone already, nothing else begins.
        const exit = yield* Effect.raceAllFirst([
          lost,
          assignments.perform(attempt.kind, { job, now, onProgress: note }),
          Effect.delay(Effect.fail(policy.overdue), policy.timeMax)
        ]).pipe(Effect.interruptible, Effect.exit)
        const endedAt = yield* now
        if (Exit.isFailure(exit) && Exit.hasDies(exit)) {
          yield* Effect.logError("An attempt died", exit.cause)
        }
        const change = closing(job, { at: endedAt, attempt, exit, policy })
        if (Option.isNone(change)) return
        const ending = commit({ ...change.value, job, at: endedAt }).pipe(
          Effect.raceFirst(lostForGood)
        )
        // A worker that stops waits no longer: what it could not give back lapses by itself.
        const ended = yield* isInterrupted(exit) ? Effect.timeout(ending, releaseTimeout) : ending
        yield* Effect.logInfo(story(attempt, change.value.events), ...failureOf(exit))
        yield* clean(job, ended)
      })

      const make = traced("Attempts.make")(
        function* (claimed: Claimed) {
          const lease = { jobId: claimed.job.id, token: claimed.token }
          yield* run(claimed, yield* leases.hold(lease, claimed.askedAt))
        },
        Effect.scoped,
        Effect.uninterruptible,
        Effect.catchCause((cause) =>
          Effect.logWarning("An attempt was left to the next claim", cause)
        ),
        (effect, { job }) => Effect.annotateLogs(effect, { job: job.id })
      )

      return Attempts.of({ make })
    })
  )
}

type Ended = Exit.Exit<Outcome, Failure | LeaseLost>

const isInterrupted = (exit: Ended): boolean =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)

/** What to commit at the end of an attempt: nothing when the lease is gone. */
const closing = (
  job: Job,
  ended: {
    readonly at: DateTime.Utc
    readonly attempt: Attempt.Attempt
    readonly exit: Ended
    readonly policy: RetryPolicy
  }
): Option.Option<{ readonly events: ReadonlyArray<JobEvent> } & Partial<Outcome>> => {
  const { exit } = ended
  if (Exit.isSuccess(exit)) return Option.some(exit.value)
  if (isInterrupted(exit)) return Option.some({ events: Attempt.released(job, ended) })
  const failure = Option.getOrElse(Cause.findErrorOption(exit.cause), () =>
    Failure.cases.EngineFailed.make({ detail: "an unexpected defect; see the log" })
  )
  return failure._tag === "LeaseLost"
    ? Option.none()
    : Option.some({ events: Attempt.failed(job, { ...ended, failure }) })
}

/** One line for the log: the kind of work, which attempt it was, and what came of it. */
const story = ({ attempt, kind }: Attempt.Attempt, events: ReadonlyArray<JobEvent>): string =>
  `${kind} attempt ${attempt}: ${events.map(({ event }) => event._tag).join(", ")}`

/** What the operator, and nobody else, is told about a failure. */
const failureOf = (exit: Ended): ReadonlyArray<unknown> =>
  Exit.isFailure(exit) ? Option.toArray(Cause.findErrorOption(exit.cause)) : []
