/** Creates one lock per key. An unused lock takes no memory. */
import { Effect, Semaphore } from "effect"

/** A key's lock while at least one caller holds it or waits for it. */
interface KeyedLock {
  readonly semaphore: Semaphore.Semaphore
  /** The number of callers, including the current one. */
  callers: number
}

/** Calls a function with the lock of a key. */
type WithKeyedLock<Key> = <A, E, R>(
  key: Key,
  use: (lock: Readonly<KeyedLock>) => Effect.Effect<A, E, R>
) => Effect.Effect<A, E, R>

/** Creates the locks for keys of one kind. */
export const makeKeyedLocks = <Key>(): WithKeyedLock<Key> => {
  const locks = new Map<Key, KeyedLock>()
  return (key, use) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const lock = locks.get(key) ?? { semaphore: Semaphore.makeUnsafe(1), callers: 0 }
        locks.set(key, lock)
        lock.callers += 1
        return lock
      }),
      use,
      (lock) =>
        Effect.sync(() => {
          lock.callers -= 1
          if (lock.callers === 0) locks.delete(key)
        })
    )
}
