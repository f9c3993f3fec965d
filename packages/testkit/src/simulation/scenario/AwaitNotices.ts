/**
 * Waits until all notices have ended, because no client waits for them, and records how each notice
 * ended.
 */
import { isTerminal, type Job } from "@verbatim/core/job"
import { Duration, Effect } from "effect"
import type { FactOf } from "../record/Facts.ts"
import type { World } from "../world/World.ts"
import { type Books, listJobs } from "./FinalState.ts"

/** Time between two reads of the pending work. */
const interval = Duration.seconds(5)

/**
 * Several times as long as three half-minute calls, a clock change and expiring leases together.
 */
const endMillis = 900_000

const noticeOf = ({ notice }: Job): FactOf<"Noticed">["notice"] => {
  if (notice === undefined) return null
  const attempt = "attempt" in notice ? notice.attempt : notice.attempts
  return { id: notice.id, state: notice._tag, attempt }
}

/**
 * If the host has a listener, waits until no notice is pending, or until all notices should have
 * ended.
 */
export const awaitNotices = Effect.fnUntraced(function* (
  world: World,
  given: Books & { readonly mayHaveRestarted: boolean }
) {
  const { facts, timeline } = world
  if (!given.mayHaveRestarted) return
  const deadline = timeline.now() + endMillis
  let jobs = yield* listJobs(given)
  while (timeline.now() < deadline && !jobs.every(isTerminal)) {
    yield* Effect.sleep(interval)
    jobs = yield* listJobs(given)
  }
  for (const job of jobs) facts.push({ _tag: "Noticed", id: job.id, notice: noticeOf(job) })
})
