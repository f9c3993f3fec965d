/**
 * The file of a database holds what people said: nobody but its owner may read it.
 */
import { closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
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

/** What tells a file from another one of its name; nothing when there is none. */
const identify = (path: string): string | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

const moved = [
  "The file of the database was removed, moved or replaced: what is written now would be lost.",
  "What was written before is still in the open file, as long as this process runs."
].join(" ")

/**
 * Makes a check of a file that was just opened. It throws when the name stands for no file, or for
 * another one: SQLite would go on writing into a file without a name. SQLite does the same before
 * it writes, except with a WAL.
 */
export const makeIdentityCheck = (filename: string): (() => void) => {
  if (!isFile(filename)) return () => undefined
  const path = resolve(filename)
  const opened = identify(path)
  return () => {
    if (identify(path) !== opened) throw new Error(moved)
  }
}
