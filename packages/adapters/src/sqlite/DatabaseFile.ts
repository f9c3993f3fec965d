/**
 * The file of a database holds what people said: nobody but its owner may read it.
 */
import { closeSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import type { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { attempt } from "./SqliteAttempt.ts"

const ownerOnly = { directory: 0o700, file: 0o600 }

/** Whether a name is not one of SQLite's for a database in memory, or a temporary one. */
export const isFile = (filename: string): boolean => filename !== "" && filename !== ":memory:"

/**
 * Makes the file and the directories above it where they are missing, for the owner alone; existing
 * ones keep their permissions. SQLite gives the files beside it (`-wal`, `-shm`) those of the file.
 */
export const makePrivate = (filename: string): Effect.Effect<void, SqlError.SqlError> =>
  attempt("open", () => {
    if (!isFile(filename)) return
    mkdirSync(dirname(filename), { recursive: true, mode: ownerOnly.directory })
    closeSync(openSync(filename, "a", ownerOnly.file))
  })
