/**
 * How a process goes about suspects that it cannot serve: it holds each until its lease lapses, so
 * that it finds those behind it. Were it to ask again at once, it would keep them for ever from the
 * processes that can serve them, so it pauses: longer each time, unless it becomes able to.
 */
import { Duration } from "effect"
import type { Task } from "../domain/attempt/Work.ts"

/** Instants are monotonic nanoseconds. */
export interface Reluctance {
  /** What the last of them needs done. */
  readonly task: Task
  /** How many times in a row it began to look, and found such a one. */
  readonly misses: number
  /** It goes on looking past them until then, */
  readonly looksUntil: bigint
  /** and again from then on. */
  readonly looksFrom: bigint
}

/** Some forty looks: the first suspects are still held when it comes to the last. */
const lookingTime = Duration.toNanosUnsafe(Duration.seconds(10))

/** The lease of the last one lapses 40 s after the first look: then others have their turn. */
const pauseMin = Duration.toNanosUnsafe(Duration.minutes(1))

/** What ten such processes hold between them leaves a third of the time to others. */
const pauseMax = Duration.toNanosUnsafe(Duration.minutes(10))

/** A suspect is held that cannot be served. */
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
