/**
 * Keeps what references meant for the next process. A store that fails costs that and nothing else,
 * and one that does not answer costs a limited time.
 */
import { elapsedMillis, type Moment, type PinClock } from "./Moment.ts"
import { ageOf, mayServe, type PinLimits } from "./Pin.ts"
import type { PinCache } from "./PinCache.ts"
import type { PinStore } from "./PinSource.ts"
import { readPins, writePins } from "./PinText.ts"

/** What keeps pins. */
export interface Keeping {
  /** Ends once the pins of an earlier process are in the cache. */
  readonly loaded: () => Promise<void>
  /**
   * Saves soon: at once when a version is new or its reference is not in the store, else when the
   * last time was long enough ago.
   */
  readonly keep: (reference: string, isNew: boolean) => void
  /** Ends once a reference that the cache has forgotten is forgotten in the store as well. */
  readonly forget: (reference: string) => Promise<void>
}

/** Ages alone are saved no more often: they are wrong by less after a restart. */
const saveEveryMillis = 10_000

/** Why a sleep ends; a platform would make a new error for each. */
const over = new Error("Nobody waits for the store any more")

/** Makes what keeps the pins of a cache. */
export const makeKeeping = (given: {
  readonly cache: PinCache
  readonly now: () => Moment
  readonly clock: Pick<PinClock, "sleep">
  /** How long anybody waits for the store, and which pins are too old to be kept there. */
  readonly limits: Pick<PinLimits, "maxAge" | "staleIfError" | "timeoutMillis">
  readonly store?: PinStore | undefined
  readonly onWarning?: ((message: string, cause: unknown) => void) | undefined
}): Keeping => {
  const { cache, clock, limits, now, onWarning = () => {}, store } = given
  if (store === undefined) {
    const done = Promise.resolve()
    return { loaded: () => done, keep: () => {}, forget: () => done }
  }
  /** References that the store has, also those that nobody is given. */
  const stored = new Set<string>()
  let mayHoldAny = false
  /** Whether somebody did not wait for the pins any more: what comes later is not believed. */
  let isLate = false
  let loading: Promise<void> | undefined
  let savedAt: Moment | undefined
  let saving: Promise<void> | undefined
  let next: Promise<void> | undefined

  const load = async (): Promise<void> => {
    try {
      const text = await store.load()
      if (text === undefined) return
      if (isLate) mayHoldAny = true
      for (const [reference, pin] of readPins(text, now())) {
        stored.add(reference)
        if (pin.olderByMillis >= 0 && !isLate) cache.restore(reference, pin)
      }
    } catch (cause) {
      mayHoldAny = true
      onWarning("The pins of an earlier process could not be read", cause)
    }
  }

  const write = async (): Promise<void> => {
    try {
      const moment = now()
      savedAt = moment
      // A pin too old to be given is only a prompt left lying about, maybe one erased since.
      const pins = [...cache.pins()].filter(([, pin]) => mayServe(ageOf(pin, moment), limits))
      for (const [reference] of pins) stored.add(reference)
      await store.save(writePins(pins, moment))
      mayHoldAny = false
      stored.clear()
      for (const [reference] of pins) stored.add(reference)
    } catch (cause) {
      onWarning("The pins could not be kept", cause)
    }
  }

  /** One at a time; whoever comes meanwhile shares the one after it. */
  const save = (): Promise<void> => {
    if (saving !== undefined) {
      next ??= saving.then(() => {
        next = undefined
        return save()
      })
      return next
    }
    saving = write().finally(() => {
      saving = undefined
    })
    return saving
  }

  /** Waits for the store, for as long as anybody does; whether it answered. */
  const wait = async (work: Promise<void>): Promise<boolean> => {
    const waiting = new AbortController()
    const late = clock.sleep(limits.timeoutMillis, waiting.signal).then(() => false)
    try {
      const isDone = await Promise.race([work.then(() => true), late])
      if (!isDone) onWarning("The store of pins does not answer", undefined)
      return isDone
    } finally {
      waiting.abort(over)
    }
  }

  const loadInTime = async (): Promise<void> => {
    if (await wait(load())) return
    isLate = true
    mayHoldAny = true
  }

  return {
    loaded: () => {
      loading ??= loadInTime()
      return loading
    },
    keep: (reference, isNew) => {
      const isMissing = mayServe(0, limits) && !stored.has(reference)
      const isDue = savedAt === undefined || elapsedMillis(savedAt, now()) >= saveEveryMillis
      if (isNew || isMissing || isDue) void save()
    },
    forget: async (reference) => {
      if (mayHoldAny || stored.has(reference)) await wait(save())
    }
  }
}
