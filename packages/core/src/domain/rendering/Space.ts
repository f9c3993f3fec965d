/**
 * Where space begins and ends in a text, without a copy of the text: `trim` would make one for
 * every word.
 */

/** Where the space that begins at an offset ends: the offset itself where there is none. */
export const spaceEnd = (text: string, from: number): number => {
  let end = from
  while (isSpace(text.charCodeAt(end))) end += 1
  return end
}

/** Where the space begins that ends at an offset: the offset itself where there is none. */
export const spaceStart = (text: string, to: number): number => {
  let start = to
  while (isSpace(text.charCodeAt(start - 1))) start -= 1
  return start
}

/** What `trim` removes and what `\s` matches. Past either end of a text is NaN: no space. */
const isSpace = (code: number): boolean => {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  // The scripts that write no spaces begin here, and are asked about each word.
  if (code > 0x3000) return code === 0xfeff
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code))
}
