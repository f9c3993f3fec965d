/**
 * How a command says that it did not do what it was asked: in one sentence, with status 1 when it
 * could not, and 2 when it was asked in a wrong way. No sentence repeats a secret.
 */
import { Cause, Console, Effect, Exit, type Layer, Runtime, Schema } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { fitHelp } from "./helpLayout.ts"

/** Status of a command that was asked in a wrong way, as in most shells. */
export const misuseStatus = 2

/** Tokens and secrets that we make ourselves; somebody may give one where an id belongs. */
const secrets = /\b(vb[imo]_|whsec_)[\w+/=]+/g

/** A text without the secrets in it. */
export const withoutSecrets = (text: string): string => text.replace(secrets, "$1…")

/** A command that cannot do what it was asked. The sentence is for the operator. */
export class Refusal extends Schema.TaggedError<Refusal>()("Refusal", { sentence: Schema.String }) {
  override get [CliError.userMessage](): string {
    return withoutSecrets(this.sentence)
  }
}

/** A command that was asked in a wrong way, which only the command itself can tell. */
export class Misuse extends Schema.TaggedError<Misuse>()("Misuse", { sentence: Schema.String }) {
  override readonly [Runtime.errorExitCode] = misuseStatus
  override get [CliError.userMessage](): string {
    return withoutSecrets(this.sentence)
  }
}

/** Shows what is wrong with a command line and where its help is, both on standard error. */
export const presenter: Layer.Layer<never> = CliOutput.layerPresenter({
  present: Effect.fnUntraced(function* (event) {
    if (event._tag === "Version") return yield* CliOutput.defaultPresenter.present(event)
    const formatter = yield* CliOutput.Formatter
    if (event._tag === "InvalidInvocation") {
      const command = event.helpDoc.commandPath?.join(" ") ?? "verbatim"
      const reasons = event.errors.map((error) => withoutSecrets(formatter.formatCliError(error)))
      return yield* Console.error([...reasons, `See \`${command} --help\`.`].join("\n"))
    }
    const helpDoc = fitHelp(event.helpDoc)
    if (isRequested(event)) return yield* CliOutput.defaultPresenter.present({ ...event, helpDoc })
    yield* Console.error(formatter.formatHelpDoc(helpDoc))
  })
})

const isRequested = ({ reason }: CliOutput.Presenter.Help): boolean => reason === "Requested"

const isMisuse = (error: unknown): boolean =>
  CliError.isCliError(error) && error._tag === "ShowHelp"

/** A signal is how an operator ends a server: a graceful stop is a success, a failed one is not. */
export const teardown: Runtime.Teardown = (exit, onExit) => {
  if (Exit.isSuccess(exit)) return onExit(0)
  if (Cause.hasInterruptsOnly(exit.cause)) return onExit(Number(process.exitCode ?? 0))
  if (isMisuse(Cause.squash(exit.cause))) return onExit(misuseStatus)
  return Runtime.defaultTeardown(exit, onExit)
}
