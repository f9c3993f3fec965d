/** Measures how much of a text was recognised. */

const words = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().match(/[a-z]+(?:'[a-z]+)?/g) ?? []

/**
 * Returns the length of the longest common subsequence of words, as a share of the spoken words,
 * from 0 to 1.
 */
export const recall = (spoken: string, recognised: string): number => {
  const said = words(spoken)
  const heard = words(recognised)
  let row = new Array<number>(heard.length + 1).fill(0)
  for (const word of said) {
    const next = [0]
    heard.forEach((other, index) => {
      const shared = Math.max(row[index + 1] ?? 0, next[index] ?? 0)
      next.push(word === other ? (row[index] ?? 0) + 1 : shared)
    })
    row = next
  }
  return (row.at(-1) ?? 0) / Math.max(1, said.length)
}
