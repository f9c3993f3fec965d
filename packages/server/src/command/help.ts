/**
 * `verbatim help configuration`: every variable, from the table that parses them.
 */
import { Console, Effect } from "effect"
import { Argument, Command, Completions } from "effect/cli"
import { defaultOf, limitsOf, type Part, type Variable } from "../settings/Variable.ts"
import { allParts, environmentName } from "../settings/Variables.ts"

const indent = "      "

/** As wide as terminals are. */
const widthMax = 80 - indent.length

/** Breaks a text where a line would be too long; a longer word stays whole. */
const wrap = (text: string): string => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last === undefined || longer.length > widthMax) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines.map((line) => `${indent}${line}`).join("\n")
}

/** Backticks and links are for pages. */
const plain = (text: string): string =>
  text.replaceAll("`", "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")

const paragraph =
  (part: Part) =>
  (variable: Variable): string =>
    [
      `  ${environmentName(variable.name, part)}`,
      wrap(plain(variable.does)),
      wrap(`default: ${plain(defaultOf(variable))}`),
      wrap(`may be: ${limitsOf(variable)}`)
    ].join("\n")

const section = (part: Part): string =>
  [part.heading.toUpperCase(), ...part.variables.map(paragraph(part))].join("\n\n")

const configuration = Command.make(
  "configuration",
  {},
  Effect.fn(function* () {
    const intro = "Everything is set by environment variables; an empty one is the same as none."
    yield* Console.log([intro, ...allParts.map(section)].join("\n\n"))
  })
).pipe(Command.withDescription("Every environment variable: what it does, its default, its limits"))

/** The command group. */
export const help = Command.make("help").pipe(
  Command.withDescription("Explain what is set from outside"),
  Command.withSubcommands([configuration])
)

const shells = ["bash", "zsh", "fish"] as const

/** A command of any kind. */
export type Program = Parameters<typeof Completions.fromCommand>[0]

/** Where each shell looks for it. */
const explanation = [
  "Print a script that completes commands and flags: for bash into a file of",
  "~/.local/share/bash-completion/completions/verbatim, for zsh into a file _verbatim of a folder",
  "in $fpath, for fish into ~/.config/fish/completions/verbatim.fish"
].join(" ")

/** The command for the commands of a program, which is one of them itself. */
export const makeCompletions = (findProgram: () => Program) =>
  Command.make(
    "completions",
    { shell: Argument.Literals("shell", shells) },
    Effect.fn(function* ({ shell }) {
      const program = findProgram()
      const descriptor = Completions.fromCommand(program)
      yield* Console.log(Completions.generate(program.name, shell, descriptor))
    })
  ).pipe(
    Command.withShortDescription("Print a script that completes commands in a shell"),
    Command.withDescription(explanation)
  )
