/**
 * Sends requests with retries. Each attempt gets a new request, because a body can be read only
 * once.
 */
import type { Clock } from "./Retry.ts"
import { isRepeatable, pauseAfter, type RetryLimits } from "./Retry.ts"
import { openerOf } from "./Upload.ts"
import { retryAfterOf, unreachable } from "./VerbatimError.ts"

/** Sends one request with the platform's `fetch` or with a wrapper around it. */
export type Fetch = (request: Request) => Promise<Response>

type Attempt = { readonly response: Response } | { readonly cause: unknown }

/** Responses to requests that took more than one attempt. */
const repeated = new WeakSet<Response>()

/** Whether an earlier attempt may have already done the work, because its response was lost. */
export const wasRepeated = (response: Response): boolean => repeated.has(response)

/** Creates a `Request` class that remembers how to rebuild each request. */
export const makeRequests = (given: {
  readonly toUrl: (url: string) => string
  readonly signal: AbortSignal | undefined
}) => {
  const recipes = new WeakMap<Request, () => Request>()

  class ClientRequest extends Request {
    constructor(url: string, init: RequestInit = {}) {
      const signals = [given.signal, init.signal].filter((signal) => signal instanceof AbortSignal)
      const [one] = signals
      const signal = signals.length > 1 ? AbortSignal.any(signals) : (one ?? null)
      const target = given.toUrl(url)
      const recipe = { ...init, signal }
      super(target, recipe)
      const { body } = init
      const open = body instanceof ReadableStream ? openerOf(body) : () => body ?? null
      if (open === undefined) return
      recipes.set(this, () => {
        const next = new Request(target, { ...recipe, body: open() })
        // The rebuilt request has a new form, and the content type must contain the new form's
        // boundary.
        for (const [name, value] of this.headers) {
          if (name !== "content-type") next.headers.set(name, value)
        }
        return next
      })
    }
  }

  return {
    ClientRequest: ClientRequest as unknown as typeof Request,
    remakerOf: (request: Request) => recipes.get(request),
    /** Prevents a request from being retried. */
    sendOnce: (request: Request) => void recipes.delete(request)
  }
}

/** Wraps a `fetch` so that it retries within the limits. */
export const makeSender = (given: {
  readonly fetch: Fetch
  readonly clock: Clock
  /** Limits on retries; undefined means a single attempt. */
  readonly limits: RetryLimits | undefined
  readonly remakerOf: (request: Request) => (() => Request) | undefined
}): Fetch => {
  const { clock, fetch, limits, remakerOf } = given

  const attemptOnce = async (request: Request): Promise<Attempt> => {
    try {
      return { response: await fetch(request) }
    } catch (cause) {
      // Throws the reason that the caller aborted with, as `fetch` does.
      if (request.signal.aborted) throw request.signal.reason
      return { cause }
    }
  }

  return async (first) => {
    const remake = remakerOf(first)
    const startedAt = clock.nowMillis()
    const pauseOf = (came: Attempt, attempt: number): number | undefined => {
      if (limits === undefined || remake === undefined) return undefined
      const answered = "response" in came ? came.response : undefined
      return pauseAfter(
        {
          status: answered?.status ?? 0,
          retryAfter: answered && retryAfterOf(answered.headers, Date.now())
        },
        {
          repeatable: isRepeatable(first),
          limits,
          attempt,
          elapsedMillis: clock.nowMillis() - startedAt,
          chance: clock.chance()
        }
      )
    }
    let request = first
    // The loop ends at the limit on attempts or on time.
    for (let attempt = 1; ; attempt += 1) {
      const came = await attemptOnce(request)
      const pause = pauseOf(came, attempt)
      if (pause === undefined || remake === undefined) {
        if ("cause" in came) throw unreachable(came.cause)
        if (attempt > 1) repeated.add(came.response)
        return came.response
      }
      // Cancels the response's body, because an unread body would keep its connection busy.
      if ("response" in came) await came.response.body?.cancel()
      await clock.sleep(pause, first.signal)
      request = remake()
    }
  }
}
