/**
 * Code without its words: comments and the contents of literals become spaces, so that a rule sees
 * only what runs. Every character keeps its place, and so does every line.
 *
 * A hole of a template becomes a pair of parentheses, which keeps the brackets in balance.
 */

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const quoted = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y
const pattern = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y
const chunk = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{|$)/y
const word = /[\w$]+/y

/** After these words a slash begins a pattern; after any other word it divides. */
const beforePattern = new Set(
  "case delete do else in instanceof new of return throw typeof void yield".split(" ")
)

interface Reading {
  readonly text: string
  /** Open braces inside each open hole of a template, the innermost hole last. */
  readonly holes: Array<number>
  /** What has been written so far. */
  code: string
  /** The last word, literal or mark that was no space. */
  last: string
}

const spaces = (text: string): string => text.replace(/[^\n]/g, " ")

const match = (expression: RegExp, reading: Reading, ahead = 0): string | undefined => {
  expression.lastIndex = reading.code.length + ahead
  return expression.exec(reading.text)?.[0]
}

const mayBeginPattern = (last: string): boolean =>
  /^[\w$]/.test(last) ? beforePattern.has(last) : !/[)\]}"'`]$/.test(last)

const literal = (reading: Reading): string | undefined => {
  const found =
    match(quoted, reading) ?? (mayBeginPattern(reading.last) ? match(pattern, reading) : undefined)
  if (found === undefined) return undefined
  const quote = found.startsWith("'") ? "'" : '"'
  return quote + spaces(found.slice(1, -1)) + quote
}

/** The part of a template from a backtick or the end of a hole to the next hole or backtick. */
const template = (reading: Reading, opening: string): string => {
  const content = match(chunk, reading, 1) ?? ""
  const opensHole = content.endsWith("${")
  if (opensHole) reading.holes.push(0)
  return opening + spaces(content).slice(0, -1) + (opensHole ? "(" : "`")
}

const mark = (reading: Reading): string => {
  const { holes, text } = reading
  const found = text[reading.code.length] ?? ""
  const depth = holes.at(-1)
  if (found === "`") return template(reading, found)
  if (depth === undefined) return found
  if (found === "}" && depth === 0) {
    holes.pop()
    return template(reading, ")")
  }
  if (found === "{") holes[holes.length - 1] = depth + 1
  if (found === "}") holes[holes.length - 1] = depth - 1
  return found
}

const next = (reading: Reading): string => {
  const skipped = match(comment, reading)
  if (skipped !== undefined) return spaces(skipped)
  return literal(reading) ?? match(word, reading) ?? mark(reading)
}

/** The text with comments and literal contents replaced by spaces of the same length. */
export const blank = (text: string): string => {
  const reading: Reading = { text, holes: [], code: "", last: "" }
  while (reading.code.length < text.length) {
    const piece = next(reading)
    reading.code += piece
    if (piece.trim() !== "") reading.last = piece
  }
  return reading.code
}
