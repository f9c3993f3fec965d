/**
 * Waits until all notices have ended, because no client waits for them, and records how each notice
 * ended.
 */
import { isTerminal, type Job } from "@verbatim/core/job"
import { JobStore, type Stores } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Context, Duration, Effect, Option } from "effect"
import type { FactOf } from "../record/Facts.ts"
import type { World } from "../world/World.ts"

/** Time between two reads of the pending work. */
const interval = Duration.seconds(5)

/**
 * Several times as long as three half-minute calls, a clock change and expiring leases together.
 */
const endMillis = 900_000

/** More jobs than any run creates. */
const jobMax = 1_000

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
  given: {
    readonly stores: Context.Context<Stores>
    readonly id: WorkspaceId
    readonly mayHaveRestarted: boolean
  }
) {
  const { facts, timeline } = world
  if (!given.mayHaveRestarted) return
  const deadline = timeline.now() + endMillis
  const store = Context.get(given.stores, JobStore)
  const all = { workspaceId: given.id, status: Option.none(), after: Option.none(), limit: jobMax }
  let jobs = yield* store.list(all)
  while (timeline.now() < deadline && !jobs.every(isTerminal)) {
    yield* Effect.sleep(interval)
    jobs = yield* store.list(all)
  }
  for (const job of jobs) facts.push({ _tag: "Noticed", id: job.id, notice: noticeOf(job) })
})
