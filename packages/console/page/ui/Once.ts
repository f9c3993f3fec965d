/** Keeps a second click from doing again what the first one is still doing, on a slow line too. */

const inHand = new Set<string>()

/** Runs a task, unless one of that name is running: then it returns nothing. */
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
