/** `verbatim backup`, `verbatim restore` and `verbatim migrate`: commands for the whole store. */
import { Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import * as Stores from "../Stores.ts"
import { explainErrors } from "./explanation.ts"
import { makeSwitch } from "./flags.ts"
import { jsonFlag, print, quiet, readExisting, readStored } from "./operation.ts"

/** Loads the backup module only when it is used, so that other commands start earlier. */
const loadBackup = Effect.promise(() => import("../backup/Backup.ts"))

/** Explains errors, and hides info lines and the types of the errors. */
const explain = <A, E, R>(command: Effect.Effect<A, E, R>): Effect.Effect<A, unknown, R> =>
  explainErrors(quiet(command))

const folderArgument = (description: string) =>
  Argument.String("folder").pipe(Argument.withDescription(description))

export const backup = Command.make(
  "backup",
  { folder: folderArgument("A new folder for the backup"), json: jsonFlag },
  Effect.fn(function* ({ folder, json }) {
    const settings = yield* readExisting
    const { backUp } = yield* loadBackup
    const done = yield* backUp(settings, folder)
    yield* print(json, done, () => `Complete: ${done.folder}`)
  }, explain)
).pipe(Command.withDescription("Back up database and media to a folder, while in use"))

export const restore = Command.make(
  "restore",
  {
    folder: folderArgument("The folder of the backup"),
    yes: makeSwitch(
      "yes",
      "Proceed even if the configured media store belongs to another database"
    ),
    json: jsonFlag
  },
  Effect.fn(function* ({ folder, json, yes }) {
    const settings = yield* readStored
    const backups = yield* loadBackup
    const done = yield* backups.restore(settings, { folder, mayTake: yes })
    yield* print(json, done, () => "Complete. Start the processes again.")
  }, explain)
).pipe(Command.withDescription("Restore a backup into the configured, empty database"))

const upToDate = "All migrations are applied."

export const migrate = Command.make(
  "migrate",
  {
    print: makeSwitch("print", "Print the SQL of missing migrations instead of running it"),
    json: jsonFlag
  },
  Effect.fn(function* ({ json, print: isPrinted }) {
    const { database } = yield* readStored
    const checks = yield* Effect.promise(() => import("../doctor/StoreCheck.ts"))
    if (isPrinted) {
      const statements = yield* checks.printPending(database)
      return yield* print(json, { statements }, () => statements.join("\n\n") || `-- ${upToDate}`)
    }
    const applied = yield* checks.findPending(database)
    yield* Effect.scoped(Layer.build(Stores.layer(database)))
    yield* print(json, { applied }, () =>
      applied.length === 0 ? upToDate : `Applied: ${applied.join(", ")}.`
    )
  }, explain)
).pipe(Command.withDescription("Migrate the database, or print the SQL for review"))
