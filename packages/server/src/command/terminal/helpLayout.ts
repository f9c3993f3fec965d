/**
 * Fits help pages into 80 columns. Long descriptions wrap, and each further line is aligned with
 * the first. Also fits the rows of lists into the terminal.
 */
import { stripVTControlCharacters } from "node:util"
import type { HelpDoc } from "effect/cli"

/** Every terminal has at least this many columns. */
const lineMax = 80

/**
 * Breaks text between words into lines of this width. A word that is longer than a line stays
 * whole.
 */
export const breakLines = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    const { length } = stripVTControlCharacters(longer)
    if (last === undefined || length > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/**
 * Breaks a row that is wider than the terminal. Breaks fall between columns, which are at least two
 * spaces apart, and further lines are indented.
 */
export const fitRow = (
  row: string,
  width = process.stdout.columns || Number.POSITIVE_INFINITY
): string => {
  if (row.length <= width || row.includes("\n")) return row
  const lines = [""]
  for (const cell of row.split(/(?<= {2})(?=\S)/)) {
    const line = lines.at(-1) ?? ""
    const isFull = line.trim() !== "" && (line + cell).trimEnd().length > width
    if (isFull) lines.push(`    ${cell}`)
    else lines[lines.length - 1] = line + cell
  }
  return lines.map((line) => line.trimEnd()).join("\n")
}

/** A row of a table: the text of each cell, by the heading of its column. */
export type Row = Readonly<Record<string, string>>

/** Returns the line of the headings, and a line for each row, without columns that are empty. */
export const formatTable = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columns = headings
    .filter((heading) => rows.some((row) => (row[heading] ?? "") !== ""))
    .map((heading) => {
      const cells = [heading.toUpperCase(), ...rows.map((row) => row[heading] ?? "")]
      const width = Math.max(...cells.map((cell) => cell.length))
      return cells.map((cell) => cell.padEnd(width))
    })
  const lines = columns[0]?.map((_, line) => columns.map((cells) => cells[line]).join("  ")) ?? []
  return lines.map((line) => fitRow(line.trimEnd()))
}

/** Wraps text that starts at this column, and indents all further lines to it. */
export const hang = (text: string, column: number, width = lineMax): string =>
  breakLines(text, width - column).join(`\n${" ".repeat(column)}`)

/** Matches the beginning of a line, up to the column in which the description begins. */
const beforeText = /^ +(?:\S.*? {2,})?/

/**
 * Breaks the long lines of a help page. Every further line begins in the column of the description.
 */
export const fitHelp = (page: string): string =>
  page
    .split("\n")
    .map((line) => {
      const [start = ""] = beforeText.exec(line) ?? []
      const { length } = stripVTControlCharacters(start)
      return start + hang(line.slice(start.length), length)
    })
    .join("\n")

/**
 * Whether every help page lists a flag of the framework. Only `verbatim --help` lists the others,
 * because few users need them.
 */
const isForAll = ({ name }: HelpDoc.FlagDoc): boolean => name === "help"

/** These flags are hidden, because `verbatim completions` and each command's help replace them. */
const unlisted: ReadonlySet<string> = new Set(["completions", "wizard"])

/**
 * Short names for the types of these flags. The full type would repeat the values that the
 * description lists.
 */
const shortTypes: Readonly<Record<string, string>> = { "log-level": "level" }

/** Leaves out the framework's flags that a help page need not list. */
export const withoutUnlisted = (page: HelpDoc.HelpDoc): HelpDoc.HelpDoc => {
  const isRoot = page.commandPath?.length === 1
  const flags = page.globalFlags
    ?.filter((flag) => (isRoot ? !unlisted.has(flag.name) : isForAll(flag)))
    .map((flag) => ({ ...flag, type: shortTypes[flag.name] ?? flag.type }))
  return { ...page, ...(flags && { globalFlags: flags }) }
}
