/**
 * How a process goes about notices that go first and that it does not give: it has no hook for
 * them, or all its slots are taken. It looks for them now and then, so that those whose host is
 * away, or too busy, let go first what waits behind them.
 */
import { type DateTime, Duration } from "effect"
import { current } from "../domain/job/Current.ts"
import type { Job } from "../domain/job/Job.ts"
import { isPassedOver } from "../domain/job/Notices.ts"

/**
 * Between two looks. Whoever looks holds for a moment what somebody else may just want to give.
 * With the patience of a job, its summary and its webhook wait for 20 s at most for a host that is
 * away.
 */
const lookInterval = Duration.toNanosUnsafe(Duration.seconds(10))

/** Notices of one look, each of which takes a commit: a burst of them is no burden. */
const slotsMax = 64

/** When a process looked last. Instants are monotonic nanoseconds. */
export interface Relief {
  readonly lookedAt: bigint
}

/** How many a claim may ask for now. */
export const slotsFor = ({ lookedAt }: Relief, now: bigint): number =>
  now - lookedAt >= lookInterval ? slotsMax : 0

/** Whether something is to be done about a claimed one: its call was lost, or nobody comes. */
export const isDue = (job: Job, now: DateTime.Utc): boolean =>
  current(job)._tag === "Underway" || isPassedOver(job, now)
