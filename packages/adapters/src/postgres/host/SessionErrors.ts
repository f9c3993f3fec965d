/**
 * Catches errors of new `pg` sessions between connecting and reaching the caller: the pool no
 * longer listens then, and the caller does not yet. A server that ends a session in the packet that
 * greets it would otherwise end the process.
 */
import { EventEmitter } from "node:events"

/** Waiting callers per pool. While there are none, a host's pool has no listener of ours. */
const waiting = new WeakMap<EventEmitter, number>()

const ended = new WeakSet<object>()

/** Whether a session was ended before the caller got it. */
export const isEnded = (session: object): boolean => ended.has(session)

/** Listens to a session until the caller does, which takes only microtasks. */
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

/** Gets a session from a pool while listening to new ones. */
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
