/**
 * Where the functions of a file begin and end, and how many lines belong to each alone. It reads
 * blanked code that the formatter has laid out; it is no parser, and need not be one.
 */

/** A function, from the line of its parameters to the line of its end. */
export interface Extent {
  readonly start: number
  readonly end: number
  /** Its lines without those of the functions inside it. */
  readonly own: number
}

interface Token {
  readonly text: string
  readonly line: number
  /** The column of the first token of its line. */
  readonly indent: number
  readonly opensLine: boolean
}

type Span = { readonly start: number; readonly end: number }

const closers: ReadonlyMap<string, string> = new Map([
  [")", "("],
  ["]", "["],
  ["}", "{"]
])

const openers = new Set(closers.values())

/** Words before a parenthesis and a brace that make a block, not a function. */
const blocks = new Set(["if", "for", "while", "switch", "catch", "with", "await"])

/** Words that no return type holds. */
const notTypes = new Set(
  "else try finally do class extends implements interface return const let if for while".split(" ")
)

const tokensOf = (code: string): ReadonlyArray<Token> =>
  code.split("\n").flatMap((text, index) => {
    const indent = text.length - text.trimStart().length
    return Array.from(text.matchAll(/[\w$]+|=>|[^\s\w$]/g), (match, nth) => ({
      text: match[0],
      line: index + 1,
      indent,
      opensLine: nth === 0
    }))
  })

/** For each bracket the index of its partner. */
const partnersOf = (tokens: ReadonlyArray<Token>): ReadonlyMap<number, number> => {
  const partners = new Map<number, number>()
  const open: Array<number> = []
  tokens.forEach(({ text }, index) => {
    if (openers.has(text)) open.push(index)
    const start = closers.has(text) ? open.pop() : undefined
    if (start !== undefined) partners.set(index, start).set(start, index)
  })
  return partners
}

class Reader {
  readonly tokens: ReadonlyArray<Token>
  readonly partners: ReadonlyMap<number, number>

  constructor(code: string) {
    this.tokens = tokensOf(code)
    this.partners = partnersOf(this.tokens)
  }

  text(index: number): string {
    return this.tokens[index]?.text ?? ""
  }

  line(index: number): number {
    return this.tokens[index]?.line ?? 0
  }

  /** Walks back over generic arguments that end at `index`. */
  beforeAngles(index: number): number {
    let depth = 0
    let at = index
    while (at >= 0) {
      if (this.text(at) === ">") depth++
      if (this.text(at) === "<") depth--
      if (depth === 0) return this.text(at) === "<" ? at - 1 : at
      at = (closers.has(this.text(at)) ? (this.partners.get(at) ?? at) : at) - 1
    }
    return at
  }

  /** The closing parenthesis of the parameters whose return type ends at `index`. */
  beforeReturnType(index: number): number | undefined {
    let at = index
    while (at >= 0) {
      const text = this.text(at)
      if (text === ":") return this.text(at - 1) === ")" ? at - 1 : undefined
      if (notTypes.has(text) || !/^(?:[\w$]+|[.|&>\])}"'])$/.test(text)) return undefined
      if (text === ">") at = this.beforeAngles(at)
      else at = (closers.has(text) ? (this.partners.get(at) ?? at) : at) - 1
    }
    return undefined
  }

  /** The opening parenthesis of the parameters, when the brace at `index` begins a body. */
  parametersOf(index: number): number | undefined {
    if (this.text(index - 1) === ":") return undefined
    const close = this.text(index - 1) === ")" ? index - 1 : this.beforeReturnType(index - 1)
    const open = close === undefined ? undefined : this.partners.get(close)
    if (open === undefined || blocks.has(this.text(open - 1))) return undefined
    let name = this.beforeAngles(open - 1)
    if (this.text(name) === ")") return undefined
    while (this.text(name - 1) === ".") name -= 2
    return this.text(name - 1) === "extends" ? undefined : open
  }

  /** The last token of the expression that an arrow at `arrow` leads to. */
  expressionEnd(arrow: number): number {
    const indent = this.tokens[arrow]?.indent ?? 0
    let at = arrow + 1
    while (at < this.tokens.length) {
      const token = this.tokens[at]
      if (token === undefined || closers.has(token.text) || /^[,;]$/.test(token.text)) break
      if (token.opensLine && token.indent <= indent) break
      at = (openers.has(token.text) ? (this.partners.get(at) ?? at) : at) + 1
    }
    return at - 1
  }
}

const spansOf = (reader: Reader): ReadonlyArray<Span> =>
  reader.tokens.flatMap(({ line, text }, index): ReadonlyArray<Span> => {
    if (text === "=>") {
      const brace = reader.text(index + 1) === "{" ? reader.partners.get(index + 1) : undefined
      return [{ start: line, end: reader.line(brace ?? reader.expressionEnd(index)) }]
    }
    const close = text === "{" ? reader.partners.get(index) : undefined
    const open = close === undefined ? undefined : reader.parametersOf(index)
    return close === undefined || open === undefined
      ? []
      : [{ start: reader.line(open), end: reader.line(close) }]
  })

/** Every function of the code, in the order in which they begin. */
export const functions = (code: string): ReadonlyArray<Extent> => {
  const spans = spansOf(new Reader(code))
  const owns = spans.map(({ end, start }) => end - start + 1)
  /** The functions that are still open, the innermost last. */
  const open: Array<number> = []
  spans.forEach((span, index) => {
    while (open.length > 0 && (spans[open.at(-1) ?? 0]?.end ?? 0) < span.end) open.pop()
    const parent = open.at(-1)
    if (parent !== undefined) owns[parent] = (owns[parent] ?? 0) - (span.end - span.start)
    open.push(index)
  })
  return spans.map((span, index) => ({ ...span, own: owns[index] ?? 0 }))
}
