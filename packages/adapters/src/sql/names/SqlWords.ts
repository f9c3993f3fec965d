/**
 * The words of a statement: what may be a name, apart from texts, comments and numbers.
 */

/** A word, or a character that is none. */
export interface Word {
  readonly kind: "Name" | "Quoted" | "Sign"
  /** A name without its quotes, and in lower case where it had none. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const parts = [
  // Nothing is a name in white space, comments and texts.
  String.raw`(?<skipped>\s+|--[^\n]*|/\*[\s\S]*?\*/`,
  String.raw`|[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'`,
  String.raw`|\$(?<tag>(?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\k<tag>\$)`,
  '|"(?<quoted>(?:[^"]|"")*)"',
  String.raw`|(?<name>[A-Za-z_][\w$]*)`,
  // Numbers and parameters are signs.
  String.raw`|\d[\w.]*|\$\d+|[\s\S]`
]

const pattern = new RegExp(parts.join(""), "gu")

/** The words of a text, in order. */
export const wordsOf = (text: string): ReadonlyArray<Word> => {
  const words: Array<Word> = []
  for (const match of text.matchAll(pattern)) {
    const { name, quoted, skipped } = match.groups ?? {}
    if (skipped !== undefined) continue
    const [whole] = match
    const place = { start: match.index, end: match.index + whole.length }
    if (quoted !== undefined) words.push({ kind: "Quoted", text: quoted, ...place })
    else if (name !== undefined) words.push({ kind: "Name", text: name.toLowerCase(), ...place })
    else words.push({ kind: "Sign", text: whole, ...place })
  }
  return words
}
