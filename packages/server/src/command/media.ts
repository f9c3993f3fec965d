/** `verbatim media`: reassigns the media store after an operator has moved it. */
import { WorkerRegistry } from "@verbatim/core/ports"
import { adopt } from "@verbatim/core/services"
import { Heartbeat } from "@verbatim/core/worker"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { configuration } from "../Configuration.ts"
import * as Media from "../Media.ts"
import { makeLocalCommand } from "./ApiFlags.ts"
import { makeSwitch } from "./flags.ts"
import { onStore } from "./operation.ts"
import { Refusal } from "./Refusal.ts"

/**
 * Fails if workers are running; otherwise the workers of a copied store would run the original
 * store's jobs.
 */
const mustBeQuiet = Effect.gen(function* () {
  const { now, workers } = yield* Effect.flatMap(WorkerRegistry, ({ survey }) => survey)
  if (!workers.some((worker) => Heartbeat.isAlive(worker, now))) return
  const sentence =
    "Workers are running on this database. Stop those that use another media store, or pass " +
    "--yes, which also takes the store from another database."
  return yield* new Refusal({ sentence })
})

/** Assigns the media store to the database, unless the store belongs to another database. */
const adoptStore = Effect.fnUntraced(function* (mayTake: boolean) {
  const settings = yield* configuration
  if (!mayTake) yield* mustBeQuiet
  const standing = yield* Effect.provide(adopt({ mayTake }), Media.layer(settings))
  if (standing._tag !== "Ours") return yield* new Refusal({ sentence: standing.sentence })
  return { adopted: true }
}, onStore)

const adoptMedia = makeLocalCommand("adopt", {
  description: "Assign the configured media store to the configured database",
  flags: {
    yes: makeSwitch(
      "yes",
      "Proceed even if processes are running, or the store belongs to another database"
    )
  },
  run: ({ yes }) => adoptStore(yes),
  text: () => "The configured media store now belongs to the configured database."
})

export const media = Command.make("media").pipe(
  Command.withDescription("Assign the media store to the database"),
  Command.withSubcommands([adoptMedia])
)
