/** An error with what caused it, and what caused that. */

/** Links that are read. Ours have four: a store, its database, what that says, its driver. */
const linkMax = 8

/** An error and what caused it, outermost first. */
export const chainOf = (error: unknown): ReadonlyArray<object> => {
  const chain: Array<object> = []
  let link: unknown = error
  while (typeof link === "object" && link !== null && chain.length < linkMax) {
    chain.push(link)
    link = Reflect.get(link, "cause")
  }
  return chain
}
