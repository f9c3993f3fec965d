/**
 * Writes of one person take turns, however slow the line is: each goes over what the one before it
 * made of the version that was seen, and over nobody else's.
 */

/** Nothing was written yet. */
export const makeTurns = () => {
  let last: Promise<unknown> = Promise.resolve()
  /** What our own writes made of a version. */
  const made = new Map<number, number>()
  return {
    /** Does it when those before it are done. */
    take: <Done>(task: () => Promise<Done>): Promise<Done> => {
      const turn = last.then(task)
      last = turn.catch(() => undefined)
      return turn
    },
    /** One that changes nothing makes no version: it is answered with the one before. */
    note: (before: number, version: number): void => {
      if (version !== before) made.set(before, version)
    },
    /** What has become of a version, as far as nobody else wrote. */
    newest: (seen: number): number => {
      let version = seen
      for (let next = made.get(version); next !== undefined; next = made.get(version)) {
        version = next
      }
      return version
    }
  }
}
