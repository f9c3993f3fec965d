/**
 * `verbatim completions`: a script that lets a shell complete the commands, their flags and values.
 */
import { Console, Effect } from "effect"
import { Argument, Command, Completions } from "effect/cli"

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
