/**
 * How the tests run: on the sources, never on a stale build. `npm test` runs what a contributor
 * needs, `npm run test:all` everything. A run that names its files runs those.
 */
import { matchesGlob } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The first is ours: under it a package is its TypeScript source. Vite's own ones follow. */
const conditions = ["@verbatim/source", "node", "development|production"]

/**
 * Files for `npm run test:all` alone, those that take longest first: they kill processes, run
 * engines and programs in breadth, or try stores as hosts open them.
 */
const thorough = [
  "packages/testkit/test/simulation/Plants",
  "packages/adapters/test/host/HostClients",
  "packages/console/test/{Interruptions,Surroundings,Handling,Stories,Pictures}",
  "examples/test/{Hosts,Bundles,examples}",
  "packages/adapters/test/whisper/{WhisperTranscriber,SpeechDetector}",
  "packages/adapters/test/whisper/AutomaticTranscriber",
  "packages/server/test/{FaultsPostgres,Faults,LiveKill,Upgrade,Backup,Copy,Crash}",
  "packages/adapters/test/ffmpeg/{Sound,HostileMedia,AudioDecoder,BrokenFfmpeg}",
  "packages/adapters/test/packages/OptionalPackages",
  "packages/server/test/{Tenants,Readiness,Postgres,Verdicts,ClosedConnections,Doctor}",
  "packages/testkit/test/{Contracts,own/Contracts}",
  "packages/testkit/test/tutorial/Simulation",
  "packages/adapters/test/sqlite/{SqliteConcurrency,SqliteCrash}",
  "packages/adapters/test/postgres/{Poolers,PostgresConcurrency,PostgresOutage}",
  "packages/adapters/test/postgres/{FeedInterleavings,PostgresPlans,PostgresMigrations}",
  "packages/server/test/presets/{RoundTrip,Commands}",
  "packages/adapters/test/copy/*",
  "packages/adapters/test/net/HostileRequests",
  "packages/adapters/test/{pocketsphinx/*,openai/Uploads,s3/S3MediaStore,speech/*}",
  "packages/adapters/test/filesystem/FilesystemMediaStore",
  "packages/server/test/{Transcribe,Lingering,Messages,Whisper,Engines,Guide}",
  "packages/server/test/{Traces,HealthReport,LogSecrets,Refusals,Commands}",
  "packages/server/test/metrics/Metrics",
  "packages/http/test/transcription/{TranscriptionUrls,MultipartEvents}",
  "packages/http/test/DirectRoutes",
  "scripts/test/SameApi"
].map((name) => `${name}.test.ts`)

/** Files that need a process of their own: they measure its memory, or own their server. */
const alone = [
  "packages/adapters/test/ffmpeg/HostileMedia.test.ts",
  "packages/adapters/test/postgres/PostgresDatabase.test.ts",
  "packages/adapters/test/postgres/PostgresOutage.test.ts"
]

/** Long files first: no worker is left with one of them at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const root = fileURLToPath(new URL(".", import.meta.url))
    const place = ({ moduleId, project }: TestSpecification) => {
      if (project.name === "alone") return -1
      const path = moduleId.slice(root.length).replaceAll("\\", "/")
      const found = thorough.findIndex((pattern) => matchesGlob(path, pattern))
      return found < 0 ? thorough.length : found
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

// Programs that tests start compile nothing that was compiled before.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL("node_modules/.cache/compile", import.meta.url)
)

const namesFiles = process.argv
  .slice(2)
  .some((argument) => /[/.]test\b|^(?:packages|examples|scripts)\b/.test(argument))

export default defineConfig(({ mode }) => {
  const isWhole = mode === "all"
  // Read by `chooseCases` and `scaleRuns` of the testkit.
  if (isWhole) process.env.VERBATIM_TEST = "all"
  const left = isWhole || namesFiles ? [] : thorough
  return {
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
            exclude: ["**/node_modules/**", ...alone, ...left],
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
      // For what hangs, however busy the machine is: no test judges by the clock.
      testTimeout: 600_000,
      hookTimeout: 600_000
    }
  }
})
