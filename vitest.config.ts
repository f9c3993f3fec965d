/** How the tests run: on the sources, never on a stale build; real time is the exception. */
import { execFileSync } from "node:child_process"
import { basename, normalize } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The first is ours: under it a package is its TypeScript source. Vite's own ones follow. */
const conditions = ["@verbatim/source", "node", "development|production"]

/**
 * Files that take longest come first: no worker is left with one of them at the end. Those that
 * mostly wait, for leases to lapse or for programs, take turns with those that compute.
 */
const longest = [
  "Plants.test.ts",
  "PoolStores.test.ts",
  "Console.test.ts",
  "Surroundings.test.ts",
  "Handling.test.ts",
  "Interruptions.test.ts",
  "Bundles.test.ts",
  "Hosts.test.ts",
  "HostPgClient.test.ts",
  // Waits for a lease of 30 s, as the four faults and crashes below.
  "examples.test.ts",
  "HostileJson.test.ts",
  "FaultsPostgres.test.ts",
  "Copy.test.ts",
  "Backup.test.ts",
  "Upgrade.test.ts",
  "CopyKills.test.ts",
  "StoreCopy.test.ts",
  "SqliteStores.test.ts",
  "Faults.test.ts",
  "PostgresStores.test.ts",
  "WhisperTranscriber.test.ts",
  "Settings.test.ts",
  "S3MediaStore.test.ts",
  "Contracts.test.ts",
  "PostgresTogether.test.ts",
  "Crash.test.ts",
  "LiveKill.test.ts",
  "Poison.test.ts",
  "AudioDecoder.test.ts",
  "Simulation.test.ts",
  "Postgres.test.ts",
  "TranscriberContract.test.ts",
  "Fuzz.test.ts",
  "Transcribe.test.ts",
  "LongRecording.test.ts",
  "Whisper.test.ts",
  "EndToEnd.test.ts",
  "SqliteTogether.test.ts",
  "PostgresPlans.test.ts",
  "Speakers.test.ts",
  "Engines.test.ts",
  "Hangs.test.ts",
  "PostgresPresets.test.ts",
  "Signing.test.ts",
  "Commands.test.ts",
  "SameAnswers.test.ts",
  "FilesystemMediaStore.test.ts",
  "Verdicts.test.ts",
  "Suspects.test.ts",
  "StoreFaults.test.ts",
  "Installer.test.ts",
  "PostgresMigrations.test.ts",
  "MediaFetcherContract.test.ts"
]

/**
 * A run that remembers no other one begins with the files that need a process of their own, which
 * ends every worker that meets one of them, and goes on with the longest.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const place = ({ moduleId, project }: TestSpecification) => {
      if (project.name === "alone") return -1
      const found = longest.indexOf(basename(moduleId))
      if (found >= 0) return found
      return inTurn.some((path) => moduleId.endsWith(path)) ? longest.length : longest.length + 1
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

/** Files that need a process of their own: they measure its memory, or own their server. */
const alone = [
  "packages/adapters/test/filesystem/FlatMemory.test.ts",
  "packages/adapters/test/ffmpeg/HostileMedia.test.ts",
  "packages/adapters/test/net/HostileDeliveries.test.ts",
  "packages/adapters/test/postgres/PostgresDatabase.test.ts",
  "packages/adapters/test/postgres/PostgresOutage.test.ts"
]

// Programs that tests start compile nothing that was compiled before.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL("node_modules/.cache/compile", import.meta.url)
)

/** How many commits there are; 0 outside of a repository. */
const countCommits = (): string => {
  try {
    return execFileSync("git", ["rev-list", "--count", "HEAD"], { stdio: "pipe" }).toString().trim()
  } catch {
    return "0"
  }
}

// Each commit tries another part of the cases that take turns.
process.env.VERBATIM_TEST_TURN ??= countCommits()

/**
 * Files of which each commit runs one part, all parts taking about as long: they try engines,
 * programs and protocols in breadth, stores over clients and names of hosts, programs that are
 * bundled or are hosts, crashes, where leases are waited for, and what comes in between while the
 * console is used. What they stand for is tried in each run by others. `.ci/run` runs all of them,
 * and so does a run that names its files.
 */
