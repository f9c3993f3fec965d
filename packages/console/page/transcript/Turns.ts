/**
 * Lets the writes of one page take turns, however slow the line is. Each one names the version that
 * the write before it made, never one that somebody else has made.
 */

/** Makes the turns of a transcript, in which nothing was written yet. */
export const makeTurns = () => {
  let last: Promise<unknown> = Promise.resolve()
  /** The version that one of our own writes made, by the version that it was made on. */
  const made = new Map<number, number>()
  /** The newest version that our own writes have made of one that was seen. */
  const newest = (seen: number): number => {
    const next = made.get(seen)
    return next === undefined ? seen : newest(next)
  }
  return {
    /** Runs a task when those before it have ended. */
    take: <Done>(task: () => Promise<Done>): Promise<Done> => {
      const turn = last.then(task)
      last = turn.catch(() => undefined)
      return turn
    },
    /** Notes which version one of our writes has made. */
    note: (before: number, version: number): void => {
      // A write that changed nothing is answered with the version that was there.
      if (version > before) made.set(before, version)
    },
    newest
  }
}
