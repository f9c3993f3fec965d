/**
 * A command line that cannot be understood: what is wrong with it goes to the error output, with
 * the usage above it, and the status is 2. Nothing of it gets into a file or a variable of a shell.
 */
import { Cause, Console, Effect, Exit, type Layer, Runtime } from "effect"
import { CliError, CliOutput } from "effect/cli"
import { misuseStatus, withoutSecrets } from "./Refusal.ts"

/** Shows usage where it was not asked for on the error output. */
export const presenter: Layer.Layer<never> = CliOutput.layerPresenter({
  present: Effect.fnUntraced(function* (event) {
    const isAskedFor = event._tag === "Version" || (event._tag === "Help" && isRequested(event))
    if (isAskedFor) return yield* CliOutput.defaultPresenter.present(event)
    const formatter = yield* CliOutput.Formatter
    yield* Console.error(formatter.formatHelpDoc(event.helpDoc))
    if (event._tag === "InvalidInvocation") {
      yield* Console.error(withoutSecrets(formatter.formatErrors(event.errors)))
    }
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
