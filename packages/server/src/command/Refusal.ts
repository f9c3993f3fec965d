/**
 * Reports errors of commands in one sentence. The exit status is 1 if the command failed, and 2 if
 * it was used incorrectly. No sentence repeats a secret.
 */
import { Cause, Console, Effect, Exit, type Layer, Runtime, Schema } from "effect"
import { CliError, CliOutput, TerminalCapabilities } from "effect/cli"
import { fitHelp, withoutUnlisted } from "./terminal/helpLayout.ts"

/** Exit status for incorrect usage, as in most shells. */
export const misuseStatus = 2

/**
 * Matches tokens and secrets that Verbatim generates, because users sometimes pass a token instead
 * of an id.
 */
const secrets = /\b(vb[imo]_|whsec_)[\w+/=]+/g

/** Hides the secrets in a string. */
export const withoutSecrets = (text: string): string => text.replace(secrets, "$1…")

/** The error for a failed command, with a sentence to show to the operator. */
export class Refusal extends Schema.TaggedError<Refusal>()("Refusal", {
  sentence: Schema.String,
  /** The exit status. Default: 1. */
  status: Schema.optionalKey(Schema.Int)
}) {
  override readonly [Runtime.errorExitCode] = this.status ?? 1
  override get [CliError.userMessage](): string {
    return withoutSecrets(this.sentence)
  }
}

/** Fails with a sentence to show to the operator. */
export const refuse = (sentence: string) => Effect.fail(new Refusal({ sentence }))

/** Fails because of incorrect usage that only the command itself can detect. */
export const misuse = (sentence: string) =>
  Effect.fail(new Refusal({ sentence, status: misuseStatus }))

/** Puts Effect's message about an invalid number, with its suggestions, on one line. */
const shorten = (text: string): string =>
  text
    .replace("Expected a string representing a finite number", "Expected: a number")
    .replace(/\n\n {2}Did you mean this\?\n([\s\S]*)$/, (_, names: string) => {
      const meant = names.split("\n").map((name) => name.trim())
      return `\nDid you mean ${meant.join(" or ")}?`
    })

/** Prints to standard error what is wrong with a command line, and where to find help. */
export const presenter: Layer.Layer<never> = CliOutput.layerPresenter({
  present: Effect.fnUntraced(function* (event) {
    if (event._tag === "Version") return yield* CliOutput.defaultPresenter.present(event)
    const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
    const formatter = CliOutput.defaultFormatter({ colors: canColor })
    if (event._tag === "InvalidInvocation") {
      const command = event.helpDoc.commandPath?.join(" ") ?? "verbatim"
      const reasons = event.errors.map((error) =>
        shorten(withoutSecrets(formatter.formatCliError(error)))
      )
      return yield* Console.error([...reasons, `See \`${command} --help\`.`].join("\n"))
    }
    const page = fitHelp(formatter.formatHelpDoc(withoutUnlisted(event.helpDoc)))
    yield* event.reason === "Requested" ? Console.log(page) : Console.error(page)
  })
})

const isMisuse = (error: unknown): boolean =>
  CliError.isCliError(error) && error._tag === "ShowHelp"

/** Determines the exit status. A graceful stop on a signal is a success. */
export const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit)) return onExit(0)
  if (Cause.hasInterruptsOnly(exit.cause)) return onExit(Number(process.exitCode ?? 0))
  if (isMisuse(Cause.squash(exit.cause))) return onExit(misuseStatus)
  return Runtime.defaultTeardown(exit, onExit)
}
