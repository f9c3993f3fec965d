/**
 * Room for the work of keys and for the answers that it makes. A request takes a place's worth of
 * bytes before it begins, and keeps what its answer has until that is sent. Who finds no room waits
 * in the queue of its own key; the queues take turns.
 */
import { Clock, Context, Duration, Effect } from "effect"

export interface AnswerLimits {
  /** Taken before an answer is made, when its length is not known yet. */
  readonly placeBytes: number
  readonly keyBytesMax: number
  /** Of all keys. When it is full, a key that holds nothing still has one place. */
  readonly allBytesMax: number
  /** Less than clients and proxies wait. A request is refused after half of it at the earliest. */
  readonly patience: Duration.Duration
}

const mebibyte = 1_048_576

/** Sixteen requests of a key at work: more do not become faster by waiting for one database. */
export const AnswerLimits: Context.Reference<AnswerLimits> = Context.Reference(
  "@verbatim/http/AnswerLimits",
  {
    defaultValue: (): AnswerLimits => ({
      placeBytes: mebibyte,
      keyBytesMax: 16 * mebibyte,
      allBytesMax: 128 * mebibyte,
      patience: Duration.seconds(20)
    })
  }
)

/**
 * How long requests that waited may begin in one turn of the event loop. Each step of a request of
 * another key waits for a turn, and some need ten of them.
 */
const sliceNanos = 2_000_000n

/**
 * Requests of a key that begin at once in one turn of the event loop: they take about a slice, and
 * those that begin together ask the database together.
 */
const togetherMax = 16

/** A request that waits for a place. */
interface Waiter {
  readonly begin: () => void
  readonly refuse: () => void
  /** Whether it waited already when waiters were looked through the last time. */
  isOld: boolean
}

/** What a key holds, and who waits for room in it. */
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

/** What one request holds of the room of its key. */
export interface Place {
  /** Waits for a place and a turn; false where that took too long. */
  readonly enter: Effect.Effect<boolean>
  /** Waits as long as it takes; does nothing where the request has a place. */
  readonly enterAgain: Effect.Effect<void>
  /** Holds exactly so many bytes from now on: none when its work is done or its answer is sent. */
  readonly hold: (byteLength: number) => Effect.Effect<void>
  readonly isAtWork: () => boolean
}

export interface AnswerRoom {
  readonly makePlace: (key: KeyQueue) => Place
  /** The bytes that all keys hold. */
  readonly heldBytes: () => number
}

const begun = Effect.succeed(true)
const refused = Effect.succeed(false)

/** Empty room. */
export const makeAnswerRoom = (limits: AnswerLimits): AnswerRoom => {
  const { allBytesMax, keyBytesMax, patience, placeBytes } = limits
  let allBytes = 0
  let isPumping = false
  /** Keys with requests that wait. The one whose turn is next comes first. */
  const queues = new Set<KeyQueue>()
  /** How many requests of a key began in this turn of the event loop. */
  const inTurn = new Map<string, number>()
  let isSweeping = false

  const hasRoom = ({ heldBytes }: KeyQueue): boolean =>
    heldBytes === 0 ||
    (heldBytes + placeBytes <= keyBytesMax && allBytes + placeBytes <= allBytesMax)

  /** Lets the next request begin; false where none waits that has room. */
  const beginNext = (): boolean => {
    for (const key of queues) {
      const [next] = key.waiting
      if (next === undefined || !hasRoom(key)) continue
      queues.delete(key)
      key.waiting.delete(next)
      if (key.waiting.size > 0) queues.add(key)
      next.begin()
      return true
    }
    return false
  }

  /**
   * Lets requests begin, in each turn of the event loop for a while: a request that asks the
   * database of a file ends where it began, and a thousand of them would be one turn.
   */
  const pump = Effect.gen(function* () {
    let isIdle = false
    while (!isIdle) {
      yield* Effect.yieldNow
      isIdle = inTurn.size === 0
      inTurn.clear()
      const end = (yield* Clock.monotonicTimeNanos) + sliceNanos
      while (beginNext()) {
        isIdle = false
        if ((yield* Clock.monotonicTimeNanos) > end) break
      }
    }
    isPumping = false
  })

  const startPump = Effect.suspend(() => {
    if (isPumping) return Effect.void
    isPumping = true
    return Effect.asVoid(Effect.forkDetach(pump))
  })

  /** One timer for all that wait: one for each would cost more than most of them. */
  const sweep = Effect.gen(function* () {
    while (queues.size > 0) {
      yield* Effect.sleep(Duration.divideUnsafe(patience, 2))
      for (const { waiting } of queues) {
        for (const waiter of waiting) {
          if (waiter.isOld) waiter.refuse()
          waiter.isOld = true
        }
      }
    }
    isSweeping = false
  })

  const startSweep = Effect.suspend(() => {
    if (isSweeping) return Effect.void
    isSweeping = true
    return Effect.asVoid(Effect.forkDetach(sweep))
  })

  const makePlace = (key: KeyQueue): Place => {
    let bytes = 0
    let isAtWork = false
    const resize = (byteLength: number) => {
      key.heldBytes += byteLength - bytes
      allBytes += byteLength - bytes
      bytes = byteLength
    }
    const begin = () => {
      isAtWork = true
      resize(placeBytes)
    }
    const wait = (isPatient: boolean) =>
      Effect.callback<boolean>((resume) => {
        const leave = () => {
          key.waiting.delete(waiter)
          if (key.waiting.size === 0) queues.delete(key)
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
          isOld: false
        }
        key.waiting.add(waiter)
        queues.add(key)
        return Effect.sync(leave)
      })
    const enterOr = (waiting: Effect.Effect<boolean>) =>
      Effect.suspend(() => {
        if (isAtWork) return begun
        const count = inTurn.get(key.name) ?? 0
        if (key.waiting.size > 0 || count >= togetherMax || !hasRoom(key)) return waiting
        begin()
        inTurn.set(key.name, count + 1)
        return Effect.as(startPump, true)
      })
    const hold = (byteLength: number) =>
      Effect.suspend(() => {
        isAtWork = false
        resize(byteLength)
        return queues.size === 0 ? Effect.void : startPump
      })
    return {
      enter: enterOr(Effect.andThen(startSweep, wait(false))),
      enterAgain: Effect.asVoid(enterOr(wait(true))),
      hold,
      isAtWork: () => isAtWork
    }
  }

  return { makePlace, heldBytes: () => allBytes }
}
