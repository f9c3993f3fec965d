/**
 * Sends a notice: calls the host's listener once, and evaluates how the call ended. A problem in
 * the call fails only this attempt.
 */
import { Cause, DateTime, Duration, Effect, Fiber, Option } from "effect"
import { Failure } from "../../domain/attempt/Failure.ts"
import { JobEvent } from "../../domain/job/JobEvent.ts"
import { Event } from "../../domain/notice/Notice.ts"
import { JobListener, JobListenerError } from "../../ports/JobListener.ts"
import { trace } from "../../ports/Trace.ts"
import type { TaskContext } from "./TaskContext.ts"

/** Maximum time from the start of an attempt to its end, which is the same as for a webhook. */
const attemptDuration: Duration.Duration = Duration.seconds(30)

/** Time for the finalizers of an interrupted listener before the call is abandoned. */
const interruptTimeout: Duration.Duration = Duration.seconds(2)

/**
 * Creates a function that calls the listener for a job whose notice is in the state Calling. The
 * listener is looked up at run time, because not every process has one.
 */
export const makeNotify = Effect.map(Effect.serviceOption(JobListener), (found) =>
  trace("Notices.notify")(function* ({ job, now }: TaskContext) {
    const { notice } = job
    if (notice?._tag !== "Calling") {
      return yield* Effect.die("a notice is given, but its job is not in Calling")
    }
    const { attempt, id, startedAt } = notice
    if (Option.isNone(found)) return yield* Effect.fail(outage("no listener in this process"))
    // The time limit counts from the start of the attempt, because the store may have been
    // slow.
    const duration = Duration.subtract(attemptDuration, DateTime.distance(startedAt, yield* now))
    if (Duration.isLessThanOrEqualTo(duration, Duration.zero)) {
      return yield* Effect.fail(outage("no time was left for the call"))
    }
    const call = found.value.finished({ id, job, attempt })
    yield* Effect.timeoutOrElse(Effect.catchCause(runDetached(call), failWith), {
      duration,
      orElse: () => Effect.fail(failed("it took too long"))
    })
    const event = Event.cases.ListenerReturned.make({ at: yield* now })
    return { events: [JobEvent.cases.Notice.make({ event })] }
  })
)

/**
 * Runs a call in its own fiber. A listener that cannot be interrupted would otherwise keep its
 * attempt, its slot and its lease for as long as it runs.
 */
const runDetached = (call: Effect.Effect<void, JobListenerError>) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(call), (calling) =>
      Effect.onInterrupt(restore(Fiber.join(calling)), () => interruptCall(calling))
    )
  )

/** Interrupts a call to the listener, and waits briefly for it to end. */
const interruptCall = (calling: Fiber.Fiber<void, JobListenerError>) =>
  Fiber.interrupt(calling).pipe(
    Effect.timeoutOrElse({
      duration: interruptTimeout,
      orElse: () => Effect.logWarning("A listener keeps running although it was interrupted")
    })
  )

/**
 * Creates the failure of an attempt that did not call the listener, which is therefore not the
 * cause.
 */
const outage = (detail: string): Failure => Failure.cases.StorageFailed.make({ detail })

const failed = (detail: string): Failure => Failure.cases.ListenerFailed.make({ detail })

/**
 * Converts an error of the listener to a failure. Only a failure that the listener reported itself
 * keeps its detail; of any other error, only the name is kept.
 */
const failWith = (cause: Cause.Cause<JobListenerError>): Effect.Effect<never, Failure> => {
  const error = Cause.squash(cause)
  if (error instanceof JobListenerError) return Effect.fail(failed(error.detail))
  const detail = Cause.hasInterruptsOnly(cause)
    ? "it was interrupted"
    : `it threw: ${nameOf(error)}`
  const log = Effect.logError("An unexpected error ended the listener", cause)
  return Effect.andThen(log, Effect.fail(failed(detail)))
}

const nameOf = (defect: unknown): string => (defect instanceof Error ? defect.name : typeof defect)
