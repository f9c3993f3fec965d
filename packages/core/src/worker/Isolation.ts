/**
 * Lets a suspect task run alone, so that no other task is affected if it crashes the process.
 * Webhooks resume after a short time, because a recording may run for hours, but usually kills its
 * process immediately, if at all.
 */
import { Duration } from "effect"
import type { Task, WorkKind } from "../domain/attempt/Work.ts"
export type Isolation =
  /**
   * No task is isolated. `sittingSince` is set while the next claim may continue a sitting, in
   * which suspects run one after another.
   */
  | { readonly _tag: "None"; readonly requestedAt: bigint; readonly sittingSince?: bigint }
  /**
   * A suspect is held, and waits for earlier tasks to end: first long ones, then webhooks. The wait
   * takes at most as long as a task is allowed to run (`maxDuration`, 24 hours for speech). No
   * other tasks are admitted during the wait. They would run long too, and the suspect would never
   * begin.
   */
  | { readonly _tag: "Waiting"; readonly sittingSince?: bigint }
  | { readonly _tag: "Alone"; readonly since: bigint; readonly sittingSince: bigint }
  /** A suspect has ended and nothing else is running, so another suspect can begin immediately. */
  | { readonly _tag: "Between"; readonly sittingSince: bigint }

/** The initial state, in which the next claim can include a suspect. */
export const notIsolated: Isolation = { _tag: "None", requestedAt: -(2n ** 62n) }

/** Time after which a busy process takes a suspect. An idle process takes one sooner. */
const requestInterval = Duration.toNanosUnsafe(Duration.seconds(15))

/**
 * After this time, a sitting takes no further suspect, and other work follows. Without sittings,
 * each suspect waited for all other work to stop, and many waited for minutes.
 */
const sittingMax = Duration.toNanosUnsafe(Duration.seconds(10))

/** Time after a sitting during which other work can begin if the process is idle. */
const pause = Duration.toNanosUnsafe(Duration.seconds(1))

/**
 * Maximum time that other work waits for a task that runs alone. A task that kills its process
 * usually does so sooner. If it does so later, the death still counts, and makes the other running
 * tasks suspects.
 */
const aloneMax = Duration.toNanosUnsafe(Duration.minutes(10))

/** Minimum time from the start of a suspect to the next webhook. */
const silence = Duration.toNanosUnsafe(Duration.seconds(10))

/** Records that a claim includes a suspect. */
export const afterRequest = (isolation: Isolation, now: bigint): Isolation =>
  isolation._tag === "Between"
    ? { _tag: "None", requestedAt: now, sittingSince: isolation.sittingSince }
    : { _tag: "None", requestedAt: now }

/** Records that a suspect was claimed and is held. */
export const afterClaim = (isolation: Isolation): Isolation =>
  isolation._tag === "None" && isolation.sittingSince !== undefined
    ? { _tag: "Waiting", sittingSince: isolation.sittingSince }
    : { _tag: "Waiting" }

/** Records that the held suspect begins. */
export const begun = (isolation: Isolation, now: bigint): Isolation => {
  const known = isolation._tag === "Waiting" ? isolation.sittingSince : undefined
  return { _tag: "Alone", since: now, sittingSince: known ?? now }
}

/** Records that the suspect has ended. */
export const afterEnd = (isolation: Isolation, now: bigint): Isolation =>
  isolation._tag === "Alone" && now - isolation.sittingSince < sittingMax
    ? { _tag: "Between", sittingSince: isolation.sittingSince }
    : { _tag: "None", requestedAt: now }

/**
 * Whether a task counts as running next to a suspect. Webhooks do not count, because a death uses
 * up a webhook's attempt in any case.
 */
export const isShared = (task: Task): boolean => task !== "Deliver"

/** Whether a claim can include a kind of work. */
export const mayClaim = (
  kind: WorkKind,
  { isBusy, isolation, now }: { isolation: Isolation; isBusy: boolean; now: bigint }
): boolean => {
  switch (isolation._tag) {
    case "Waiting":
      return kind === "Deliver" && isBusy
    case "Alone":
      if (kind === "Isolate") return false
      return now - isolation.since >= (kind === "Deliver" ? silence : aloneMax)
    case "Between":
      return kind === "Isolate"
    case "None":
      return kind !== "Isolate" || now - isolation.requestedAt >= (isBusy ? requestInterval : pause)
  }
}

/**
 * The backoff of a process that claims suspects but cannot run them. Timestamps are monotonic
 * nanoseconds.
 */
export interface SuspectBackoff {
  /** The task of the last suspect that the process could not run. */
  readonly task: Task
  /**
   * Number of consecutive rounds of claims in which the process got a suspect that it could not
   * run.
   */
  readonly misses: number
  /**
   * The process continues to claim suspects until this time, and skips those that it cannot run.
   */
  readonly claimsUntil: bigint
  /** The time at which the process claims suspects again, after a pause. */
  readonly claimsFrom: bigint
}

/**
 * Duration of a round of claims: long enough for forty claims, and short enough that the first
 * suspects are still held at the end.
 */
const claimingTime = Duration.toNanosUnsafe(Duration.seconds(10))

/**
 * Minimum pause. The lease of the last suspect lapses 40 s after the first claim, and other
 * processes can then take it.
 */
const pauseMin = Duration.toNanosUnsafe(Duration.minutes(1))

/**
 * Maximum pause. Each process without the dependency holds a suspect for 30 s of these ten minutes.
 * If one busy process could run a suspect, the suspect ended after 65 s with one process that could
 * not run it, 277 s with five, 637 s with ten, and 1,537 s with twenty-five, which hold the suspect
 * nearly all the time.
 */
const pauseMax = Duration.toNanosUnsafe(Duration.minutes(10))

/** Records that the process got a suspect that it cannot run. */
export const afterMiss = (
  known: SuspectBackoff | undefined,
  { now, task }: { readonly now: bigint; readonly task: Task }
): SuspectBackoff => {
  if (known !== undefined && now < known.claimsUntil) return { ...known, task }
  const misses = (known?.misses ?? 0) + 1
  const pause = pauseMin << BigInt(Math.min(misses - 1, 8))
  return {
    task,
    misses,
    claimsUntil: now + claimingTime,
    claimsFrom: now + (pause < pauseMax ? pause : pauseMax)
  }
}

/** Whether the backoff allows the process to claim a suspect. */
export const mayClaimSuspect = (known: SuspectBackoff | undefined, now: bigint): boolean =>
  known === undefined || now < known.claimsUntil || now >= known.claimsFrom
