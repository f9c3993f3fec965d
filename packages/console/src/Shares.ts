/**
 * Who holds how much of what everybody shares: names, each with its holder, in the order in which
 * they were last used. How much is too much, and whose must go, others decide.
 */

/** Names in the shares of their holders. */
export interface Shares {
  /** How many a holder has besides this name, which need not be one of its own. */
  readonly countOthers: (holder: string, name: string) => number
  /** Adds a name, or notes that it was used: it is the newest now. */
  readonly touch: (holder: string, name: string) => void
  readonly remove: (holder: string, name: string) => void
  /** The name that its holder has not used for longest. */
  readonly oldest: (holder: string) => string | undefined
}

/** No shares yet. A holder of nothing is not remembered. */
export const make = (): Shares => {
  const held = new Map<string, Set<string>>()
  const remove = (holder: string, name: string): void => {
    const names = held.get(holder)
    names?.delete(name)
    if (names?.size === 0) held.delete(holder)
  }
  return {
    countOthers: (holder, name) => {
      const names = held.get(holder)
      return (names?.size ?? 0) - (names?.has(name) ? 1 : 0)
    },
    touch: (holder, name) => {
      const names = held.get(holder) ?? new Set()
      names.delete(name)
      held.set(holder, names.add(name))
    },
    remove,
    oldest: (holder) => {
      const [first] = held.get(holder) ?? []
      return first
    }
  }
}
