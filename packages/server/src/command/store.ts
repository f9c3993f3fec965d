/** `verbatim backup`, `verbatim restore` and `verbatim migrate`: commands for the whole store. */
import { Effect, Layer } from "effect"
import { Argument } from "effect/cli"
import * as Stores from "../Stores.ts"
import { makeLocalCommand } from "./ApiFlags.ts"
import { makeSwitch } from "./flags.ts"
import { readExisting, readStored } from "./operation.ts"

/** Loads the backup module only when it is used, so that other commands start earlier. */
const loadBackup = Effect.promise(() => import("../backup/Backup.ts"))

const folderArgument = (description: string) =>
  Argument.String("folder").pipe(Argument.withDescription(description))

export const backup = makeLocalCommand("backup", {
  description: "Back up the database and media to a folder, even while in use",
  flags: { folder: folderArgument("A new folder for the backup") },
  run: ({ folder }) =>
    Effect.flatMap(readExisting, (settings) =>
      Effect.flatMap(loadBackup, ({ backUp }) => backUp(settings, folder))
    ),
  text: ({ folder }) => `Complete: ${folder}`
})

export const restore = makeLocalCommand("restore", {
  description: "Restore a backup into the configured, empty database",
  flags: {
    folder: folderArgument("The folder of the backup"),
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
