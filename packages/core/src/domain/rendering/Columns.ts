/**
 * How wide a text is on a screen, measured in Latin letters. A Chinese, Japanese or Korean
 * character counts as two, so that one limit fits every language, and lines that mix them.
 */

/** The width of a text in columns. */
export const columns = (text: string): number => {
  if (!special.test(text)) return text.length
  let count = 0
  for (const character of text) count += width(character)
  return count
}

/** Where a text has none of these, each of its characters takes one column. */
const special = /[\p{Mn}\p{Me}\p{Cf}\u1100-\u115f\u2e80-\uffff\u{10000}-\u{10ffff}]/u

const width = (character: string): number => {
  const code = character.codePointAt(0) ?? 0
  if (isWide(code)) return 2
  return unseen.test(character) ? 0 : 1
}

const isWide = (code: number): boolean => {
  if (code < 0x1100) return false
  for (const [from, to] of wide) if (code >= from && code <= to) return true
  return false
}

/** What East Asian fonts draw square, and the pictures; the commonest first, the rest by code. */
const wide: ReadonlyArray<readonly [from: number, to: number]> = [
  [0x3400, 0xa4cf],
  [0x3041, 0x3096],
  [0xac00, 0xd7a3],
  [0x1100, 0x115f],
  [0x2e80, 0x3029],
  [0x302e, 0x303e],
  [0x309b, 0x33ff],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd]
]

/** Marks over and under a letter, and what joins letters. */
const unseen = /^[\p{Mn}\p{Me}\p{Cf}]/u
