/**
 * Waiting for what others wait for too.
 */

/** The promise, unless the signal is aborted first: then only this caller's waiting ends. */
export const unlessAborted = <A>(
  promise: Promise<A>,
  signal: AbortSignal | null | undefined
): Promise<A> => {
  if (signal === null || signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener("abort", stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop))
  })
}
