/**
 * Checks the free space on each disk that a process writes to, so that a full disk is reported
 * before a write fails. On a full disk, SQLite can report success for a write that changes nothing.
 */
import type { StatsFs } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { shareInFlight } from "@verbatim/core/services"
import { codeOf } from "@verbatim/embed/trouble"
import { Duration, Effect, Option } from "effect"
import type { Configuration } from "./Configuration.ts"

/** A folder that this process writes to, which may not exist yet. */
export interface WriteFolder {
  /** Says what the folder contains, in words that operators understand. */
  readonly name: string
  readonly path: string
}

/** Lists the folders that must stay writable while the process runs. */
export const listWriteFolders = (
  settings: Pick<
    Configuration,
    "bucket" | "database" | "mediaDirectory" | "roles" | "workDirectory"
  >
): ReadonlyArray<WriteFolder> => {
  const { bucket, database, mediaDirectory, roles, workDirectory } = settings
  const isFile = database._tag === "Sqlite" && database.filename !== ":memory:"
  return [
    ...(isFile ? [{ name: "the database", path: dirname(resolve(database.filename)) }] : []),
    ...(Option.isNone(bucket) ? [{ name: "media", path: mediaDirectory }] : []),
    ...(roles.has("worker") ? [{ name: "temporary audio", path: workDirectory }] : [])
  ]
}

const statAbove = async (path: string): Promise<StatsFs> => {
  try {
    return await statfs(path)
  } catch (error) {
    // A folder that does not exist yet will be created on the disk of its parent folder.
    const above = dirname(path)
    if (codeOf(error) !== "ENOENT" || above === path) throw error
    return statAbove(above)
  }
}

/**
 * Returns how many bytes this user can still write to a folder. If the file system does not report
 * this, the space counts as unlimited.
 */
const freeBytes = (path: string): Effect.Effect<number> =>
  Effect.promise(() =>
    statAbove(resolve(path)).then(
      ({ bavail, blocks, bsize }) => (blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize),
      () => Number.POSITIVE_INFINITY
    )
  )

/**
 * A disk counts as unresponsive if it takes longer than this to respond. An unreachable network
 * disk may never respond.
 */
const statTimeout = Duration.seconds(2)

/**
 * A disk with less free space counts as full. SQLite's log alone grows to 4 MB before it is written
 * back, and an operator should be warned while jobs can still finish.
 */
const freeBytesMin = 16 * 1_048_576

const toMegabytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MB`

/**
 * Returns a function that checks one folder. Concurrent callers share one query, so an unresponsive
 * disk blocks only one thread, however often it is checked.
 */
const makeFolderCheck = ({ name, path }: WriteFolder): Effect.Effect<ReadonlyArray<string>> => {
  const free = shareInFlight(freeBytes(path), Duration.zero)
  return Effect.map(Effect.timeoutOption(free, statTimeout), (found) => {
    if (Option.isNone(found)) return [`The disk of ${name} does not respond.`]
    if (found.value >= freeBytesMin) return []
    const lack = `only ${toMegabytes(found.value)} free (${toMegabytes(freeBytesMin)} needed)`
    return [`The disk of ${name} has ${lack}. Free up space.`]
  })
}

/**
 * Creates a check of all disks, which returns a sentence without a path for each disk that is full
 * or unresponsive.
 */
export const makeDiskCheck = (
  folders: ReadonlyArray<WriteFolder>
): Effect.Effect<ReadonlyArray<string>> => {
  const checks = folders.map(makeFolderCheck)
  return Effect.map(Effect.all(checks, { concurrency: "unbounded" }), (troubles) => troubles.flat())
}
