/**
 * The end of the notices: nobody outside waits for them, so the run does, and tells the auditor
 * what became of each.
 */
import { isTerminal, type Job } from "@verbatim/core/job"
import { JobStore, type Stores } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Context, Duration, Effect, Option } from "effect"
import type { FactOf } from "../record/Facts.ts"
import type { World } from "../world/World.ts"

/** Between two looks at what is still owed. */
const interval = Duration.seconds(5)

/** Three calls of half a minute, a clock that was set, and leases that lapse, many times over. */
const endMillis = 900_000

/** More jobs than any run makes. */
const jobMax = 1_000

const noticeOf = ({ notice }: Job): FactOf<"Noticed">["notice"] => {
  if (notice === undefined) return null
  const attempt = "attempt" in notice ? notice.attempt : notice.attempts
  return { id: notice.id, state: notice._tag, attempt }
}

/** Where notices are wanted: waits until nothing is owed any more, or all should have ended. */
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
