/**
 * One environment variable of an operator: what it may be, what it is when nothing is set, and what
 * it does. Whoever parses it, explains it in a terminal or writes the page about it reads this.
 */

/** The numbers that a variable may be. */
export interface Range {
  readonly minimum: number
  readonly maximum: number
  readonly hasDecimals?: boolean
}

/** One variable. */
export interface Variable {
  /** Without what the names of its part begin with. */
  readonly name: string
  /** What it is when nothing is set: a value that could be set, or words where none is fixed. */
  readonly unset: string | { readonly words: string }
  readonly does: string
  /** For a number. */
  readonly range?: Range
  /** For a text that is not any text; it completes "VERBATIM_… must be …". */
  readonly expected?: string
}

/** A variable in a table, which has its name. */
type Row = Omit<Variable, "name">

/** Variables of one part of the page by their names, as the tables are written. */
export interface Table {
  readonly heading: string
  readonly variables: Readonly<Record<string, Row>>
}

/** A row for a text, and what it does. */
export const text = (given: Pick<Variable, "unset" | "expected">, does: string): Row => ({
  ...given,
  does
})

/** A row for what is on or off, and what it does. */
export const flag = (unset: "true" | "false", does: string): Row => ({
  unset,
  does,
  expected: "true or false (or on, off, yes, no)"
})

/** A row for a number, and what it does. */
export const number = (
  { unset, ...range }: Pick<Variable, "unset"> & Range,
  does: string
): Row => ({ unset, range, does })

/** Variables of one part of the page, by its heading. */
export interface Part {
  readonly heading: string
  /** What their names begin with; `VERBATIM_` where it is not said. */
  readonly prefix?: ""
  readonly variables: ReadonlyArray<Variable>
}

/** What a variable may be, to complete the sentence "VERBATIM_… must be …". */
export const limitsOf = ({ expected, range }: Variable): string => {
  if (range === undefined) return expected ?? "any text"
  const { hasDecimals, maximum, minimum } = range
  return `${hasDecimals === true ? "a number" : "a whole number"} from ${minimum} to ${maximum}`
}

/** What it is when nothing is set, for people. */
export const defaultOf = ({ unset }: Variable): string => {
  if (typeof unset !== "string") return unset.words
  return unset === "" ? "none" : `\`${unset}\``
}
