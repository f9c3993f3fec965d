/**
 * How a process goes about suspects that it cannot serve: it holds each until its lease lapses, so
 * that it finds those behind it. Were it to ask again at once, it would keep them for ever from the
 * processes that can serve them, so it pauses: longer each time, unless it becomes able to.
 */
import { Duration } from "effect"
import type { Task } from "../domain/attempt/Work.ts"

/** Instants are monotonic nanoseconds. */
export interface Reluctance {
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
  known: Reluctance | undefined,
  { now, task }: { readonly now: bigint; readonly task: Task }
): Reluctance => {
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
export const mayLook = (known: Reluctance | undefined, now: bigint): boolean =>
  known === undefined || now < known.looksUntil || now >= known.looksFrom
