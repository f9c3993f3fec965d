/**
 * Resolves and downloads the recogniser's packages with apt, so that the packages match the system
 * and are verified with the system's keys. Nothing is installed: apt only simulates and downloads.
 */
import { join } from "node:path"
import { env, getuid } from "node:process"
import { Duration, Effect, FileSystem, Option, Schedule, Schema, Struct } from "effect"
import { type Command, type CommandError, linesOf, printable, run } from "../processes/Command.ts"

/** The reasons why there is no recogniser, each with advice for the operator. */
const obstacles = {
  AptMissing: [
    "PocketSphinx is fetched with apt-get and dpkg, and this system has none",
    "Choose another engine"
  ],
  PackageUnknown: [
    "apt does not know the packages of PocketSphinx; its lists may be missing",
    "Run apt-get update as root and try again"
  ],
  DownloadFailed: ["apt could not download PocketSphinx", "Try again"],
  FolderUnusable: [
    "PocketSphinx could not be unpacked into the cache directory",
    "Choose another cache directory"
  ],
  NotStarting: ["PocketSphinx was unpacked, but does not start", "Choose another engine"]
} as const

export type Obstacle = keyof typeof obstacles

/** The recogniser could not be provided. */
export class InstallerError extends Schema.TaggedError<InstallerError>()("InstallerError", {
  obstacle: Schema.Literals(Struct.keys(obstacles)),
  /** The error's details, for the operator's log. */
  detail: Schema.String
}) {
  /** The problem and its remedy, without paths or external text. */
  get sentence(): string {
    const [happened, advice] = obstacles[this.obstacle]
    return (
      `${happened}. ${advice}, or install the packages pocketsphinx and pocketsphinx-en-us, ` +
      "so that pocketsphinx_continuous is on PATH."
    )
  }
}

/** Reports progress, one line at a time. */
export type Report = (line: string) => Effect.Effect<void>

/** The required packages; apt finds their dependencies. */
const wantedPackages = ["pocketsphinx", "pocketsphinx-en-us"]

/**
 * Maximum number of packages. A bare Debian 12 needs 26. If far more are needed, much of the system
 * would have to be replaced.
 */
const packageMax = 150

/**
 * Time limit for a local step. Resolving the packages takes a second, as does unpacking the largest
 * package.
 */
const localTimeout = Duration.minutes(2)

/** Time limit for the download: enough for the 31 MB that a bare Debian 12 needs, at 1 Mbit/s. */
const networkTimeout = Duration.minutes(10)

const outputByteMax = 4 * 1024 * 1024

/** apt gives up on an unresponsive mirror after three attempts of 30 s. */
const networkOptions = ["-o", "Acquire::Retries=2", "-o", "Acquire::http::Timeout=30"]

/**
 * Maximum number of retries while another apt process locks the package lists, usually for a few
 * seconds.
 */
const lockRetryMax = 30
const lockDelay = Duration.seconds(2)

/**
 * Downloads packages, by default the recogniser with all missing dependencies. Returns the paths of
 * the `.deb` files, which exist until the scope closes. Missing or old package lists are updated
 * once, which only root can do.
 */
export const download = Effect.fnUntraced(function* (
  report: Report,
  findPackages: ReturnType<typeof missingPackages> = missingPackages(wantedPackages)
) {
  const attempt = Effect.flatMap(findPackages, (packages) => downloadNamed(packages, report))
  return yield* Effect.catchIf(attempt, isCuredByUpdate, () =>
    Effect.gen(function* () {
      yield* report("Fetching the package lists: apt-get update")
      // A failed update is ignored, because it may affect only lists that are not needed here. The
      // next step shows whether the existing lists are enough.
      yield* Effect.catch(update, ({ detail }) => report(`apt-get update: ${detail}`))
      return yield* attempt
    })
  )
})

/** Unpacks a package into a folder, but runs no scripts. */
export const unpack = (file: string, folder: string) =>
  execute({ program: "dpkg", arguments: ["-x", file, folder] }, "FolderUnusable")

