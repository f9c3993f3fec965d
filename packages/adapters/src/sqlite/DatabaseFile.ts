/**
 * Creates the database file, which only its owner can read because it contains recorded speech.
 * Also checks that the file is not replaced later.
 */
import { closeSync, openSync, realpathSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { makeFolders } from "../filesystem/makeFolders.ts"
import { attempt } from "./SqliteConnection.ts"

const ownerOnly = { directory: 0o700, file: 0o600 }

/**
 * Whether a name is a file name, rather than one of SQLite's names for an in-memory or temporary
 * database.
 */
export const isFile = (filename: string): boolean => filename !== "" && filename !== ":memory:"

/**
 * Creates the file and its parent directories if they are missing, with permissions for the owner
 * only. Existing directories and files keep their permissions. SQLite gives the same permissions to
 * the files next to it (`-wal`, `-shm`).
 */
export const makePrivate = (filename: string): Effect.Effect<void, SqlError.SqlError> =>
  attempt("open", () => {
    if (!isFile(filename)) return
    makeFolders(dirname(filename), ownerOnly.directory)
    closeSync(openSync(filename, "a", ownerOnly.file))
  })

/** Returns a file's identity, or undefined if there is no file. */
const identify = (path: string): string | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev} ${found.ino}`
}

/**
 * Returns a file's identity: its inode and birth time, which survive a rename but differ in a copy.
 * The device number is omitted, because it can change when the machine restarts.
 */
export const identifyFile = (filename: string): Effect.Effect<string, SqlError.SqlError> =>
  attempt("open", () => {
    if (!isFile(filename)) return "memory"
    // If the file was moved away, this call fails, so no other file is mistaken for it.
    const { birthtimeNs, ino } = statSync(filename, { bigint: true })
    return `${ino.toString(36)}-${birthtimeNs.toString(36)}`
  })

const movedSentence = [
  "The file of the database was removed, moved or replaced: further writes would be lost.",
  "Earlier writes are still in the open file, as long as this process runs."
].join(" ")

/** Returns a check that throws if the name no longer refers to the original file. */
const makeFileCheck = (path: string): (() => void) => {
  let opened = identify(path)
  return () => {
    const found = identify(path)
    // If the database had no WAL at first, another program may create one later.
    opened ??= found
    if (found !== opened) throw new Error(movedSentence)
  }
}

/**
 * Returns a check for a database that was just opened. The check throws if the database's file is
 * missing or was replaced, because SQLite would keep writing to the old file, which no longer has a
 * name. SQLite itself checks the name before it writes, but not if there is a WAL. Only the WAL
 * contains the latest writes, so if the WAL is missing after a restart, these writes are lost
 * although the database exists.
 */
export const makeIdentityCheck = (filename: string): (() => void) => {
  if (!isFile(filename)) return () => undefined
  const path = resolve(filename)
  // If the database's name is a link, SQLite puts the WAL next to the link's target.
  const target = identify(path) === undefined ? path : realpathSync(path)
  const checks = [path, `${target}-wal`].map(makeFileCheck)
  return () => {
    for (const check of checks) check()
  }
}
