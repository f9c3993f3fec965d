/** What is asked for again before it is done is not done twice, however slow the line is. */

const inHand = new Set<string>()

/** Does it, unless something of that name is being done: then it gives nothing. */
export const once = async <Done>(
  name: string,
  task: () => Promise<Done>
): Promise<Done | undefined> => {
  if (inHand.has(name)) return undefined
  inHand.add(name)
  try {
    return await task()
  } finally {
    inHand.delete(name)
  }
}