const parts = [
  [
    "adapters/test/host/PrefixedPostgres",
    "adapters/test/retention/RemovalKills",
    "console/test/Handling"
  ],
  [
    "adapters/test/host/HostPgClient",
    "testkit/test/concurrency/StoreFaults",
    "server/test/Readiness",
    "server/test/Transcribe",
    "server/test/Lingering",
    "server/test/presets/Commands",
    "http/test/DirectRoutes"
  ],
  [
    "adapters/test/host/PoolStores",
    "server/test/presets/RoundTrip",
    "testkit/test/simulation/FeedSimulation",
    "adapters/test/host/HostSqliteClient",
    "adapters/test/postgres/PostgresOutage",
    "adapters/test/postgres/SameAnswers",
    "testkit/test/tutorial/Simulation",
    "adapters/test/sql/SameChoice"
  ],
  [
    "server/test/FaultsPostgres",
    "http/test/transcription/TranscriptionUrls",
    "adapters/test/speech/UsedUp",
    "server/test/Traces",
    "adapters/test/sqlite/SqliteTogether",
    "http/test/transcription/LiveDatabases",
    "server/test/Refusals",
    "server/test/Copy"
  ],
  [
    "../examples/test/Bundles",
    "server/test/Fuzz",
    "adapters/test/pocketsphinx/Installer",
    "testkit/test/simulation/SqliteStores",
    "adapters/test/net/HostileDeliveries",
    "server/test/ClosedConnections",
    "adapters/test/filesystem/FilesystemMediaStore"
  ],
  [
    "../examples/test/Hosts",
    "embed/test/open/LabelRaces",
    "server/test/SpeechMemory",
    "adapters/test/postgres/PostgresTogether",
    "server/test/Messages",
    "server/test/EndToEnd",
    "adapters/test/whisper/SpeechDetector"
  ],
  [
    "server/test/Faults",
    "server/test/LiveKill",
    "adapters/test/sqlite/SqliteMemoryStores",
    "adapters/test/ffmpeg/HostileMedia",
    "adapters/test/ffmpeg/AudioDecoder",
    "adapters/test/postgres/PostgresConcurrency",
    "server/test/Speakers"
  ],
  [
    "testkit/test/Contracts",
    "adapters/test/s3/S3MediaStore",
    "http/test/preset/HostileJson",
    "server/test/Commands",
    "server/test/Engines",
    "adapters/test/packages/OptionalPackages",
    "server/test/metrics/Metrics",
    "console/test/Interruptions"
  ],
  [
    "server/test/Upgrade",
    "server/test/Backup",
    "adapters/test/copy/StoreCopy",
    "server/test/Whisper",
    "adapters/test/postgres/PostgresPlans",
    "adapters/test/pocketsphinx/TranscriberContract",
    "adapters/test/lexrank/Poison"
  ],
  [
    "adapters/test/whisper/WhisperTranscriber",
    "server/test/Settings",
    "adapters/test/host/HostKills",
    "server/test/Postgres",
    "adapters/test/openai/Uploads",
    "server/test/Tenants",
    "http/test/transcription/MultipartEvents"
  ],
  [
    "server/test/Doctor",
    "testkit/test/simulation/Plants",
    "adapters/test/host/PrefixedSqlite",
    "adapters/test/postgres/PostgresPresets",
    "adapters/test/net/MediaFetcherContract",
    "adapters/test/postgres/PostgresMigrations",
    "server/test/LogSecrets"
  ],
  [
    "server/test/Crash",
    "server/test/presets/Killed",
    "adapters/test/copy/CopyKills",
    "server/test/Verdicts",
    "testkit/test/own/Contracts",
    "server/test/Vitals",
    "server/test/LongRecording"
  ]
].map((files) => files.map((path) => normalize(`packages/${path}.test.ts`)))

const inTurn = parts.flat()

const isWhole =
  process.env.VERBATIM_TEST_FILES === "all" ||
  process.argv
    .slice(2)
    .some((argument) => /[/.]test\b|^(?:packages|examples|scripts)\b/.test(argument))

/** A word that is no number is the first turn: none would leave out all of them, in silence. */
const turn = Number(process.env.VERBATIM_TEST_TURN) || 0

/**
 * Whose turn it is in twelve commits moves by one with the next twelve: what takes turns within a
 * file would else meet the same of its cases each time. It moves so that each part comes again
 * after at most thirteen commits; the other way round it would be twenty-three.
 */
const part = (turn - Math.floor(turn / parts.length)) % parts.length

/** Whose turn it is not. */
const left = isWhole ? [] : parts.filter((_, place) => place !== part).flat()

export default defineConfig({
  // Without "module": what packages give for it is for bundlers, and Node cannot load all of it.
  ssr: { resolve: { conditions, externalConditions: conditions } },
  // Where the global set-up runs.
  environments: { __vitest__: { resolve: { conditions, externalConditions: conditions } } },
  test: {
    projects: [
      // Loading `effect` and the sources takes a second of each process: most files share theirs.
      {
        extends: true,
        test: {
          name: "together",
          include: ["{packages/*,examples,scripts}/test/**/*.test.ts"],
          exclude: [...alone, ...left],
          isolate: false,
          globalSetup: [
            "packages/adapters/test/postgres/SharedServer.ts",
            "packages/server/test/Bundles.ts"
          ]
        }
      },
      { extends: true, test: { name: "alone", include: alone, exclude: left } }
    ],
    pool: "forks",
    // The threads of a collector compete with the tests of other workers.
    execArgv: ["--single-threaded-gc"],
    // Two more than the cores of a small machine: some files wait, for leases to lapse or for
    // processes that they started. Six take longer than four there.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // For what hangs, however busy the machine is: no test judges by the clock. Those that take
    // longest take half a minute on an idle one.
    testTimeout: 600_000,
    hookTimeout: 600_000
  }
})
