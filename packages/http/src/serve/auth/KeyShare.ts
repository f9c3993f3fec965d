/**
 * Limits one key's share of the server. Requests above the key's limit are refused before any work
 * begins. Every other request reserves memory for its response until the response is sent. Each key
 * has its own queue of waiting requests, and the queues are served in turn. Request bodies that are
 * still arriving count towards the share too.
 */
import { Idle } from "@verbatim/core/services"
import { Clock, Context, Duration, Effect, Scope, Stream } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { KeyPartition, smallMax } from "../body/BodyBudget.ts"
import { makeErrorAnswer } from "../edge/ErrorAnswer.ts"

export interface AnswerLimits {
  /** Bytes to reserve while the length of a response is still unknown. */
  readonly reservedBytes: number
  readonly maxKeyBytes: number
  /**
   * Total bytes for all keys. Even when all these bytes are reserved, a key without a reservation
   * can still reserve some bytes.
   */
  readonly maxTotalBytes: number
  /**
   * The maximum wait, shorter than the timeouts of clients and proxies. No request is refused
   * before half of this time has passed.
   */
  readonly patience: Duration.Duration
}

const mebibyte = 1_048_576

/**
 * Maximum number of requests per key that run concurrently. More would not be faster, because all
 * of them wait for one database.
 */
export const AnswerLimits: Context.Reference<AnswerLimits> = Context.Reference(
  "@verbatim/http/AnswerLimits",
  {
    defaultValue: (): AnswerLimits => ({
      reservedBytes: mebibyte,
      maxKeyBytes: 16 * mebibyte,
      maxTotalBytes: 128 * mebibyte,
      patience: Duration.seconds(20)
    })
  }
)

/**
 * Maximum time spent starting queued requests in one turn of the event loop. Each step of a running
 * request waits for the next turn, and some requests need ten turns.
 */
const sliceNanos = 2_000_000n

/**
 * Number of a key's requests that can start immediately in one turn of the event loop. Together
 * they take about 2 ms, and requests that start together share database queries.
 */
const startMax = 16

/** A request that waits for a reservation. */
interface Waiter {
  readonly begin: () => void
  readonly refuse: () => void
  /** Whether the request was already waiting at the previous sweep for late requests. */
  wasSeen: boolean
}

/** The bytes that a key has reserved, and its waiting requests. */
export interface KeyQueue {
  readonly name: string
  heldBytes: number
  readonly waiting: Set<Waiter>
}

export const makeKeyQueue = (name: string): KeyQueue => ({
  name,
  heldBytes: 0,
  waiting: new Set()
})

/** One request's reservation. */
interface Reservation {
  /** Waits for the reservation; returns false if the wait took too long. */
  readonly enter: Effect.Effect<boolean>
  /** Waits without a time limit; does nothing if the request already has its reservation. */
  readonly enterAgain: Effect.Effect<void>
  /**
   * Changes the reservation to this number of bytes; zero when the work is done or the response is
   * sent.
   */
  readonly hold: (byteLength: number) => Effect.Effect<void>
  readonly isAtWork: () => boolean
}

const begun = Effect.succeed(true)
const refused = Effect.succeed(false)

/** The budget for responses; nothing is reserved at first. */
export class AnswerBudget {
  readonly #limits: AnswerLimits
  #allBytes = 0
  #isPumping = false
  #isSweeping = false
  /** Keys with waiting requests; the first key is served next. */
  readonly #queues = new Set<KeyQueue>()
  /** Number of a key's requests that started in this turn of the event loop. */
  readonly #inTurn = new Map<string, number>()

  constructor(limits: AnswerLimits) {
    this.#limits = limits
  }

  /** The bytes reserved by all keys. */
  heldBytes(): number {
    return this.#allBytes
  }

  #hasBudget({ heldBytes }: KeyQueue): boolean {
    const { maxTotalBytes, maxKeyBytes, reservedBytes } = this.#limits
    return (
      heldBytes === 0 ||
      (heldBytes + reservedBytes <= maxKeyBytes && this.#allBytes + reservedBytes <= maxTotalBytes)
    )
  }

  /** Starts the next request that fits into the budget; returns false if there is none. */
  #beginNext(): boolean {
    for (const key of this.#queues) {
      const [next] = key.waiting
      if (next === undefined || !this.#hasBudget(key)) continue
      this.#queues.delete(key)
      key.waiting.delete(next)
      if (key.waiting.size > 0) this.#queues.add(key)
      next.begin()
      return true
    }
    return false
  }

