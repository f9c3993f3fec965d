/**
 * What a text of YAML must not hold, found without building anything of it: names for parts of it
 * (a few lines could stand for gigabytes), tags and directives (which mean other things to other
 * readers), and more nesting than a reader that calls itself can take.
 */
import { CST, Lexer } from "yaml"

/** Most objects and arrays inside each other, as in requests. */
const depthMax = 64

/** Where a text is refused, by its offset, and why. */
export interface Refused {
  readonly offset: number
  readonly sentence: string
}

const forbidden: Partial<Record<CST.TokenType, string>> = {
  anchor: "anchors are not accepted",
  alias: "aliases are not accepted",
  tag: "tags are not accepted",
  "directive-line": "directives are not accepted"
}

const tooDeep = `at most ${depthMax} levels of nesting`

/**
 * Most names, values, brackets and dashes: two for each of 100,000 values. The reader takes some
 * seconds for as many, and 80 for two million.
 */
const partsMax = 200_000

const tooMany = `at most ${partsMax} names and values`

const isPart = (type: string | null): boolean =>
  type === "scalar" || isDash(type) || type?.endsWith("-start") === true || isQuoted(type)

const isQuoted = (type: string | null): boolean => type?.endsWith("quoted-scalar") === true

/** What stands before the text of a scalar, which may look like anything. */
const scalarMark = "\x1f"

/** What stands for no text: a mark, the begin of a document, the end of a line of flow. */
const empty: ReadonlySet<string> = new Set([scalarMark, "\x02", "\x18"])

/** What a bracket does to the depth of a place. */
const depthChange: Readonly<Record<string, number>> = {
  "flow-map-start": 1,
  "flow-seq-start": 1,
  "flow-map-end": -1,
  "flow-seq-end": -1
}

const isDash = (type: string | null): boolean =>
  type === "seq-item-ind" || type === "explicit-key-ind"

/** The first thing that must not be there. */
export const findForbidden = (text: string): Refused | undefined => {
  let [offset, brackets, dashes, parts] = [0, 0, 0, 0]
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    const type = isScalar ? "scalar" : CST.tokenType(token)
    const sentence = forbidden[type ?? "scalar"]
    if (sentence !== undefined) return { offset, sentence }
    brackets += depthChange[type ?? "scalar"] ?? 0
    if (type === "newline") dashes = 0
    if (isDash(type)) dashes += 1
    if (brackets > depthMax || dashes > depthMax) return { offset, sentence: tooDeep }
    if (isPart(type) && !empty.has(token)) parts += 1
    if (parts > partsMax) return { offset, sentence: tooMany }
    isScalar = token === scalarMark
    if (!empty.has(token)) offset += token.length
  }
  return undefined
}
