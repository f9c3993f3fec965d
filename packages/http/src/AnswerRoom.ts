/**
 * Room for the work of keys and for the answers that it makes. A request takes a place's worth of
 * bytes before it begins, and keeps what its answer has until that is sent. Who finds no room waits
 * in the queue of its own key; the queues take turns.
 */
import { Clock, Context, type Duration, Effect } from "effect"

export interface AnswerLimits {
  /** Taken before an answer is made, when its length is not known yet. */
  readonly placeBytes: number
  readonly keyBytesMax: number
  /** Of all keys. When it is full, a key that holds nothing still has one place. */
  readonly allBytesMax: number
}

const mebibyte = 1_048_576

/** Sixteen requests of a key at work: more do not become faster by waiting for one database. */
export const AnswerLimits: Context.Reference<AnswerLimits> = Context.Reference(
  "@verbatim/http/AnswerLimits",
  {
    defaultValue: (): AnswerLimits => ({
      placeBytes: mebibyte,
      keyBytesMax: 16 * mebibyte,
      allBytesMax: 128 * mebibyte
    })
  }
)

/**
 * How long requests that waited may begin in one turn of the event loop. Each step of a request of
 * another key waits for a turn, and some need ten of them.
 */
const sliceNanos = 2_000_000n

/** What a key holds, and who waits for room in it. */
export interface KeyQueue {
  readonly name: string
  heldBytes: number
  readonly waiting: Set<() => void>
}

export const makeKeyQueue = (name: string): KeyQueue => ({
  name,
  heldBytes: 0,
  waiting: new Set()
})

/** What one request holds of the room of its key. */
export interface Place {
  /**
   * Waits for a place and a turn; does nothing where the request has a place. False where the wait
   * took too long.
   */
  readonly enter: (patience?: Duration.Duration) => Effect.Effect<boolean>
  /** Holds exactly so many bytes from now on: none when its work is done or its answer is sent. */
  readonly hold: (byteLength: number) => Effect.Effect<void>
  readonly isAtWork: () => boolean
}

export interface AnswerRoom {
  readonly makePlace: (key: KeyQueue) => Place
  /** The bytes that all keys hold. */
  readonly heldBytes: () => number
}

const succeedTrue = Effect.succeed(true)

const waitAtMost = (wait: Effect.Effect<boolean>, duration: Duration.Duration) =>
  Effect.timeoutOrElse(wait, { duration, orElse: () => Effect.succeed(false) })

/** Empty room. */
export const makeAnswerRoom = (limits: AnswerLimits): AnswerRoom => {
  const { allBytesMax, keyBytesMax, placeBytes } = limits
  let allBytes = 0
  let isPumping = false
  /** Keys with requests that wait. The one whose turn is next comes first. */
  const queues = new Set<KeyQueue>()
  /** Keys of which a request began in this turn of the event loop. */
  const begun = new Set<string>()

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
      next()
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
      isIdle = begun.size === 0
      begun.clear()
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
    const wait = Effect.callback<boolean>((resume) => {
      const next = () => {
        begin()
        resume(succeedTrue)
      }
      key.waiting.add(next)
      queues.add(key)
      return Effect.sync(() => {
        key.waiting.delete(next)
        if (key.waiting.size === 0) queues.delete(key)
      })
    })
    const enter = (patience?: Duration.Duration) =>
      Effect.suspend(() => {
        if (isAtWork) return succeedTrue
        if (key.waiting.size > 0 || begun.has(key.name) || !hasRoom(key)) {
          return patience === undefined ? wait : waitAtMost(wait, patience)
        }
        begin()
        begun.add(key.name)
        return Effect.as(startPump, true)
      })
    const hold = (byteLength: number) =>
      Effect.suspend(() => {
        isAtWork = false
        resize(byteLength)
        return queues.size === 0 ? Effect.void : startPump
      })
    return { enter, hold, isAtWork: () => isAtWork }
  }

  return { makePlace, heldBytes: () => allBytes }
}
