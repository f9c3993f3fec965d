/**
 * When to ask again, and how long to wait before: decided from the request, the answer and the
 * time, and from nothing else.
 */

/** How often and for how long a call is repeated. */
export interface RetryLimits {
  /** Most attempts of one call, the first included. */
  readonly attemptMax: number
  /** No attempt begins later than this after the first one. */
  readonly totalMillis: number
}

/**
 * Four attempts are one at once and three after about 0.5, 1 and 2 s: a restart of the server. A
 * minute is what people wait for a page.
 */
export const defaultLimits: RetryLimits = { attemptMax: 4, totalMillis: 60_000 }

/** The first pause, and the longest one without `Retry-After`. */
const pauseMillis = { first: 500, max: 8_000 }

const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

const idempotent: ReadonlySet<string> = new Set(["PUT", "DELETE"])

/** What a proxy answers when its server is not there. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Whether a request may be sent twice, when it is not known whether the first was carried out. A
 * condition that held for the first write fails for the second, which would report a conflict with
 * ourselves.
 */
export const isRepeatable = ({ headers, method }: Pick<Request, "headers" | "method">): boolean =>
  headers.has("idempotency-key") ||
  reading.has(method) ||
  (idempotent.has(method) && !headers.has("if-match") && !headers.has("if-none-match"))

/** What came of an attempt: the status of an answer, or 0 for none. */
export interface Outcome {
  readonly status: number
  readonly retryAfter?: number | undefined
}

/** Whether a repeat is safe and may end otherwise. A 429 was refused before anything was done. */
const isWorthIt = ({ retryAfter, status }: Outcome, repeatable: boolean): boolean => {
  if (status === 429) return true
  if (!repeatable) return false
  return status === 0 || gatewayStatuses.has(status) || (status === 500 && retryAfter !== undefined)
}

/** In how many milliseconds to try again; undefined for not at all. */
export const pauseAfter = (
  outcome: Outcome,
  given: {
    readonly repeatable: boolean
    readonly limits: RetryLimits
    /** How many attempts there were. */
    readonly attempt: number
    readonly elapsedMillis: number
    /** From 0 to 1: callers that failed together come back one by one. */
    readonly chance: number
  }
): number | undefined => {
  const { attempt, chance, elapsedMillis, limits, repeatable } = given
  if (attempt >= limits.attemptMax || !isWorthIt(outcome, repeatable)) return undefined
  const longest = Math.min(pauseMillis.max, pauseMillis.first * 2 ** (attempt - 1))
  const pause = Math.max((outcome.retryAfter ?? 0) * 1000, longest * (0.5 + chance / 2))
  return elapsedMillis + pause > limits.totalMillis ? undefined : Math.round(pause)
}

/** What the client asks of the clock and of chance. */
export interface Clock {
  /** Milliseconds that never go back. */
  readonly nowMillis: () => number
  /** From 0 up to 1. */
  readonly chance: () => number
  /** Ends after so many milliseconds, or rejects with the reason of the signal. */
  readonly sleep: (millis: number, signal: AbortSignal | undefined) => Promise<void>
}

/** Those of the platform. */
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
