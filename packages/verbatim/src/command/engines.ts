/**
 * `verbatim engines`: provide what recognises speech.
 */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { configuration } from "../Configuration.ts"
import * as Engines from "../Engines.ts"
import { explained, Refusal } from "./operation.ts"

const install = Command.make(
  "install",
  {},
  Effect.fn(function* () {
    const { cacheDirectory } = yield* configuration
    yield* Engines.install({ cacheDirectory, report: Console.log }).pipe(
      Effect.mapError(({ sentence }) => new Refusal({ sentence }))
    )
  }, explained)
).pipe(Command.withDescription("Provide the offline speech recogniser (PocketSphinx, English)"))

/** The command group. */
export const engines = Command.make("engines").pipe(
  Command.withDescription("Provide speech recognition engines"),
  Command.withSubcommands([install])
)
