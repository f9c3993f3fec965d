/**
 * The room that is left where a process writes. A full disk is seen before a write fails: SQLite
 * takes a write that changes nothing on a full disk, and says that all is well.
 */
import type { StatsFs } from "node:fs"
import { statfs } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { shareInFlight } from "@verbatim/core/services"
import { codeOf } from "@verbatim/embed/trouble"
import { Duration, Effect, Option } from "effect"
import type { Configuration } from "./Configuration.ts"

/** A folder in which this process writes; it may not be there yet. */
export interface WriteFolder {
  /** What is kept there, as an operator calls it. */
  readonly name: string
  readonly path: string
}

/** The folders of a process that must take writes while it runs. */
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
    // A folder that is made later will be on the disk of the one above it.
    const above = dirname(path)
    if (codeOf(error) !== "ENOENT" || above === path) throw error
    return statAbove(above)
  }
}

/** Bytes that this user may still write there; none where the file system does not say. */
const freeBytes = (path: string): Effect.Effect<Option.Option<number>> =>
  Effect.promise(() =>
    statAbove(resolve(path)).then(
      ({ bavail, blocks, bsize }) => (blocks === 0 ? Option.none() : Option.some(bavail * bsize)),
      () => Option.none()
    )
  )

/** A disk that takes longer, as one behind a network that is gone, counts as silent. */
const statTimeout = Duration.seconds(2)

/**
 * With less, a disk counts as full. SQLite's log alone grows to 4 MB before it is written back, and
 * an operator should hear of it while jobs can still end.
 */
const freeBytesMin = 16 * 1_048_576

const toMegabytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MB`

/** What a disk has and lacks, as part of a sentence; none where there is room. */
const shortage = (bytes: number): Option.Option<string> =>
  bytes < freeBytesMin
    ? Option.some(`only ${toMegabytes(bytes)} free (${toMegabytes(freeBytesMin)} needed)`)
    : Option.none()

/**
 * Makes the question about one place, which all who ask meanwhile share. A disk that went silent
 * holds one thread until it answers, however often it is asked for.
 */
const makeFolderCheck = ({ name, path }: WriteFolder): Effect.Effect<Option.Option<string>> => {
  const free = shareAnswer(freeBytes(path), Duration.zero)
  return Effect.map(
    Effect.timeoutOption(free, statTimeout),
    Option.match({
      onNone: () => Option.some(`The disk of ${name} does not answer.`),
      onSome: Option.match({
        onNone: () => Option.none(),
        onSome: (bytes) =>
          Option.map(shortage(bytes), (lack) => `The disk of ${name} has ${lack}. Free up space.`)
      })
    })
  )
}

/** Makes the question which disks are full, in sentences without a path. */
export const makeDiskCheck = (
  folders: ReadonlyArray<WriteFolder>
): Effect.Effect<ReadonlyArray<string>> => {
  const checks = folders.map(makeFolderCheck)
  return Effect.map(Effect.all(checks, { concurrency: "unbounded" }), (troubles) =>
    troubles.flatMap(Option.toArray)
  )
}
