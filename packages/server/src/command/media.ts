/**
 * `verbatim media`: for operators who move media to another place on purpose.
 */
import { WorkerRegistry } from "@verbatim/core/ports"
import { adopt } from "@verbatim/core/services"
import { Heartbeat } from "@verbatim/core/worker"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { configuration } from "../Configuration.ts"
import * as Media from "../Media.ts"
import { makeSwitch } from "./flags.ts"
import { jsonFlag, onStore, print } from "./operation.ts"
import { Refusal } from "./Refusal.ts"

/** Processes of a copy do the jobs of the original once they have its media. */
const mustBeQuiet = Effect.gen(function* () {
  const { now, workers } = yield* Effect.flatMap(WorkerRegistry, ({ survey }) => survey)
  if (!workers.some((worker) => Heartbeat.isAlive(worker, now))) return
  const sentence =
    "Processes are at work on this database: stop those that use another place of media, or run " +
    "it with --yes, which also takes a media store from another database."
  return yield* new Refusal({ sentence })
})

const adoptMedia = Command.make(
  "adopt",
  {
    yes: makeSwitch(
      "yes",
      "Also while processes run, and if the media store belongs to another database"
    ),
    json: jsonFlag
  },
  Effect.fn(function* ({ json, yes }) {
    const settings = yield* configuration
    if (!yes) yield* mustBeQuiet
    const standing = yield* Effect.provide(adopt({ mayTake: yes }), Media.layer(settings))
    if (standing._tag !== "Ours") return yield* new Refusal({ sentence: standing.sentence })
    yield* print(
      json,
      { adopted: true },
      () => "The media store of this configuration belongs to its database now."
    )
  }, onStore)
).pipe(
  Command.withDescription("Mark the media store of this configuration as that of its database")
)

/** The command. */
export const media = Command.make("media").pipe(
  Command.withDescription("Say which media store belongs to the database"),
  Command.withSubcommands([adoptMedia])
)
