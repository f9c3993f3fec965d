/**
 * How a request goes out: made again for each attempt, since a body is read only once, and sent
 * until there is an answer that a repeat would not change.
 */
import type { Clock } from "./Retry.ts"
import { isRepeatable, pauseAfter, type RetryLimits } from "./Retry.ts"
import { openerOf } from "./Upload.ts"
import { retryAfterOf, unreachable } from "./VerbatimError.ts"

/** What sends one request: the `fetch` of the platform, or one around it. */
export type Fetch = (request: Request) => Promise<Response>

type Attempt = { readonly response: Response } | { readonly cause: unknown }

/** Answers to requests that were sent more than once. */
const repeats = new WeakSet<Response>()

/** Whether an earlier attempt may have done what the answer says cannot be done. */
export const wasRepeated = (response: Response): boolean => repeats.has(response)

/** Makes the class whose requests can be made once more, below the address of the API. */
export const makeRequests = (given: {
  readonly place: (url: string) => string
  readonly signal: AbortSignal | undefined
}) => {
  const recipes = new WeakMap<Request, () => Request>()

  class PlacedRequest extends Request {
    constructor(url: string, init: RequestInit = {}) {
      const signals = [given.signal, init.signal].filter((signal) => signal instanceof AbortSignal)
      const [one] = signals
      const signal = signals.length > 1 ? AbortSignal.any(signals) : (one ?? null)
      const placed = given.place(url)
      const recipe = { ...init, signal }
      super(placed, recipe)
      const { body } = init
      const open = body instanceof ReadableStream ? openerOf(body) : () => body ?? null
      if (open === undefined) return
      recipes.set(this, () => {
        const next = new Request(placed, { ...recipe, body: open() })
        // Its content type names the boundary of its own form.
        for (const [name, value] of this.headers) {
          if (name !== "content-type") next.headers.set(name, value)
        }
        return next
      })
    }
  }

  return {
    PlacedRequest: PlacedRequest as unknown as typeof Request,
    remakerOf: (request: Request) => recipes.get(request),
    /** Has a request sent once only, whatever comes of it. */
    sendOnce: (request: Request) => void recipes.delete(request)
  }
}

/** Makes what sends a request as often as its limits allow. */
export const makeSender = (given: {
  readonly fetch: Fetch
  readonly clock: Clock
  /** Undefined for one attempt. */
  readonly limits: RetryLimits | undefined
  readonly remakerOf: (request: Request) => (() => Request) | undefined
}): Fetch => {
  const { clock, fetch, limits, remakerOf } = given

  const attemptOnce = async (request: Request): Promise<Attempt> => {
    try {
      return { response: await fetch(request) }
    } catch (cause) {
      // The caller's own reason, as from the platform.
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
    // Ends at the limit of attempts, or of time.
    for (let attempt = 1; ; attempt += 1) {
      const came = await attemptOnce(request)
      const pause = pauseOf(came, attempt)
      if (pause === undefined || remake === undefined) {
        if ("cause" in came) throw unreachable(came.cause)
        if (attempt > 1) repeats.add(came.response)
        return came.response
      }
      // An answer that nobody reads would hold its connection.
      if ("response" in came) await came.response.body?.cancel()
      await clock.sleep(pause, first.signal)
      request = remake()
    }
  }
}
