/**
 * Capacity for a task whose process died with it: it begins with nothing beside it, so that a death
 * tells who the killer is, and takes nobody along. Webhooks resume after a moment: a recording may
 * run for hours, and one that kills its process mostly does so at once.
 */
import { Duration } from "effect"
import type { Task, WorkKind } from "../domain/attempt/Work.ts"
/** Where the isolated task of a process stands. Instants are monotonic nanoseconds. */
export type Isolation =
  /** `sittingSince` is there while a claim may bring the next suspect of a sitting. */
  | { readonly _tag: "None"; readonly lookedAt: bigint; readonly sittingSince?: bigint }
  /**
   * Held, and waiting for what began before it to end: tasks that may last, then webhooks. That
   * takes no longer than the longest of them may (`timeMax`, for speech 24 hours): were others let
   * in meanwhile, they would last too, and it would never begin.
   */
  | { readonly _tag: "Waiting"; readonly sittingSince?: bigint }
  | { readonly _tag: "Alone"; readonly since: bigint; readonly sittingSince: bigint }
  /** One has ended, and nothing else runs: another one may begin at once. */
  | { readonly _tag: "Between"; readonly sittingSince: bigint }

/** Nobody is isolated, and a look for a suspect is due. */
export const notIsolated: Isolation = { _tag: "None", lookedAt: -(2n ** 62n) }

/** A busy process makes room after this long. An idle one takes the task sooner. */
const lookInterval = Duration.toNanosUnsafe(Duration.seconds(15))

/**
 * Suspects follow each other for this long, once everything has made room for one: when a process
 * had to be emptied for each, a crowd of them waited for minutes. Then it is the turn of others.
 */
const sittingMax = Duration.toNanosUnsafe(Duration.seconds(10))

/** A pause in which others may begin, where nobody else keeps the process busy. */
const pause = Duration.toNanosUnsafe(Duration.seconds(1))

/**
 * The longest that others wait for a task that runs alone. One that kills its process does so
 * sooner; a later death counts all the same, and makes the others suspects.
 */
const aloneMax = Duration.toNanosUnsafe(Duration.minutes(10))

/** From its beginning to the next webhook. */
const silence = Duration.toNanosUnsafe(Duration.seconds(10))

/** A claim asks for a suspect. */
export const afterLook = (isolation: Isolation, now: bigint): Isolation =>
  isolation._tag === "Between"
    ? { _tag: "None", lookedAt: now, sittingSince: isolation.sittingSince }
    : { _tag: "None", lookedAt: now }

/** A suspect is held. */
export const afterClaim = (isolation: Isolation): Isolation =>
  isolation._tag === "None" && isolation.sittingSince !== undefined
    ? { _tag: "Waiting", sittingSince: isolation.sittingSince }
    : { _tag: "Waiting" }

/** It begins. */
export const begun = (isolation: Isolation, now: bigint): Isolation => {
  const known = isolation._tag === "Waiting" ? isolation.sittingSince : undefined
  return { _tag: "Alone", since: now, sittingSince: known ?? now }
}

/** It has ended. */
export const afterEnd = (isolation: Isolation, now: bigint): Isolation =>
  isolation._tag === "Alone" && now - isolation.sittingSince < sittingMax
    ? { _tag: "Between", sittingSince: isolation.sittingSince }
    : { _tag: "None", lookedAt: now }

/** The tasks that count as company. A webhook does not: its attempts count whoever dies. */
export const isShared = (task: Task): boolean => task !== "Deliver"

/** Whether a claim may ask for work of a kind. */
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
      return kind !== "Isolate" || now - isolation.lookedAt >= (isBusy ? lookInterval : pause)
  }
}

/** Instants are monotonic nanoseconds. */
export interface SuspectBackoff {
  /** The task of the last such suspect. */
  readonly task: Task
  /** How many times in a row it began to look and found such a suspect. */
  readonly misses: number
  /** It goes on looking past them until then, */
  readonly looksUntil: bigint
  /** and again from then on. */
  readonly looksFrom: bigint
}

/** At least forty looks: the first suspects are still held when it comes to the last. */
const lookingTime = Duration.toNanosUnsafe(Duration.seconds(10))

/** The lease of the last one lapses 40 s after the first look: then others have their turn. */
const pauseMin = Duration.toNanosUnsafe(Duration.minutes(1))

/**
 * Each holds a suspect for 30 s of these ten minutes. Beside one busy process that could serve it,
 * a suspect ended after 65 s with one such process, 277 s with five, 637 s with ten, and 1,537 s
 * with twenty-five, which hold it nearly all the time.
 */
const pauseMax = Duration.toNanosUnsafe(Duration.minutes(10))

/** A suspect that cannot be served is held. */
export const afterMiss = (
  known: SuspectBackoff | undefined,
  { now, task }: { readonly now: bigint; readonly task: Task }
): SuspectBackoff => {
  if (known !== undefined && now < known.looksUntil) return { ...known, task }
  const misses = (known?.misses ?? 0) + 1
  const pause = pauseMin << BigInt(Math.min(misses - 1, 8))
  return {
    task,
    misses,
    looksUntil: now + lookingTime,
    looksFrom: now + (pause < pauseMax ? pause : pauseMax)
  }
}

/** Whether a suspect may be asked for, as far as time goes. */
export const mayLook = (known: SuspectBackoff | undefined, now: bigint): boolean =>
  known === undefined || now < known.looksUntil || now >= known.looksFrom
