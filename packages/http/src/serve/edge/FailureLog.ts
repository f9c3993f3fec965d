/**
 * Logs failed requests, and tells clients when to retry after a temporary failure. A new cause is
 * logged in full. While the cause persists, an occasional line reports how many requests fail; on a
 * full disk, for example, all requests fail.
 */
import {
  CorrectionStoreError,
  JobStoreError,
  MediaStoreError,
  PresetStoreError,
  WorkspaceStoreError
} from "@verbatim/core/ports"
import { continueStreak, reminderInterval, type Streak } from "@verbatim/core/services"
import { Cause, Clock, Context, Duration, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import {
  listCauses,
  listFrames,
  readProperty,
  redactCause,
  redactMessage,
  withoutContent
} from "./RedactedCause.ts"
import { RequestNotes, shorten } from "./RequestLogging.ts"

/**
 * Clients should retry after ten seconds. A database restarts within seconds, but an operator needs
 * minutes to free up disk space.
 */
const retrySeconds = 10

/** Database errors that point to a bug in our code, because the same statement would fail again. */
const statementFaults: ReadonlySet<unknown> = new Set([
  "ConstraintError",
  "SqlSyntaxError",
  "UniqueViolation"
])

/** SQLite's generic error code, for example for a missing table or column. */
const sqliteError = 1

const isOfStatement = (error: unknown): boolean =>
  listCauses(error).some(
    (link) =>
      statementFaults.has(Reflect.get(link, "_tag")) || Reflect.get(link, "errcode") === sqliteError
  )

/** Whether a store could not be reached or could not write. */
const isOutage = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  if (isOfStatement(error)) return false
  // Every `WorkspaceStoreError` counts as an outage, because this error contains no further reason.
  if (error instanceof WorkspaceStoreError) return true
  if (error instanceof JobStoreError && error.reason._tag === "Contended") return true
  return (
    (error instanceof CorrectionStoreError ||
      error instanceof JobStoreError ||
      error instanceof MediaStoreError ||
      error instanceof PresetStoreError) &&
    error.reason._tag === "Unavailable"
  )
}

/** Builds the `Retry-After` header; none if a retry would fail in the same way. */
export const retryHeaders = (cause: Cause.Cause<unknown>): Readonly<Record<string, string>> =>
  isOutage(cause) ? { "retry-after": String(retrySeconds) } : {}

/** A failure that has not occurred for this long is considered new. */
const quietNanos = Duration.toNanosUnsafe(Duration.minutes(1))

/** Minimum time between two log lines about the same cause, unless the cause is an outage. */
const bugInterval = Duration.seconds(1)

/** Maximum number of causes to remember. Error codes tell causes apart; client input does not. */
const rememberedMax = 128

/** Whether a stack frame belongs to the platform, such as `JSON.parse`. */
const isOfPlatform = (frame: string): boolean => /\((<anonymous>|native|node:.*)\)$/.test(frame)

/** Finds the stack frame where an error was created. */
const findOrigin = (error: object): string =>
  listFrames(error).find((frame) => !isOfPlatform(frame)) ?? ""

const joinNames = (error: object): string =>
  ["name", "code", "errcode"].map((name) => shorten(readProperty(error, name))).join()

const hasCode = (error: object): boolean =>
  readProperty(error, "code") + readProperty(error, "errcode") !== ""

/**
 * Builds a key that identifies a cause. An outage has the same key in all operations, because an
 * error with a platform's or driver's code gets the same key wherever it was created.
 */
const makeKey = (cause: Cause.Cause<unknown>): string => {
  const chain = listCauses(Cause.squash(cause))
  const last = chain.at(-1) ?? {}
  if (!isOutage(cause)) return [...chain.map(joinNames), findOrigin(last)].join("\n")
  return hasCode(last) ? joinNames(last) : joinNames(last) + findOrigin(last)
}

/** Summarizes an error by its first message and its last message. */
const summarize = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const messages = listCauses(error).map(redactMessage)
  const ends = new Set([messages[0], messages.at(-1)].filter((text) => text))
  if (ends.size > 0) return shorten([...ends].join(": "))
  return typeof error === "object" ? "no message" : withoutContent(String(error))
}

interface Failure {
  /** A few words that say what failed. */
  readonly what: string
  readonly cause: Cause.Cause<unknown>
}

export class FailureLog extends Context.Service<
  FailureLog,
  {
    /**
     * Logs a failed request. A new cause is logged with its stack, a persistent one in a single
     * line.
     */
    readonly report: (
      failure: Failure
    ) => Effect.Effect<void, never, HttpServerRequest.HttpServerRequest>
  }
>()("@verbatim/http/FailureLog") {
  static readonly layer: Layer.Layer<FailureLog> = Layer.sync(FailureLog, () => {
    const streaks = new Map<string, Streak>()

    /** Decides what to log for this failure, and counts the failures since the last log line. */
    const note = (
      key: string,
      how: { readonly now: bigint; readonly interval: Duration.Duration }
    ) => {
      const last = streaks.get(key)
      const isOver = last === undefined || how.now - last.seenAt >= quietNanos
      const { line, streak } = continueStreak(isOver ? undefined : last, how)
      // Moves the cause to the end, so that the least recently seen cause comes first.
      streaks.delete(key)
      streaks.set(key, streak)
      const [oldest] = streaks.keys()
      if (streaks.size > rememberedMax && oldest !== undefined) streaks.delete(oldest)
      return { line, unlogged: last?.unlogged ?? 0 }
    }

    const report = Effect.fnUntraced(function* ({ cause, what }: Failure) {
      // The wall clock is not used, because setting it back would suppress log lines.
      const now = yield* Clock.monotonicTimeNanos
      const interval = isOutage(cause) ? reminderInterval : bugInterval
      const { line: kind, unlogged } = note(makeKey(cause), { now, interval })
      if (kind === "None") return
      const { method, url } = yield* HttpServerRequest.HttpServerRequest
      const { jobId } = (yield* RequestNotes) ?? {}
      const job = jobId === undefined ? {} : { job: shorten(jobId) }
      const [path = ""] = url.split("?", 1)
      const more = unlogged === 0 ? "" : ` (and ${unlogged} more requests)`
      if (kind === "Lasts") {
        const line = `${what} as before${more}: ${method} ${shorten(path)}: ${summarize(cause)}`
        return yield* Effect.annotateLogs(Effect.logError(line), job)
      }
      yield* Effect.logError(`${what}${more}`, redactCause(cause)).pipe(
        Effect.annotateLogs({ ...job, method, path: shorten(path) })
      )
    })

    return { report }
  })
}
