/** Ids in few letters: they begin with their time, or with a word, and the end tells them apart. */

/** The end of an id. */
export const endOf = (id: string): string => id.slice(-12)
