/**
 * `verbatim help configuration` and `verbatim completions`: explain the settings, and print shell
 * completions.
 */
import { Console, Effect } from "effect"
import { Argument, Command, Completions } from "effect/cli"
import { defaultOf, limitsOf, type Part, type Variable } from "../settings/Variable.ts"
import { allParts, environmentName } from "../settings/Variables.ts"
import { jsonFlag, printJson } from "./operation.ts"
import { breakLines } from "./terminal/helpLayout.ts"

const indent = "      "

const widthMax = 80 - indent.length

const wrap = (text: string): string =>
  breakLines(text, widthMax)
    .map((line) => `${indent}${line}`)
    .join("\n")

/** Removes backticks and links, which only the documentation page needs. */
const plain = (text: string): string =>
  text.replaceAll("`", "").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")

const viewOf = (part: Part, variable: Variable) => ({
  name: environmentName(variable.name, part),
  does: plain(variable.does),
  default: plain(defaultOf(variable)),
  allowed: plain(limitsOf(variable))
})

const paragraph =
  (part: Part) =>
  (variable: Variable): string => {
    const view = viewOf(part, variable)
    const lines = [view.does, `default: ${view.default}`, `allowed: ${view.allowed}`]
    return [`  ${view.name}`, ...lines.map(wrap)].join("\n")
  }

const section = (part: Part): string =>
  [part.heading.toUpperCase(), ...part.variables.map(paragraph(part))].join("\n\n")

const configuration = Command.make(
  "configuration",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    if (json) {
      const views = allParts.flatMap((part) => part.variables.map((each) => viewOf(part, each)))
      return yield* Effect.forEach(views, printJson, { discard: true })
    }
    const intro = "All settings are environment variables. An empty variable counts as unset."
    yield* Console.log([intro, ...allParts.map(section)].join("\n\n"))
  })
).pipe(Command.withDescription("List environment variables with defaults and allowed values"))

export const help = Command.make("help").pipe(
  Command.withDescription("Show help on configuration"),
  Command.withSubcommands([configuration])
)

const shells = ["bash", "zsh", "fish"] as const

/** A command with subcommands, for which completions can be printed. */
export type Program = Parameters<typeof Completions.fromCommand>[0]

/** Explains where each shell looks for the script. */
const explanation = [
  "Print a script that completes commands and flags: for bash into a file of",
  "~/.local/share/bash-completion/completions/verbatim, for zsh into a file _verbatim of a folder",
  "in $fpath, for fish into ~/.config/fish/completions/verbatim.fish"
].join(" ")

/** Creates the command that prints a program's completions. */
export const makeCompletions = (findProgram: () => Program) =>
  Command.make(
    "completions",
    { shell: Argument.Literals("shell", shells) },
    Effect.fn(function* ({ shell }) {
      const program = findProgram()
      const descriptor = Completions.fromCommand(program)
      const script = Completions.generate(program.name, shell, descriptor)
      yield* Console.log(
        script.replaceAll(`${program.name} --completions`, `${program.name} completions`)
      )
    })
  ).pipe(
    Command.withShortDescription("Print a shell completion script"),
    Command.withDescription(explanation)
  )
