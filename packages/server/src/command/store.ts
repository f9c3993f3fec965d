/**
 * Defines the commands for the whole store: `verbatim backup`, `restore` and `migrate`, and
 * `verbatim media`, which reassigns the media store after an operator has moved it.
 */

import { WorkerRegistry } from "@verbatim/core/ports"
import { adopt } from "@verbatim/core/services"
import { Heartbeat } from "@verbatim/core/worker"
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { configuration } from "../Configuration.ts"
import * as Media from "../Media.ts"
import * as Stores from "../Stores.ts"
import { makeLocalCommand } from "./ApiFlags.ts"
import { makeSwitch, textArgument } from "./flags.ts"
import { onStore, readExisting, readStored } from "./operation.ts"
import { refuse } from "./Refusal.ts"

/** Loads the backup module only when it is used, so that other commands start earlier. */
const loadBackup = Effect.promise(() => import("../backup/Backup.ts"))

export const backup = makeLocalCommand("backup", {
  description: "Back up the database and media to a folder, even while in use",
  flags: { folder: textArgument("folder", "A new folder for the backup") },
  run: ({ folder }) =>
    Effect.flatMap(readExisting, (settings) =>
      Effect.flatMap(loadBackup, ({ backUp }) => backUp(settings, folder))
    ),
  text: ({ folder }) => `Complete: ${folder}`
})

export const restore = makeLocalCommand("restore", {
  description: "Restore a backup into the configured, empty database",
  flags: {
    folder: textArgument("folder", "The folder of the backup"),
    yes: makeSwitch("yes", "Proceed even if the configured media store belongs to another database")
  },
  run: ({ folder, yes }) =>
    Effect.flatMap(readStored, (settings) =>
      Effect.flatMap(loadBackup, ({ restore }) => restore(settings, { folder, mayTake: yes }))
    ),
  text: () => "Complete. Start the processes again."
})

const upToDate = "All migrations are applied."

/** Applies the missing migrations, or only returns the SQL that would apply them. */
const migrateStore = Effect.fnUntraced(function* (isPrinted: boolean) {
  const { database } = yield* readStored
  const checks = yield* Effect.promise(() => import("../doctor/StoreCheck.ts"))
  if (isPrinted) return { statements: yield* checks.printPending(database) }
  const applied = yield* checks.findPending(database)
  yield* Effect.scoped(Layer.build(Stores.layer(database)))
  return { applied }
})

export const migrate = makeLocalCommand("migrate", {
  description: "Migrate the database, or print the SQL for review",
  flags: {
    print: makeSwitch("print", "Print the SQL of missing migrations instead of running it")
  },
  run: ({ print }) => migrateStore(print),
  text: (done) => {
    if ("statements" in done) return done.statements.join("\n\n") || `-- ${upToDate}`
    return done.applied.length === 0 ? upToDate : `Applied: ${done.applied.join(", ")}.`
  }
})

/**
 * Fails if workers are running. Otherwise, the workers of a copied store would run the jobs of the
 * original store.
 */
const mustBeQuiet = Effect.gen(function* () {
  const { now, workers } = yield* Effect.flatMap(WorkerRegistry, ({ survey }) => survey)
  if (!workers.some((worker) => Heartbeat.isAlive(worker, now))) return
  return yield* refuse(
    "Workers are running on this database. Stop those that use another media store, or pass " +
      "--yes, which also takes the store from another database."
  )
})

/** Assigns the media store to the database, unless the store belongs to another database. */
const adoptStore = Effect.fnUntraced(function* (mayTake: boolean) {
  const settings = yield* configuration
  if (!mayTake) yield* mustBeQuiet
  const standing = yield* Effect.provide(adopt({ mayTake }), Media.layer(settings))
  if (standing._tag !== "Ours") return yield* refuse(standing.sentence)
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
