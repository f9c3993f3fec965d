/**
 * Room for the work of keys and for the answers that it makes. A request takes a place's worth of
 * bytes before it begins, and keeps what its answer has until that is sent. Who finds no room waits
 * in the queue of its own key; the queues take turns.
 */
import { Context, Effect } from "effect"

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

/** What a key holds, and who waits for room in it. */
export interface KeyQueue {
  heldBytes: number
  readonly waiting: Set<() => void>
}

export const makeKeyQueue = (): KeyQueue => ({ heldBytes: 0, waiting: new Set() })

/** What one request holds of the room of its key. */
export interface Place {
  /** Begins work at once where there is room; false where the request has to wait. */
  readonly tryEnter: () => boolean
  /** Waits for a place; does nothing where the request has one. */
  readonly enter: Effect.Effect<void>
  /** Holds exactly so many bytes from now on: none when its work is done or its answer is sent. */
  readonly hold: (byteLength: number) => Effect.Effect<void>
  readonly isAtWork: () => boolean
}

export interface AnswerRoom {
  readonly makePlace: (key: KeyQueue) => Place
  /** The bytes that all keys hold. */
  readonly heldBytes: () => number
}

/** Empty room. */
export const makeAnswerRoom = (limits: AnswerLimits): AnswerRoom => {
  const { allBytesMax, keyBytesMax, placeBytes } = limits
  let allBytes = 0
  let isPumping = false
  /** Keys with requests that wait. The one whose turn is next comes first. */
  const queues = new Set<KeyQueue>()

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

  /** One request in each turn of the event loop: what arrives from other keys comes between. */
  const pump = Effect.gen(function* () {
    while (beginNext()) yield* Effect.yieldNow
    isPumping = false
  })

  const startPump = Effect.suspend(() => {
    if (isPumping || queues.size === 0) return Effect.void
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
    const wait = Effect.callback<void>((resume) => {
      const next = () => {
        begin()
        resume(Effect.void)
      }
      key.waiting.add(next)
      queues.add(key)
      return Effect.sync(() => {
        key.waiting.delete(next)
        if (key.waiting.size === 0) queues.delete(key)
      })
    })
    const tryEnter = () => {
      if (isAtWork) return true
      if (key.waiting.size > 0 || !hasRoom(key)) return false
      begin()
      return true
    }
    const enter = Effect.suspend(() => (tryEnter() ? Effect.void : wait))
    const hold = (byteLength: number) =>
      Effect.suspend(() => {
        isAtWork = false
        resize(byteLength)
        return startPump
      })
    return { tryEnter, enter, hold, isAtWork: () => isAtWork }
  }

  return { makePlace, heldBytes: () => allBytes }
}