const isRoot = getuid?.() === 0

const isCuredByUpdate = ({ obstacle }: InstallerError) =>
  isRoot && (obstacle === "PackageUnknown" || obstacle === "DownloadFailed")

const update = Effect.suspend(() =>
  execute(
    { program: "apt-get", arguments: ["update", ...networkOptions], timeout: networkTimeout },
    "PackageUnknown"
  )
).pipe(
  Effect.retry({
    while: ({ detail }) => detail.includes("lock"),
    schedule: Schedule.spaced(lockDelay),
    times: lockRetryMax
  })
)

/** Returns the required packages and dependencies that are not installed in any version. */
export const missingPackages = Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
  const account = yield* execute(
    {
      program: "apt-get",
      arguments: ["install", "--simulate", "--no-install-recommends", ...wanted]
    },
    "PackageUnknown"
  )
  const packages = Array.from(new Set([...wanted, ...parseMissing(account)]))
  if (packages.length <= packageMax) return packages
  const detail = `${packages.length} packages would be needed`
  return yield* new InstallerError({ obstacle: "PackageUnknown", detail })
})

/**
 * Parses apt's simulation and returns the names of packages that are not installed in any version.
 */
export const parseMissing = (account: string): ReadonlyArray<string> =>
  linesOf(account).flatMap((line) => {
    const [, name, present] = /^Inst ([a-z0-9][a-z0-9+.:-]+) (\[)?/.exec(line) ?? []
    return name === undefined || present !== undefined ? [] : [name]
  })

const downloadNamed = Effect.fnUntraced(function* (
  packages: ReadonlyArray<string>,
  report: Report
) {
  const folder = yield* Effect.mapError(downloadFolder, unwritable)
  yield* report(`Downloading ${packages.length} packages: ${packages.join(" ")}`)
  yield* execute(
    {
      program: "apt-get",
      arguments: ["download", ...networkOptions, ...packages],
      folder,
      timeout: networkTimeout
    },
    "DownloadFailed"
  )
  const fs = yield* FileSystem.FileSystem
  const names = yield* Effect.mapError(fs.readDirectory(folder), unwritable)
  const files = names.filter((name) => name.endsWith(".deb")).map((name) => join(folder, name))
  yield* report(`Downloaded ${files.length} packages`)
  return files
})

const unwritable = ({ message }: Error) =>
  new InstallerError({ obstacle: "FolderUnusable", detail: printable(message) })

/**
 * Creates a folder for downloads. When run by root, apt downloads as another user, who must own the
 * folder.
 */
const downloadFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "verbatim-packages-" })
  if (!isRoot) return folder
  const user = yield* Effect.option(
    execute({ program: "id", arguments: ["-u", "_apt"] }, "DownloadFailed")
  )
  // If that user does not exist, apt downloads as root.
  if (Option.isSome(user)) yield* fs.chown(folder, Number(user.value), 0)
  return folder
})

/** Runs one of the system's programs. An exit code other than 0 becomes the given reason. */
const execute = Effect.fnUntraced(function* (
  command: Pick<Command, "program" | "arguments"> & Partial<Pick<Command, "folder" | "timeout">>,
  obstacle: Obstacle
) {
  const ended = yield* run({
    timeout: localTimeout,
    ...command,
    // The program must write English, because its output is parsed.
    environment: { ...env, LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" },
    outputByteMax
  }).pipe(Effect.mapError((error) => fromCommand(error, obstacle)))
  if (ended.exitCode === 0) return ended.output
  const lines = linesOf(ended.errorOutput)
  const detail = printable(lines.find((line) => line.startsWith("E:")) ?? lines.at(-1) ?? "")
  return yield* new InstallerError({ obstacle, detail })
})

const fromCommand = ({ reason }: CommandError, obstacle: Obstacle): InstallerError =>
  reason._tag === "Missing"
    ? new InstallerError({ obstacle: "AptMissing", detail: "a program is missing" })
    : new InstallerError({
        obstacle,
        detail: reason._tag === "Broken" ? printable(reason.detail) : reason._tag
      })
