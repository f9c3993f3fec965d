/**
 * Lets a suspect run alone: no other task runs next to it, so that a death shows that it is the
 * cause, and takes no other task along. Webhooks resume after a short time: a recording may run for
 * hours, and one that kills its process mostly does so at once.
 */
import { Duration } from "effect"
import type { Task, WorkKind } from "../domain/attempt/Work.ts"
export type Isolation =
  /** `sittingSince` is set while a claim may bring the next suspect of a sitting. */
  | { readonly _tag: "None"; readonly requestedAt: bigint; readonly sittingSince?: bigint }
  /**
   * A suspect is held, and waits for earlier tasks to end: first long ones, then webhooks. That
   * takes at most as long as the longest of them is allowed to run (`timeMax`, for speech 24
   * hours): if other tasks were admitted during that time, they would run long too, and the suspect
   * would never begin.
   */
  | { readonly _tag: "Waiting"; readonly sittingSince?: bigint }
  | { readonly _tag: "Alone"; readonly since: bigint; readonly sittingSince: bigint }
  /** A suspect has ended, and nothing else runs: another one can begin at once. */
  | { readonly _tag: "Between"; readonly sittingSince: bigint }

/** No task is isolated, and the next claim can include a suspect. */
export const notIsolated: Isolation = { _tag: "None", requestedAt: -(2n ** 62n) }

/** A busy process takes a suspect after this long. An idle one takes it sooner. */
const requestInterval = Duration.toNanosUnsafe(Duration.seconds(15))

/**
 * Suspects follow each other for this long, once all other work has stopped for one: when a process
 * had to be emptied for each, a crowd of them waited for minutes. Then other work follows.
 */
const sittingMax = Duration.toNanosUnsafe(Duration.seconds(10))

/** A pause in which other work can begin, if the process is idle. */
const pause = Duration.toNanosUnsafe(Duration.seconds(1))

/**
 * The longest that other work waits for a task that runs alone. A task that kills its process does
 * so sooner; a later death still counts, and makes the others suspects.
 */
const aloneMax = Duration.toNanosUnsafe(Duration.minutes(10))

/** From its start to the next webhook. */
const silence = Duration.toNanosUnsafe(Duration.seconds(10))

/** A claim includes a suspect. */
export const afterRequest = (isolation: Isolation, now: bigint): Isolation =>
  isolation._tag === "Between"
    ? { _tag: "None", requestedAt: now, sittingSince: isolation.sittingSince }
    : { _tag: "None", requestedAt: now }

/** A suspect is held. */
export const afterClaim = (isolation: Isolation): Isolation =>
  isolation._tag === "None" && isolation.sittingSince !== undefined
    ? { _tag: "Waiting", sittingSince: isolation.sittingSince }
    : { _tag: "Waiting" }

/** The suspect begins. */
export const begun = (isolation: Isolation, now: bigint): Isolation => {
  const known = isolation._tag === "Waiting" ? isolation.sittingSince : undefined
  return { _tag: "Alone", since: now, sittingSince: known ?? now }
}

/** The suspect has ended. */
export const afterEnd = (isolation: Isolation, now: bigint): Isolation =>
  isolation._tag === "Alone" && now - isolation.sittingSince < sittingMax
    ? { _tag: "Between", sittingSince: isolation.sittingSince }
    : { _tag: "None", requestedAt: now }

/**
 * Whether a task counts as running next to a suspect. A webhook does not: its attempts count,
 * whichever task kills the process.
 */
export const isShared = (task: Task): boolean => task !== "Deliver"

/** Whether a claim can include work of a kind. */
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
 * The backoff of a process that claims suspects which it cannot serve, in monotonic nanoseconds.
 */
export interface SuspectBackoff {
  /** The task of the last such suspect. */
  readonly task: Task
  /** Number of times in a row that it started claiming suspects and got such a one. */
  readonly misses: number
  /** It continues to claim past them until then, … */
  readonly claimsUntil: bigint
  /** … and again from then on. */
  readonly claimsFrom: bigint
}

/** At least forty claims: the first suspects are still held when the last ones are reached. */
const claimingTime = Duration.toNanosUnsafe(Duration.seconds(10))

/**
 * The lease of the last one lapses 40 s after the first claim: then other processes can take it.
 */
const pauseMin = Duration.toNanosUnsafe(Duration.minutes(1))

/**
 * Each process holds a suspect for 30 s of these ten minutes. With one busy process that could
 * serve it, a suspect ended after 65 s next to one such process, 277 s with five, 637 s with ten,
 * and 1,537 s with twenty-five, which hold it nearly all the time.
 */
const pauseMax = Duration.toNanosUnsafe(Duration.minutes(10))

/** A suspect that cannot be served is held. */
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

/** Whether a suspect can be claimed, as far as the backoff is concerned. */
export const mayClaimSuspect = (known: SuspectBackoff | undefined, now: bigint): boolean =>
  known === undefined || now < known.claimsUntil || now >= known.claimsFrom
