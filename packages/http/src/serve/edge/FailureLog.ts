/**
 * What a log says about failed requests, and when to come again after one that ends by itself. A
 * cause is logged at length when it is new; while it lasts, a line now and then says that
 * requests fail as before, and how many: with a full disk every request fails.
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
  chainOf,
  framesOf,
  messageOf,
  redactCause,
  textOf,
  withoutContent
} from "./RedactedCause.ts"
import { RequestNotes, shorten } from "./RequestLogging.ts"

/** Databases are restarted within seconds, and an operator needs minutes for a disk. */
const retrySeconds = 10

/** What a database says of a statement that it refuses again: the fault is in our code. */
const statementFaults: ReadonlySet<unknown> = new Set([
  "ConstraintError",
  "SqlSyntaxError",
  "UniqueViolation"
])

/** SQLite says this of a table or column that it does not have, among other things. */
const sqliteError = 1

const isOfStatement = (error: unknown): boolean =>
  chainOf(error).some(
    (link) =>
      statementFaults.has(Reflect.get(link, "_tag")) || Reflect.get(link, "errcode") === sqliteError
  )

/** Whether a store could not be reached, or could not write. */
const isOutage = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  if (isOfStatement(error)) return false
  // That one says nothing further.
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

/** When to come again; nothing after a failure that would only be repeated. */
export const retryHeaders = (cause: Cause.Cause<unknown>): Readonly<Record<string, string>> =>
  isOutage(cause) ? { "retry-after": String(retrySeconds) } : {}

/** A failure counts as new when it was not seen for this long. */
const quietNanos = Duration.toNanosUnsafe(Duration.minutes(1))

/** Lines about one cause that is no outage come at least this far apart. */
const bugInterval = Duration.seconds(1)

/** Causes that are remembered. What they are told apart by is code, not what a client sent. */
const rememberedMax = 128

/** A frame of the platform, the same for everyone who calls it: `JSON.parse`. */
const isOfPlatform = (frame: string): boolean => /\((<anonymous>|native|node:.*)\)$/.test(frame)

/** Where an error was made. */
const originOf = (error: object): string =>
  framesOf(error).find((frame) => !isOfPlatform(frame)) ?? ""

const namesOf = (error: object): string =>
  ["name", "code", "errcode"].map((name) => shorten(textOf(error, name))).join()

const hasCode = (error: object): boolean => textOf(error, "code") + textOf(error, "errcode") !== ""

/**
 * What tells causes apart. An outage is one, whatever asked the store meanwhile: what a platform or
 * a driver gave a code is the same wherever it was made.
 */
const keyOf = (cause: Cause.Cause<unknown>): string => {
  const chain = chainOf(Cause.squash(cause))
  const last = chain.at(-1) ?? {}
  if (!isOutage(cause)) return [...chain.map(namesOf), originOf(last)].join("\n")
  return hasCode(last) ? namesOf(last) : namesOf(last) + originOf(last)
}

/** The first and the last of an error and its causes. */
const summarize = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const messages = chainOf(error).map(messageOf)
  const ends = new Set([messages[0], messages.at(-1)].filter((text) => text))
  if (ends.size > 0) return shorten([...ends].join(": "))
  return typeof error === "object" ? "it says nothing" : withoutContent(String(error))
}

interface Failure {
  /** What failed, in a few words. */
  readonly what: string
  readonly cause: Cause.Cause<unknown>
}

export class FailureLog extends Context.Service<
  FailureLog,
  {
    /** Tells of a failed request: with its cause and where it began, or in a line. */
    readonly report: (
      failure: Failure
    ) => Effect.Effect<void, never, HttpServerRequest.HttpServerRequest>
  }
>()("@verbatim/http/FailureLog") {
  static readonly layer: Layer.Layer<FailureLog> = Layer.sync(FailureLog, () => {
    const streaks = new Map<string, Streak>()

    /** What to log now, and the requests since the last line. */
    const note = (
      key: string,
      how: { readonly now: bigint; readonly interval: Duration.Duration }
    ) => {
      const last = streaks.get(key)
      const isOver = last === undefined || how.now - last.seenAt >= quietNanos
      const { line, streak } = continueStreak(isOver ? undefined : last, how)
      // The one seen longest ago is the first.
      streaks.delete(key)
      streaks.set(key, streak)
      const [oldest] = streaks.keys()
      if (streaks.size > rememberedMax && oldest !== undefined) streaks.delete(oldest)
      return { line, unlogged: last?.unlogged ?? 0 }
    }

    const report = Effect.fnUntraced(function* ({ cause, what }: Failure) {
      // A clock that is set back would make the last line one of the future, and the log silent.
      const now = yield* Clock.monotonicTimeNanos
      const interval = isOutage(cause) ? reminderInterval : bugInterval
      const { line: kind, unlogged } = note(keyOf(cause), { now, interval })
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