  /**
   * Starts requests for at most 2 ms per turn of the event loop. With a database in a file, a
   * request finishes in the same turn, so a thousand requests could block the loop.
   */
  readonly #pump = Effect.gen({ self: this }, function* () {
    let isIdle = false
    while (!isIdle) {
      yield* Effect.yieldNow
      isIdle = this.#inTurn.size === 0
      this.#inTurn.clear()
      const end = (yield* Clock.monotonicTimeNanos) + sliceNanos
      while (this.#beginNext()) {
        isIdle = false
        if ((yield* Clock.monotonicTimeNanos) > end) break
      }
    }
    this.#isPumping = false
  })

  readonly #startPump = Effect.suspend(() => {
    if (this.#isPumping) return Effect.void
    this.#isPumping = true
    return Effect.asVoid(Effect.forkDetach(this.#pump))
  })

  /**
   * All waiting requests share one timer, because a timer for each request would cost more than
   * most requests.
   */
  readonly #sweep = Effect.gen({ self: this }, function* () {
    while (this.#queues.size > 0) {
      yield* Effect.sleep(Duration.divideUnsafe(this.#limits.patience, 2))
      for (const { waiting } of this.#queues) {
        for (const waiter of waiting) {
          if (waiter.wasSeen) waiter.refuse()
          waiter.wasSeen = true
        }
      }
    }
    this.#isSweeping = false
  })

  readonly #startSweep = Effect.suspend(() => {
    if (this.#isSweeping) return Effect.void
    this.#isSweeping = true
    return Effect.asVoid(Effect.forkDetach(this.#sweep))
  })

  /** Waits in a key's queue; returns false if the request has a time limit and waited too long. */
  #wait(key: KeyQueue, { begin, isPatient }: { begin: () => void; isPatient: boolean }) {
    return Effect.callback<boolean>((resume) => {
      const leave = () => {
        key.waiting.delete(waiter)
        if (key.waiting.size === 0) this.#queues.delete(key)
      }
      const waiter: Waiter = {
        begin: () => {
          begin()
          resume(begun)
        },
        refuse: () => {
          if (isPatient) return
          leave()
          resume(refused)
        },
        wasSeen: false
      }
      key.waiting.add(waiter)
      this.#queues.add(key)
      return Effect.sync(leave)
    })
  }

  /** Reserves budget for one request made with a key. */
  makeReservation(key: KeyQueue): Reservation {
    let bytes = 0
    let isAtWork = false
    const resize = (byteLength: number) => {
      key.heldBytes += byteLength - bytes
      this.#allBytes += byteLength - bytes
      bytes = byteLength
    }
    const begin = () => {
      isAtWork = true
      resize(this.#limits.reservedBytes)
    }
    const enterOr = (waiting: Effect.Effect<boolean>) =>
      Effect.suspend(() => {
        if (isAtWork) return begun
        const count = this.#inTurn.get(key.name) ?? 0
        if (key.waiting.size > 0 || count >= startMax || !this.#hasBudget(key)) return waiting
        begin()
        this.#inTurn.set(key.name, count + 1)
        return Effect.as(this.#startPump, true)
      })
    const hold = (byteLength: number) =>
      Effect.suspend(() => {
        isAtWork = false
        resize(byteLength)
        return this.#queues.size === 0 ? Effect.void : this.#startPump
      })
    const impatient = this.#wait(key, { begin, isPatient: false })
    return {
      enter: enterOr(Effect.andThen(this.#startSweep, impatient)),
      enterAgain: Effect.asVoid(enterOr(this.#wait(key, { begin, isPatient: true }))),
      hold,
      isAtWork: () => isAtWork
    }
  }
}

/** The limit on one key's requests in progress in one process. */
export interface KeyLimits {
  readonly maxRequests: number
}

export const KeyLimits: Context.Reference<KeyLimits> = Context.Reference(
  "@verbatim/http/KeyLimits",
  // By default, a key can have 1,024 requests in progress, more than even a busy host has. The
  // total size of the requests is limited separately.
  { defaultValue: (): KeyLimits => ({ maxRequests: 1_024 }) }
)

/**
 * Seconds before a refused request is retried: the server cannot know when a slot will be free,
 * because requests take anywhere from milliseconds to minutes.
 */
const retrySeconds = 1

type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>
type Request = HttpServerRequest.HttpServerRequest

/** Refuses a request, with the number of seconds to wait (at least one). */
export const refuseUntil = ({
  message,
  seconds,
  status = 429
}: {
  readonly message: string
  readonly seconds: number
  /** The status is 503 if this process is at capacity for all callers. */
  readonly status?: 429 | 503
}) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) =>
    HttpServerResponse.setHeader(
      makeErrorAnswer(url, { status, message }),
      "retry-after",
      String(Math.max(1, Math.ceil(seconds)))
    )
  )

/** Refuses a request temporarily. */
export const refuseForNow = refuseUntil({
  message: "Too many requests at the same time",
  seconds: retrySeconds
})

/** Handles a request in the named share, or refuses it. */
export type Share = <E, R>(name: string, handled: Handled<E, R>) => Handled<E, R | Request>

/**
 * Sends a long response as a stream, so that it counts as sent only when the client has received
 * it. The platform considers a response under 1 MiB sent as soon as it is handed over.
 */
export const toSentWhole = (response: Response, byteMin = smallMax): Response => {
  const { body } = response
  if (body._tag !== "Uint8Array" || body.contentLength <= byteMin) return response
  const { contentLength, contentType } = body
  return HttpServerResponse.setBody(
    response,
    HttpBody.stream(Stream.make(body.body), contentType, contentLength)
  )
}

/**
 * The bytes that a response occupies until it is sent; for a streamed response, the size of one
 * piece.
 */
const countHeldBytes = ({ body }: Response): number =>
  body._tag === "Uint8Array" && body.contentLength > smallMax ? body.contentLength : 0

/**
 * Handles a request within its reservation, and then changes the reservation to the size of the
 * response.
 */
const handleWith = <E, R>(reservation: Reservation, handled: Handled<E, R>): Handled<E, R> => {
  const idle: Idle = {
    begin: Effect.suspend(() => (reservation.isAtWork() ? reservation.hold(0) : Effect.void)),
    end: reservation.enterAgain
  }
  return Effect.matchCauseEffect(Effect.provideService(handled, Idle, idle), {
    onSuccess: (response) =>
      Effect.as(reservation.hold(countHeldBytes(response)), toSentWhole(response)),
    // The server may continue to read a refused body for a while.
    onFailure: (cause) => Effect.andThen(reservation.hold(0), Effect.failCause(cause))
  })
}

interface KeyRequests extends KeyQueue {
  count: number
}

/** Counts the requests of each key, and handles a request only if its key has a free slot. */
export const make: Effect.Effect<Share> = Effect.gen(function* () {
  const { maxRequests } = yield* KeyLimits
  const budget = new AnswerBudget(yield* AnswerLimits)
  const keys = new Map<string, KeyRequests>()

  /**
   * Creates a slot for a request. The slot is taken at most once, and released only if it was
   * taken.
   */
  const makeSlot = (name: string) => {
    let taken: { readonly requests: KeyRequests; readonly reservation: Reservation } | undefined
    const take = () => {
      const requests = keys.get(name) ?? { count: 0, ...makeKeyQueue(name) }
      if (requests.count >= maxRequests) return undefined
      requests.count += 1
      keys.set(name, requests)
      taken = { requests, reservation: budget.makeReservation(requests) }
      return taken
    }
    const release = Effect.suspend(() => {
      if (taken === undefined) return Effect.void
      const { reservation, requests } = taken
      taken = undefined
      requests.count -= 1
      if (requests.count === 0) keys.delete(name)
      return reservation.hold(0)
    })
    return { take, release }
  }

  return <E, R>(name: string, handled: Handled<E, R>) =>
    Effect.withFiber(({ context }): Handled<E, R | Request> => {
      const { release, take } = makeSlot(name)
      // A request that is interrupted before it takes a slot has no slot to release.
      const handling = Effect.suspend((): Handled<E, R | Request> => {
        const slot = take()
        if (slot === undefined) return refuseForNow
        const { reservation } = slot
        const answered = Effect.provideService(handleWith(reservation, handled), KeyPartition, name)
        return Effect.flatMap(
          reservation.enter,
          (isAtWork): Handled<E, R | Request> => (isAtWork ? answered : refuseForNow)
        )
      })
      // The scope of a request lasts until its response is sent.
      const scope = Context.getOrUndefined(context, Scope.Scope)
      return scope === undefined
        ? Effect.ensuring(handling, release)
        : Effect.andThen(Scope.addFinalizer(scope, release), handling)
    })
})
