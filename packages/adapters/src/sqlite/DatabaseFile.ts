/**
 * The file of a database holds what people said: nobody but its owner may read it.
 */
import { closeSync, mkdirSync, openSync, realpathSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { attempt } from "./SqliteConnection.ts"

const ownerOnly = { directory: 0o700, file: 0o600 }

/** Whether a name is not one of SQLite's for a database in memory, or a temporary one. */
export const isFile = (filename: string): boolean => filename !== "" && filename !== ":memory:"

/**
 * Makes a directory, and those above it first. Node's own way does not end where the file system
 * takes none, as in `/proc`.
 */
const makeFolders = (path: string): void => {
  const isThere = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (isThere(path)) return
  try {
    mkdirSync(path, { mode: ownerOnly.directory })
  } catch (error) {
    // Another process may have made it meanwhile; what a folder refuses that is there, it refuses.
    if (isThere(path)) return
    if (!isMissing(error) || isThere(dirname(path))) throw error
    makeFolders(dirname(path))
    makeFolders(path)
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

/**
 * Makes the file and the directories above it where they are missing, for the owner alone; existing
 * ones keep their permissions. SQLite gives the files beside it (`-wal`, `-shm`) those of the file.
 */
export const makePrivate = (filename: string): Effect.Effect<void, SqlError.SqlError> =>
  attempt("open", () => {
    if (!isFile(filename)) return
    makeFolders(dirname(filename))
    closeSync(openSync(filename, "a", ownerOnly.file))
  })

/** What tells a file from another one of its name; nothing when there is none. */
const identify = (path: string): string | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

/**
 * What tells a database from a copy of its file: number and birth of the file, which stay when it
 * is renamed. The device is left out, whose number may change when the machine starts.
 */
export const identifyFile = (filename: string): Effect.Effect<string, SqlError.SqlError> =>
  attempt("open", () => {
    if (!isFile(filename)) return "memory"
    // A file that was moved away has no identity: it must not look like another database.
    const { birthtimeNs, ino } = statSync(filename, { bigint: true })
    return `${ino.toString(36)}-${birthtimeNs.toString(36)}`
  })

const moved = [
  "The file of the database was removed, moved or replaced: what is written now would be lost.",
  "What was written before is still in the open file, as long as this process runs."
].join(" ")

/** Makes a check of a file: it throws when the name stands for another one than at first. */
const makeFileCheck = (path: string): (() => void) => {
  let opened = identify(path)
  return () => {
    const found = identify(path)
    // A database without a WAL has one when another program gives it one.
    opened ??= found
    if (found !== opened) throw new Error(moved)
  }
}

/**
 * Makes a check of a database that was just opened. It throws when a name stands for no file, or
 * for another one: SQLite would go on writing into a file without a name. SQLite does the same
 * before it writes, except with a WAL. What was written last is in the WAL alone: a restart without
 * it loses that, though the database is there.
 */
export const makeIdentityCheck = (filename: string): (() => void) => {
  if (!isFile(filename)) return () => undefined
  const path = resolve(filename)
  // Of a link, SQLite has the WAL beside the file that it leads to.
  const target = identify(path) === undefined ? path : realpathSync(path)
  const checks = [path, `${target}-wal`].map(makeFileCheck)
  return () => {
    for (const check of checks) check()
  }
}
