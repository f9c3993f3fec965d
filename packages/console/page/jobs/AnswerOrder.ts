/**
 * Which answer counts. Questions are numbered as they are asked: what an answer says of a thing
 * counts unless a later question was answered before, or the thing went meanwhile.
 */

/** Nobody has asked yet. */
export const makeAnswerOrder = () => {
  /** The question whose answer told of a thing last, for as long as an earlier one is open. */
  const toldBy = new Map<string, number>()
  const open = new Set<number>()
  let count = 0

  /** What there is to say of a thing now, nobody has to be asked for. */
  const next = (): number => {
    count += 1
    return count
  }

  return {
    next,
    /** Notes a question; it is open until it is said to be closed. */
    ask: (): number => {
      open.add(next())
      return count
    },
    /** It was answered, or never will be. */
    close: (question: number): void => {
      open.delete(question)
      if (open.size === 0) toldBy.clear()
    },
    /** Those of which the answer to a question is the last word for now. */
    takeNews: (ids: Iterable<string>, question: number): ReadonlySet<string> => {
      const news = new Set([...ids].filter((id) => (toldBy.get(id) ?? 0) <= question))
      for (const id of news) toldBy.set(id, question)
      return news
    }
  }
}
