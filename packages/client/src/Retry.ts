/**
 * Decides whether and when to retry a call. The decision depends only on the request, the response
 * and the time.
 */

/** Limits on the retries of a call. */
export interface RetryLimits {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number
  /** The last attempt begins within this many milliseconds of the first. */
  readonly totalMillis: number
}

/**
 * The default limits. Four attempts, with pauses of about 0.5, 1 and 2 s, bridge a server restart,
 * and users wait at most a minute for a page.
 */
export const defaultLimits: RetryLimits = { maxAttempts: 4, totalMillis: 60_000 }

/** The first pause, and the longest pause without `Retry-After`, in milliseconds. */
const pauseMillis = { first: 500, max: 8_000 }

const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

const idempotent: ReadonlySet<string> = new Set(["PUT", "DELETE"])

/** Statuses that a proxy sends if it cannot reach the server. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Whether a request can be repeated safely if the outcome of the first attempt is unknown. A
 * conditional write cannot be repeated, because it would report a conflict with its own first
 * attempt.
 */
export const isRepeatable = ({ headers, method }: Pick<Request, "headers" | "method">): boolean =>
  headers.has("idempotency-key") ||
  reading.has(method) ||
  (idempotent.has(method) && !headers.has("if-match") && !headers.has("if-none-match"))

/** The outcome of an attempt. */
export interface Outcome {
  /** The response's status, or 0 if there was no response. */
  readonly status: number
  readonly retryAfter?: number | undefined
}

/**
 * Whether a retry is safe and could succeed. A retry after a 429 is safe, because the server did no
 * work.
 */
const isWorthIt = ({ retryAfter, status }: Outcome, repeatable: boolean): boolean => {
  if (status === 429) return true
  if (!repeatable) return false
  return status === 0 || gatewayStatuses.has(status) || (status === 500 && retryAfter !== undefined)
}

/** Returns the milliseconds to wait before the next attempt, or undefined to give up. */
export const pauseAfter = (
  outcome: Outcome,
  given: {
    readonly repeatable: boolean
    readonly limits: RetryLimits
    /** The number of attempts so far. */
    readonly attempt: number
    readonly elapsedMillis: number
    /**
     * A random number from 0 to 1, which spreads the retries of callers that failed at the same
     * time.
     */
    readonly chance: number
  }
): number | undefined => {
  const { attempt, chance, elapsedMillis, limits, repeatable } = given
  if (attempt >= limits.maxAttempts || !isWorthIt(outcome, repeatable)) return undefined
  const longest = Math.min(pauseMillis.max, pauseMillis.first * 2 ** (attempt - 1))
  const pause = Math.max((outcome.retryAfter ?? 0) * 1000, longest * (0.5 + chance / 2))
  return elapsedMillis + pause > limits.totalMillis ? undefined : Math.round(pause)
}

/** The sources of time and random numbers, which tests can replace. */
export interface Clock {
  /** Returns the milliseconds of a monotonic clock. */
  readonly nowMillis: () => number
  /** Returns a random number from 0 to 1. */
  readonly chance: () => number
  /** Resolves after the given number of milliseconds, or rejects with the signal's reason. */
  readonly sleep: (millis: number, signal: AbortSignal | undefined) => Promise<void>
}

/** The platform's clock. */
export const platformClock: Clock = {
  nowMillis: () => performance.now(),
  chance: () => Math.random(),
  sleep: (millis, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop)
        resolve()
      }, millis)
      signal?.addEventListener("abort", stop, { once: true })
    })
}
