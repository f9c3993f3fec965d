/**
 * The sessions that a pool of `pg` makes, between their greeting and whoever asked for one: the
 * pool hears their faults no longer, and he does not yet. A server that ends a session in the same
 * packet would end the process.
 */
import { EventEmitter } from "node:events"

/** Askers of each pool that wait. A host's pool keeps no listener of ours while nobody asks. */
const waiting = new WeakMap<EventEmitter, number>()

const ended = new WeakSet<object>()

/** Whether a session was ended before it was handed over. */
export const isEnded = (session: object): boolean => ended.has(session)

/** Whoever asked hears its faults himself after the microtasks that lead to him. */
const hear = (session: unknown): void => {
  if (!(session instanceof EventEmitter)) return
  const note = () => ended.add(session)
  session.on("error", note)
  setImmediate(() => session.off("error", note))
}

const change = (pool: EventEmitter, by: number): void => {
  const before = waiting.get(pool) ?? 0
  const after = before + by
  waiting.set(pool, after)
  if (before === 0) pool.on("connect", hear)
  else if (after === 0) pool.off("connect", hear)
}

/** Asks a pool for a session, while the new ones are heard. */
export const hearing = async <A>(pool: object, ask: () => PromiseLike<A>): Promise<A> => {
  if (!(pool instanceof EventEmitter)) return ask()
  change(pool, 1)
  try {
    return await ask()
  } finally {
    change(pool, -1)
  }
}
