/** The `verbatim` command with its subcommands and shared layers. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { version } from "@verbatim/core/version"
import { Effect, Layer, References } from "effect"
import { Command } from "effect/cli"
import { api } from "./command/api.ts"
import { config } from "./command/config.ts"
import { copy } from "./command/copy.ts"
import { doctor } from "./command/doctor.ts"
import { engines } from "./command/engines.ts"
import { help, makeCompletions, type Program } from "./command/help.ts"
import { jobs } from "./command/jobs.ts"
import { keys } from "./command/keys.ts"
import { ledger, usage } from "./command/ledger.ts"
import { presenter } from "./command/Refusal.ts"
import { retention } from "./command/retention.ts"
import { serve } from "./command/serve.ts"
import { backup, media, migrate, restore } from "./command/store.ts"
import { transcribe } from "./command/transcribe.ts"
import { workers } from "./command/workers.ts"
import { workspaces } from "./command/workspaces.ts"
import * as Logging from "./Logging.ts"
import { presets } from "./presets/presets.ts"
import * as PlatformNames from "./settings/PlatformNames.ts"

/** Returns the whole program, so that the completions also cover the `completions` command. */
const findProgram = (): Program => verbatim

export const verbatim = Command.make("verbatim").pipe(
  Command.withDescription("Versioned presets and durable transcription jobs"),
  Command.withSubcommands([
    serve,
    transcribe,
    backup,
    restore,
    copy,
    migrate,
    doctor,
    config,
    engines,
    keys,
    media,
    presets,
    jobs,
    api,
    usage,
    ledger,
    retention,
    workers,
    workspaces,
    makeCompletions(findProgram),
    help
  ])
)

/** If nothing exports spans, they would only make every request a few percent slower. */
const untraced = Layer.succeed(References.TracerEnabled, false)

/** `verbatim help keys` means `verbatim keys --help`. */
const withHelpFlag = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...others] = args
  if (first !== "help" || others[0] === "configuration" || args.includes("--help")) return args
  return [...others, "--help"]
}

/** `verbatim config` shows the settings of `verbatim serve`. */
const commandOf = (args: ReadonlyArray<string>): string => {
  const name = args.find((each) => !each.startsWith("-")) ?? ""
  return name === "config" ? "serve" : name
}

/** Runs the command that the arguments name. `teardown` determines the exit status. */
export const run = (args: ReadonlyArray<string>): Effect.Effect<void, unknown> =>
  Command.runWith(verbatim, { version })(withHelpFlag(args)).pipe(
    Effect.provide(Layer.mergeAll(NodeServices.layer, Logging.layer, untraced, presenter)),
    Effect.provide(PlatformNames.layer(commandOf(args)))
  )
