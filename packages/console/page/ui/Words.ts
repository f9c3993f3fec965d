/** Names of the domain as people read them. */

/** A name in words: `AwaitingMedia` is "Awaiting media". */
export const toWords = (name: string): string => {
  const words = name
    .replaceAll("_", " ")
    .replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
