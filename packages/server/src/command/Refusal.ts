/**
 * How a command says that it did not do what it was asked: in one sentence, with status 1 when it
 * could not, and 2 when it was asked in a wrong way. No sentence repeats a secret.
 */
import { Runtime, Schema } from "effect"
import { CliError } from "effect/cli"

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
