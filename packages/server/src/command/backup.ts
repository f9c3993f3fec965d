/** `verbatim backup` and `verbatim restore`. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import type { StoredConfiguration } from "../backup/Backup.ts"
import type { Configuration } from "../Configuration.ts"
import { makeSwitch } from "./flags.ts"
import { explained, jsonFlag, print, readExisting, readStored } from "./operation.ts"

/** Loaded only when it is used, so that other commands start earlier. */
const loadBackup = Effect.promise(() => import("../backup/Backup.ts"))

const folderArgument = (description: string) =>
  Argument.String("folder").pipe(Argument.withDescription(description))

/** `readStored` has refused a store in memory. */
const asStored = (settings: Configuration) => settings as StoredConfiguration

/** Backs up the configured store. */
export const backup = Command.make(
  "backup",
  { folder: folderArgument("A new folder for the backup"), json: jsonFlag },
  Effect.fn(function* ({ folder, json }) {
    const settings = asStored(yield* readExisting)
    const { backUp } = yield* loadBackup
    const done = yield* backUp(settings, folder)
    yield* print(json, done, () => `Complete: ${done.folder}`)
  }, explained)
).pipe(Command.withDescription("Back up database and media to a folder, while in use"))

/** Restores a backup into an empty database. */
export const restore = Command.make(
  "restore",
  {
    folder: folderArgument("The folder of the backup"),
    yes: makeSwitch("yes", "Even if the configured media store belongs to another database"),
    json: jsonFlag
  },
  Effect.fn(function* ({ folder, json, yes }) {
    const settings = asStored(yield* readStored)
    const backups = yield* loadBackup
    const done = yield* backups.restore(settings, { folder, mayTake: yes })
    yield* print(json, done, () => "Complete. Start the processes again.")
  }, explained)
).pipe(Command.withDescription("Restore a backup into the configured, empty database"))
