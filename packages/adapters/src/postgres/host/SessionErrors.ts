/**
 * Catches errors of new `pg` sessions between the time they connect and the time they reach the
 * caller. During that time, neither the pool nor the caller listens for errors. Without a listener,
 * a server that ends a session in its greeting packet would end the process.
 */
import { EventEmitter } from "node:events"

/**
 * Number of waiting callers per pool. While no caller waits, no listener of this module is attached
 * to the host's pool.
 */
const waiting = new WeakMap<EventEmitter, number>()

const ended = new WeakSet<object>()

/** Whether a session was ended before the caller got it. */
export const isEnded = (session: object): boolean => ended.has(session)

/** Listens to a session until the caller listens, which takes only a few microtasks. */
const listen = (session: unknown): void => {
  if (!(session instanceof EventEmitter)) return
  const note = () => ended.add(session)
  session.on("error", note)
  setImmediate(() => session.off("error", note))
}

const change = (pool: EventEmitter, by: number): void => {
  const before = waiting.get(pool) ?? 0
  const after = before + by
  waiting.set(pool, after)
  if (before === 0) pool.on("connect", listen)
  else if (after === 0) pool.off("connect", listen)
}

/** Gets a session from a pool, and listens to new sessions during the wait. */
export const listenWhileConnecting = async <A>(
  pool: object,
  connect: () => PromiseLike<A>
): Promise<A> => {
  if (!(pool instanceof EventEmitter)) return connect()
  change(pool, 1)
  try {
    return await connect()
  } finally {
    change(pool, -1)
  }
}
