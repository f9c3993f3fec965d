/**
 * What is counted of a job's life: its acceptance, its end, and what was charged for it. A commit
 * whose answer is lost for good is counted by nobody, so the sums of a bill are in the ledger.
 */
import { type DateTime, Duration, Effect, DateTime as Instant, Option } from "effect"
import { isTerminal, type Job } from "../domain/job/Job.ts"
import { coreMetrics } from "../metrics/CoreMetrics.ts"

const webhookOf = ({ delivery }: Job) => {
  if (delivery === null) return "none"
  return delivery._tag === "Delivered" ? "delivered" : "failed"
}

/** Counts a job that was made. */
export const countAccepted = ({ request: { source } }: Job): Effect.Effect<void> =>
  coreMetrics.jobsAccepted.record({ source: source._tag === "Url" ? "url" : "upload" })

/** Counts what a commit has brought a job: its end, and a charge. */
export const countCommit = (change: {
  readonly before: Job
  readonly after: Job
  readonly at: DateTime.Utc
  readonly chargeMillis: Option.Option<number>
}): Effect.Effect<void> => {
  const { after, at, before, chargeMillis } = change
  const charged = Option.match(chargeMillis, {
    onNone: () => Effect.void,
    onSome: (millis) => coreMetrics.audioTranscribed.record({}, millis / 1_000)
  })
  if (!isTerminal(after) || isTerminal(before)) return charged
  const transcription = after.transcription._tag === "Failed" ? "failed" : "transcribed"
  const askedAt = after.renewedAt ?? after.acceptedAt
  const seconds = Duration.toSeconds(Instant.distance(askedAt, at))
  return charged.pipe(
    Effect.andThen(coreMetrics.jobsEnded.record({ transcription, webhook: webhookOf(after) })),
    Effect.andThen(coreMetrics.jobDuration.record({ transcription }, Math.max(0, seconds)))
  )
}
