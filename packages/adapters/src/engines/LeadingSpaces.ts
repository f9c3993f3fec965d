/**
 * What the texts of an engine's segments tell about spaces between them: models of Whisper's kind
 * begin each word with its space, so that a segment without one goes on with the word before. Pure.
 */

/**
 * For each text, whether a space stands before it; nothing where that cannot be told. Where no text
 * has a space at either end, the engine has trimmed them, or the language writes none.
 */
export const leadingSpaces = (texts: ReadonlyArray<string>): ReadonlyArray<boolean | undefined> => {
  // A line of its own for each segment says nothing.
  const isTold = texts.some((text) => /^[^\S\r\n]+\S|\S[^\S\r\n]+$/u.test(text))
  if (!isTold) return texts.map(() => undefined)
  // What was said before the first one is not known here.
  let isSpaced: boolean | undefined
  return texts.map((text) => {
    const found = /^\s/u.test(text) ? true : isSpaced
    // One without a word leaves what is known to the next one.
    isSpaced = /\s$/u.test(text) || (text === "" ? found : false)
    return found
  })
}

/** The same where texts are trimmed, but the whole text is known: it shows how they are joined. */
export const spacesWithin = (
  whole: string,
  texts: ReadonlyArray<string>
): ReadonlyArray<boolean | undefined> => {
  const found: Array<boolean | undefined> = []
  let at = 0
  for (const text of texts) {
    const spelling = text.trim()
    if (spelling === "") {
      found.push(undefined)
      continue
    }
    const gap = /\s*/uy
    gap.lastIndex = at
    const [space = ""] = gap.exec(whole) ?? []
    // Some servers put each segment on a line of its own, which says nothing.
    const isTold = at > 0 && !/[\n\r]/.test(space)
    at += space.length
    // Another text, and it may be about anything.
    if (!whole.startsWith(spelling, at)) return texts.map(() => undefined)
    at += spelling.length
    found.push(isTold ? space !== "" : undefined)
  }
  return found
}
