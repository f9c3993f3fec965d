/**
 * Fits help pages into 80 columns: long descriptions wrap, with each line aligned below the first.
 * Fits rows of lists into the terminal.
 */
import { Option } from "effect"
import type { HelpDoc } from "effect/cli"

/** The width that every terminal supports. */
const lineMax = 80

/**
 * Breaks text between words into lines of a given width; a word that is longer than a line stays
 * whole.
 */
export const breakLines = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last === undefined || longer.length > width) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/**
 * Breaks a row that is wider than the terminal between its columns, which are at least two spaces
 * apart. The row's further lines are indented.
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

/** Wraps text that starts at a given column, and indents all further lines to that column. */
export const hang = (text: string, column: number, width = lineMax): string =>
  breakLines(text, width - column).join(`\n${" ".repeat(column)}`)

/** The text that Effect appends to an optional argument's description. */
const optionalMark = " (optional)"

/** The columns of Effect's tables: two spaces, the longest name, four spaces. */
const columnOf = (names: ReadonlyArray<string>, columnMax = Number.POSITIVE_INFINITY) => {
  const widest = Math.min(Math.max(...names.map(({ length }) => length)) + 4, columnMax)
  return (name: string): number => 2 + Math.max(widest, name.length + 1)
}

const fitFlags = (flags: ReadonlyArray<HelpDoc.FlagDoc>): ReadonlyArray<HelpDoc.FlagDoc> => {
  const nameOf = ({ aliases, name, type }: HelpDoc.FlagDoc) =>
    [`--${name}`, ...aliases].join(", ") + (type === "boolean" ? "" : ` ${type}`)
  const column = columnOf(flags.map(nameOf))
  return flags.map((flag) => ({
    ...flag,
    description: Option.map(flag.description, (text) => hang(text, column(nameOf(flag))))
  }))
}

const fitArguments = (args: ReadonlyArray<HelpDoc.ArgDoc>): ReadonlyArray<HelpDoc.ArgDoc> => {
  const nameOf = ({ name, type, variadic }: HelpDoc.ArgDoc) =>
    `${name}${variadic ? "..." : ""} ${type}`
  const column = columnOf(args.map(nameOf), 25)
  return args.map((arg) => ({
    ...arg,
    description: Option.map(arg.description, (text) =>
      hang(text, column(nameOf(arg)) + (arg.required ? 0 : optionalMark.length))
    )
  }))
}

const fitSubcommands = (
  groups: ReadonlyArray<HelpDoc.SubcommandGroupDoc>
): ReadonlyArray<HelpDoc.SubcommandGroupDoc> =>
  groups.map(({ commands: [first, ...others], group }) => {
    const column = columnOf(
      [first, ...others].map(({ name }) => name),
      20
    )
    const fit = (command: HelpDoc.SubcommandDoc): HelpDoc.SubcommandDoc => ({
      ...command,
      shortDescription: hang(command.shortDescription ?? command.description, column(command.name))
    })
    return { group, commands: [fit(first), ...others.map(fit)] }
  })

/** Framework flags that few users need are listed only by `verbatim --help`. */
const isForAll = ({ name }: HelpDoc.FlagDoc): boolean => name === "help"

/** These flags are hidden, because `verbatim completions` and each command's help replace them. */
const unlisted: ReadonlySet<string> = new Set(["completions", "wizard"])

/**
 * The types of these flags are hidden, because they would only repeat the values listed in the
 * descriptions.
 */
const shortTypes: Readonly<Record<string, string>> = { "log-level": "level" }

const fitGlobalFlags = (flags: ReadonlyArray<HelpDoc.FlagDoc>, isRoot: boolean) =>
  fitFlags(
    flags
      .filter((flag) => (isRoot ? !unlisted.has(flag.name) : isForAll(flag)))
      .map((flag) => ({ ...flag, type: shortTypes[flag.name] ?? flag.type }))
  )

/** Fits a help page into 80 columns. */
export const fitHelp = (page: HelpDoc.HelpDoc): HelpDoc.HelpDoc => ({
  ...page,
  description: hang(page.description, 2),
  flags: fitFlags(page.flags),
  ...(page.args && { args: fitArguments(page.args) }),
  ...(page.subcommands && { subcommands: fitSubcommands(page.subcommands) }),
  ...(page.globalFlags && {
    globalFlags: fitGlobalFlags(page.globalFlags, page.commandPath?.length === 1)
  })
})
