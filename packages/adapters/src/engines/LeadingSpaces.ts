/**
 * Determines where spaces belong between an engine's segments. Models like Whisper put a space
 * before each word, so a segment that begins without a space continues the previous word. Pure.
 */

/**
 * Returns, for each text, whether a space precedes the text, or undefined if this is unknown. If no
 * text has a space at either end, the engine trimmed the texts, or the language does not use
 * spaces.
 */
export const leadingSpaces = (texts: ReadonlyArray<string>): ReadonlyArray<boolean | undefined> => {
  // A line break between segments says nothing about spaces.
  const isKnown = texts.some((text) => /^[^\S\r\n]+\S|\S[^\S\r\n]+$/u.test(text))
  if (!isKnown) return texts.map(() => undefined)
  // Whether a space precedes the first segment is unknown, because there is no earlier text.
  let isSpaced: boolean | undefined
  return texts.map((text) => {
    const found = /^\s/u.test(text) ? true : isSpaced
    // An empty segment has no effect on the next segment.
    isSpaced = /\s$/u.test(text) || (text === "" ? found : false)
    return found
  })
}

/**
 * Returns, for each trimmed text, whether it follows a space in the whole text, or undefined if
 * this is unknown.
 */
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
    // Some servers put each segment on its own line, which says nothing about spaces.
    const isKnown = at > 0 && !/[\n\r]/.test(space)
    at += space.length
    // The whole text does not contain these segments, so it does not show the spaces between them.
    if (!whole.startsWith(spelling, at)) return texts.map(() => undefined)
    at += spelling.length
    found.push(isKnown ? space !== "" : undefined)
  }
  return found
}
