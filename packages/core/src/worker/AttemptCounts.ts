/**
 * What is counted of attempts: how long their work waited, how long they took, how they ended. Each
 * is counted by the process that wrote its end, and so at most once.
 */
import { type DateTime, Duration, Effect, DateTime as Instant, Option } from "effect"
import { attemptUnderway } from "../domain/job/AttemptEvents.ts"
import type { AttemptUnderway } from "../domain/job/Current.ts"
import { type Job, owedWork } from "../domain/job/Job.ts"
import type { JobEvent } from "../domain/job/JobEvent.ts"
import { coreMetrics } from "../metrics/CoreMetrics.ts"
import { type Ended, failureIn } from "./AttemptEnd.ts"

const secondsFrom = (from: DateTime.Utc, to: DateTime.Utc): number =>
  Math.max(0, Duration.toSeconds(Instant.distance(from, to)))

/** Why an attempt that was found without its worker is over. */
const lossIn = (events: ReadonlyArray<JobEvent>) =>
  events.flatMap(({ event }) => ("failure" in event ? [event.failure._tag] : []))[0] ?? "WorkerLost"

/** Counts what was written of a claimed job: an attempt began, or the one before was found lost. */
export const countOpening = (opening: {
  readonly claimed: Job
  readonly job: Job
  readonly events: ReadonlyArray<JobEvent>
  readonly at: DateTime.Utc
}): Effect.Effect<void> => {
  const { at, claimed, events, job } = opening
  const lost = attemptUnderway(claimed)
  if (lost !== undefined) {
    return coreMetrics.attempts.record({ task: lost.task, outcome: lossIn(events) })
  }
  const begun = attemptUnderway(job)
  const work = owedWork(claimed)
  if (begun === undefined || Option.isNone(work)) return Effect.void
  return coreMetrics.workWait.record({ task: begun.task }, secondsFrom(work.value.dueAt, at))
}

/** Counts an attempt whose end was written. */
export const countEnd = (
  { startedAt, task }: AttemptUnderway,
  { at, exit }: { readonly at: DateTime.Utc; readonly exit: Ended<unknown> }
): Effect.Effect<void> => {
  const outcome = failureIn(exit)?._tag ?? (exit._tag === "Success" ? "Succeeded" : "Released")
  return Effect.andThen(
    coreMetrics.attempts.record({ task, outcome }),
    coreMetrics.attemptDuration.record({ task }, secondsFrom(startedAt, at))
  )
}
