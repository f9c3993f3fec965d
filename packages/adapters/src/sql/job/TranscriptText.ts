/**
 * Where the segments are in the stored text of a transcript, which is read a stretch at a time.
 */

/** What stands before the first segment. No text contains it: its quotes would be escaped there. */
const segmentsMark = '"segments":['

/** Where the segments begin; none while the text is too short. */
export const segmentsStart = (text: string): number | undefined => {
  const found = text.indexOf(segmentsMark)
  return found === -1 ? undefined : found + segmentsMark.length
}

/** How far a text was scanned; at first, `at` is the beginning of a segment. */
export interface Scan {
  /** The text before it need not be scanned again. */
  readonly at: number
  /** Objects and lists that are open there. */
  readonly depth: number
  /** The offset after the last whole segment; undefined when there is none. */
  readonly end: number | undefined
  /** Whether the list of segments ends after it. */
  readonly isLast: boolean
}

const [quote, backslash] = ['"', "\\"].map((mark) => mark.charCodeAt(0))
const [openBrace, closeBrace, openBracket, closeBracket] = Array.from("{}[]", (mark) =>
  mark.charCodeAt(0)
)

/** The offset after the string whose opening quote is at an offset; -1 when the text ends in it. */
const stringEnd = (text: string, from: number): number => {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end + 1
  }
  return -1
}

/** Looks for whole segments in a text that has grown since the last scan. */
export const scan = (text: string, last: Scan): Scan => {
  let { at, depth, end } = last
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const next = stringEnd(text, at)
      if (next === -1) break
      at = next
      continue
    }
    at += 1
    if (code === openBrace || code === openBracket) depth += 1
    else if (code === closeBrace || code === closeBracket) {
      if (depth === 0) return { at, depth, end, isLast: true }
      depth -= 1
      if (depth === 0) end = at
    }
  }
  return { at, depth, end, isLast: false }
}

/** Characters of a text, as a database counts them: each has one UTF-16 unit or two. */
export const characterCount = (text: string): number => {
  let count = text.length
  for (let at = 0; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800) count -= 1
  }
  return count
}
