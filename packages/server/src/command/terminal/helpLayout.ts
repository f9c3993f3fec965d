/**
 * Fits help pages into 80 columns. Long descriptions wrap, and each further line is aligned with
 * the first. Also fits the rows of lists into the terminal.
 */
import { Option } from "effect"
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
    if (last === undefined || longer.length > width) lines.push(word)
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

/** Wraps text that starts at this column, and indents all further lines to it. */
export const hang = (text: string, column: number, width = lineMax): string =>
  breakLines(text, width - column).join(`\n${" ".repeat(column)}`)

/** Effect appends this text to the description of an optional argument. */
const optionalMark = " (optional)"

/**
 * Returns the column where descriptions begin in Effect's tables: after two spaces, the longest
 * name and four spaces.
 */
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
