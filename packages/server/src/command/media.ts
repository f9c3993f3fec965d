/** `verbatim media`: for operators who have moved the media store. */
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

/**
 * Fails if workers are running. The workers of a copied store would otherwise do the jobs of the
 * original.
 */
const mustBeQuiet = Effect.gen(function* () {
  const { now, workers } = yield* Effect.flatMap(WorkerRegistry, ({ survey }) => survey)
  if (!workers.some((worker) => Heartbeat.isAlive(worker, now))) return
  const sentence =
    "Workers are running on this database. Stop those that use another media store, or pass " +
    "--yes, which also takes the store from another database."
  return yield* new Refusal({ sentence })
})

const adoptMedia = Command.make(
  "adopt",
  {
    yes: makeSwitch(
      "yes",
      "Proceed even if processes are running, or the store belongs to another database"
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
      () => "The configured media store now belongs to the configured database."
    )
  }, onStore)
).pipe(Command.withDescription("Assign the configured media store to the configured database"))

export const media = Command.make("media").pipe(
  Command.withDescription("Assign the media store to the database"),
  Command.withSubcommands([adoptMedia])
)
