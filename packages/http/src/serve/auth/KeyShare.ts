/**
 * Limits the share of the server that one key can use. Requests above the limit are refused before
 * any work begins. Every other request reserves memory for its response until it is sent. Waiting
 * requests are queued by key, and the queues take turns. Request bodies that are still arriving
 * count too.
 */
import { Idle } from "@verbatim/core/services"
import { Clock, Context, Duration, Effect, Scope, Stream } from "effect"
import { HttpBody, HttpServerRequest, HttpServerResponse } from "effect/http"
import { KeyPartition, smallMax } from "../body/BodyBudget.ts"
import { makeErrorAnswer } from "../edge/ErrorAnswer.ts"

export interface AnswerLimits {
  /** Bytes to reserve for a response until its length is known. */
  readonly reservedBytes: number
  readonly maxKeyBytes: number
  /**
   * Total bytes for all keys. Even when all of them are reserved, a key that has no reservation yet
   * can still make one.
   */
  readonly maxTotalBytes: number
  /**
   * The maximum wait, which is shorter than the timeouts of clients and proxies. A request waits at
   * least half of this time before it is refused.
   */
  readonly patience: Duration.Duration
}

const mebibyte = 1_048_576

/**
 * By default, 16 requests of a key run concurrently, because each reserves 1 MiB of the key's 16
 * MiB. More would not be faster, because all of them wait for one database.
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
 * In one turn of the event loop, this many of a key's requests can start without a wait. So many
 * requests take about 2 ms in total, and requests that start together share database queries.
 */
const startMax = 16

interface Waiter {
  readonly begin: () => void
  readonly refuse: () => void
  /** Whether the previous sweep for late requests already found this request waiting. */
  wasSeen: boolean
}

/** The waiting requests of a key, and the bytes that its other requests have reserved. */
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

/** Memory that one request reserves for its response. */
interface Reservation {
  /** Waits until the bytes are reserved. Returns false if the wait took too long. */
  readonly enter: Effect.Effect<boolean>
  /**
   * Reserves the bytes again, with no time limit on the wait. Does nothing if they are already
   * reserved.
   */
  readonly enterAgain: Effect.Effect<void>
  /**
   * Changes the reservation to this many bytes. The caller passes 0 when the request is idle or its
   * response has been sent.
   */
  readonly hold: (byteLength: number) => Effect.Effect<void>
  readonly isAtWork: () => boolean
}

const begun = Effect.succeed(true)
const refused = Effect.succeed(false)

/** The memory that all responses share. */
export class AnswerBudget {
  readonly #limits: AnswerLimits
  #allBytes = 0
  #isPumping = false
  #isSweeping = false
  /** Keys with waiting requests, in the order in which they will be served. */
  readonly #queues = new Set<KeyQueue>()
  /** Number of requests that each key has started in this turn of the event loop. */
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

  /**
   * Starts the next waiting request that fits into the budget. Returns false if no request fits.
   */
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

  /**
   * Waits in the key's queue. Returns false if the request is not patient and has waited too long.
   */
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

  /** Creates the reservation of one request, which holds no bytes at first. */
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

/** The limit on the requests that one key can have in progress in one process. */
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
 * Clients should retry after one second. The server cannot predict when a slot will be free,
 * because requests take anywhere from milliseconds to minutes.
 */
const retrySeconds = 1

type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>
type Request = HttpServerRequest.HttpServerRequest

/** Refuses a request and says how many seconds to wait, at least one. */
export const refuseUntil = ({
  message,
  seconds,
  status = 429
}: {
  readonly message: string
  readonly seconds: number
  /** Set to 503 if the process has no capacity left for any caller. */
  readonly status?: 429 | 503
}) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ url }) =>
    HttpServerResponse.setHeader(
      makeErrorAnswer(url, { status, message }),
      "retry-after",
      String(Math.max(1, Math.ceil(seconds)))
    )
  )

/** Refuses a request because too many others are running. */
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
 * Counts the bytes that a response keeps in memory until it is sent. Small and streamed responses
 * count as 0.
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
    // The server may still read the rest of a refused body for a while.
    onFailure: (cause) => Effect.andThen(reservation.hold(0), Effect.failCause(cause))
  })
}

interface KeyRequests extends KeyQueue {
  count: number
}

/**
 * Creates a function that counts each key's requests, and handles a request only if its key has a
 * free slot.
 */
export const make: Effect.Effect<Share> = Effect.gen(function* () {
  const { maxRequests } = yield* KeyLimits
  const budget = new AnswerBudget(yield* AnswerLimits)
  const keys = new Map<string, KeyRequests>()

  /**
   * Creates a slot for a request. A slot is taken at most once, and only a taken slot is released.
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
      // A request may be interrupted before it takes a slot, and then has no slot to release.
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
