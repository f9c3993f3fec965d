/**
 * Logs a recurring failure in only a few lines: when it begins, once per minute while it lasts, and
 * when it ends. No line includes a stack trace.
 */
import { Cause, Clock, Duration, Effect } from "effect"
import { toLine } from "../domain/attempt/Failure.ts"

/** Time between two log lines about the same outage. */
export const reminderInterval: Duration.Duration = Duration.minutes(1)

/** Failures without a success in between. Timestamps are monotonic nanoseconds. */
export interface Streak {
  readonly beganAt: bigint
  readonly seenAt: bigint
  readonly loggedAt: bigint
  /** Number of failures since the last log line. */
  readonly unlogged: number
}

/**
 * Adds a failure to a series, and returns whether to log it. Without an interval, only the first
 * failure is logged.
 */
export const continueStreak = (
  known: Streak | undefined,
  { interval, now }: { readonly now: bigint; readonly interval: Duration.Duration | undefined }
): { readonly streak: Streak; readonly line: "Begins" | "Lasts" | "None" } => {
  if (known === undefined) {
    const streak = { beganAt: now, seenAt: now, loggedAt: now, unlogged: 0 }
    return { streak, line: "Begins" }
  }
  if (interval === undefined || now - known.loggedAt < Duration.toNanosUnsafe(interval)) {
    return { streak: { ...known, seenAt: now, unlogged: known.unlogged + 1 }, line: "None" }
  }
  return { streak: { ...known, seenAt: now, loggedAt: now, unlogged: 0 }, line: "Lasts" }
}

/** Node's error codes in words. Other codes are logged unchanged. */
const codeWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  EHOSTUNREACH: "no route to the host",
  ENOTFOUND: "unknown host",
  ETIMEDOUT: "no answer"
}

/**
 * Maximum number of errors that are followed in a chain of causes. Our own chains have at most
 * four.
 */
const linkMax = 8

const textOf = (error: object, name: string): string => {
  const value: unknown = Reflect.get(error, name)
  return typeof value === "string" ? value : ""
}

const innermost = (error: unknown, links = 0): unknown => {
  const cause =
    typeof error === "object" && error !== null ? Reflect.get(error, "cause") : undefined
  return cause === undefined || cause === null || links === linkMax
    ? error
    : innermost(cause, links + 1)
}

/** Returns the reason for a failure: the short message of its innermost error. */
export const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const error = innermost(Cause.squash(cause))
  if (typeof error !== "object" || error === null) return toLine(String(error))
  if (textOf(error, "_tag") === "TimeoutError") return "no answer"
  const code = textOf(error, "code")
  return codeWords[code] ?? toLine(textOf(error, "message") || code || textOf(error, "_tag"))
}

const format = (nanos: bigint): string =>
  Duration.format(Duration.seconds(Math.round(Number(nanos / 1_000_000n) / 1_000)))

/** Logs the outages of one dependency. */
export interface OutageLog {
  /** Reports that the dependency failed, with the reason. */
  readonly failed: (reason: string) => Effect.Effect<void>
  /** Reports that the dependency worked. */
  readonly worked: Effect.Effect<void>
}

/**
 * Creates the log for one dependency. Each log line begins with `failing` or `working`, for example
 * "The worker cannot use the database". Set `reminds` to false if another log already reports the
 * same outage.
 */
export const makeOutageLog = (words: {
  readonly failing: string
  readonly working: string
  readonly reminds?: boolean
}): Effect.Effect<OutageLog> =>
  Effect.map(Clock.Clock, (clock) => {
    const { failing, reminds = true, working } = words
    const interval = reminds ? reminderInterval : undefined
    let known: Streak | undefined

    const failed = (reason: string) =>
      Effect.suspend(() => {
        const now = clock.monotonicTimeNanosUnsafe()
        const { line, streak } = continueStreak(known, { now, interval })
        const why = reason === "" ? "" : `: ${reason}`
        known = streak
        if (line === "None") return Effect.void
        return line === "Begins"
          ? Effect.logWarning(`${failing}${why}`)
          : Effect.logWarning(`${failing} for ${format(now - streak.beganAt)} now${why}`)
      })

    const worked = Effect.suspend(() => {
      if (known === undefined) return Effect.void
      const length = format(clock.monotonicTimeNanosUnsafe() - known.beganAt)
      known = undefined
      return Effect.logInfo(`${working} again after ${length}`)
    })

    return { failed, worked }
  })
