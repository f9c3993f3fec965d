/** What is asked for again before it is done is not done twice, however slow the line is. */

const inHand = new Set<string>()

/** Does it, unless something of that name is being done. */
export const once = async (name: string, task: () => Promise<void>): Promise<void> => {
  if (inHand.has(name)) return
  inHand.add(name)
  try {
    await task()
  } finally {
    inHand.delete(name)
  }
}
