/**
 * The work of a notice: call the host's listener once, and judge how it ended. Whatever happens in
 * it is a failure of this attempt, and of nothing else.
 */
import { Cause, Context, DateTime, Duration, Effect, Fiber, Layer, Option } from "effect"
import { Failure } from "../../domain/attempt/Failure.ts"
import { JobEvent } from "../../domain/job/JobEvent.ts"
import { Event } from "../../domain/notice/Notice.ts"
import { JobListener, JobListenerError } from "../../ports/JobListener.ts"
import { trace } from "../../ports/Trace.ts"
import type { Outcome, TaskContext } from "./TaskContext.ts"

/** From the start of an attempt to its end, as for a webhook. */
const attemptDuration: Duration.Duration = Duration.seconds(30)

/** For the finalizers of a listener that was interrupted. What it does after that is its own. */
const leaveDuration: Duration.Duration = Duration.seconds(2)

export class Notices extends Context.Service<
  Notices,
  {
    /** Calls the listener for a job whose notice is in Calling. */
    readonly notify: (assignment: TaskContext) => Effect.Effect<Outcome, Failure>
  }
>()("@verbatim/core/services/Notices") {
  /** A listener is no part of the type: a process need not have one. */
  static readonly layer: Layer.Layer<Notices> = Layer.effect(
    Notices,
    Effect.gen(function* () {
      const found = yield* Effect.serviceOption(JobListener)

      const notify = trace("Notices.notify")(function* ({ job, now }: TaskContext) {
        const { notice } = job
        if (notice?._tag !== "Calling") {
          return yield* Effect.die("a notice is given, but its job is not in Calling")
        }
        const { attempt, id, startedAt } = notice
        if (Option.isNone(found)) return yield* Effect.fail(outage("nobody listens here"))
        // The store may have been slow: the time that is left counts from the start of the attempt.
        const duration = Duration.subtract(
          attemptDuration,
          DateTime.distance(startedAt, yield* now)
        )
        if (Duration.isLessThanOrEqualTo(duration, Duration.zero)) {
          return yield* Effect.fail(outage("no time was left for the call"))
        }
        const call = found.value.finished({ id, job, attempt })
        yield* Effect.timeoutOrElse(Effect.catchCause(runApart(call), failWith), {
          duration,
          orElse: () => Effect.fail(failed("it took too long"))
        })
        const event = Event.cases.ListenerReturned.make({ at: yield* now })
        return {
          events: [JobEvent.cases.Notice.make({ event })],
          transcript: Option.none(),
          chargeMillis: Option.none()
        }
      })

      return Notices.of({ notify })
    })
  )
}

/**
 * Runs a call in a fiber of its own. A listener that cannot be interrupted would otherwise keep its
 * attempt, its slot and its lease for as long as it lasts.
 */
const runApart = (call: Effect.Effect<void, JobListenerError>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(call), (calling) =>
      Effect.onInterrupt(restore(Fiber.join(calling)), () => leave(calling))
    )
  )

/** Interrupts a call, and waits a little for its end. */
const leave = (calling: Fiber.Fiber<void, JobListenerError>) =>
  Fiber.interrupt(calling).pipe(
    Effect.timeoutOrElse({
      duration: leaveDuration,
      orElse: () => Effect.logWarning("A listener goes on although it was interrupted")
    })
  )

/** Nobody was called, and the listener is not to blame. */
const outage = (detail: string): Failure => Failure.cases.StorageFailed.make({ detail })

const failed = (detail: string): Failure => Failure.cases.ListenerFailed.make({ detail })

/** Keeps the detail that a listener gives when it fails, and only the name of another error. */
const failWith = (cause: Cause.Cause<JobListenerError>): Effect.Effect<never, Failure> => {
  const error = Cause.squash(cause)
  if (error instanceof JobListenerError) return Effect.fail(failed(error.detail))
  const detail = Cause.hasInterruptsOnly(cause) ? "it was interrupted" : `it died: ${nameOf(error)}`
  return Effect.andThen(Effect.logError("The listener died", cause), Effect.fail(failed(detail)))
}

const nameOf = (defect: unknown): string => (defect instanceof Error ? defect.name : typeof defect)
