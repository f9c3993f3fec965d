/** What is counted of looks for work: how often, how long, what they found, who is busy. */
import { type DateTime, Effect } from "effect"
import { fullLanes } from "../domain/job/Lane.ts"
import { coreMetrics } from "../metrics/CoreMetrics.ts"
import type { Claimed, Room } from "../ports/WorkQueue.ts"

/** A look for work that was answered. */
interface Look {
  readonly room: Room
  readonly claimed: Claimed
  /** Monotonic instants before and after. */
  readonly askedAt: bigint
  readonly answeredAt: bigint
}

const secondsOf = (instant: DateTime.Utc): number => instant.epochMilliseconds / 1_000

/** Counts a claim that was answered. */
export const countClaim = ({
  answeredAt,
  askedAt,
  claimed: { jobs, now },
  room: { lanes }
}: Look): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* coreMetrics.claims.record({ outcome: jobs.length > 0 ? "work" : "empty" })
    yield* coreMetrics.claimDuration.record({}, Number(answeredAt - askedAt) / 1e9)
    if (jobs.length > 0) yield* coreMetrics.jobsClaimed.record({}, jobs.length)
    yield* coreMetrics.lanesFull.record({}, fullLanes(lanes).length)
    yield* coreMetrics.lastClaim.record({}, secondsOf(now))
  })

/** Counts a look that failed. */
export const countFailedClaim: Effect.Effect<void> = coreMetrics.claims.record({
  outcome: "failed"
})
