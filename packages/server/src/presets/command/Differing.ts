/**
 * How a command says that something is not as it should be: with status 2, which a script tells
 * apart from a failure, and with a sentence where the output has not said it already.
 */
import { Runtime, Schema } from "effect"
import { CliError } from "effect/cli"
import { misuseStatus, withoutSecrets } from "../../command/Refusal.ts"

/** There is something to do. What it is was printed. */
export class Differing extends Schema.TaggedError<Differing>()("Differing", {}) {
  override readonly [Runtime.errorExitCode] = misuseStatus
  override readonly [Runtime.errorReported] = false
}

/** Somebody else changed it meanwhile. */
export class Drifted extends Schema.TaggedError<Drifted>()("Drifted", {
  sentence: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = misuseStatus
  override get [CliError.userMessage](): string {
    return withoutSecrets(this.sentence)
  }
}
