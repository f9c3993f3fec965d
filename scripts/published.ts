/**
 * Tests the packages as users get them: packs the packages, installs them into empty folders,
 * measures their size, compiles and runs the programs in their READMEs, and uses them in hosts
 * built by frameworks. Does nothing if no package registry can be reached.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { examplesIn } from "./documents/Insertions.ts"
import { type Host, locked, makeHost } from "./packages/Host.ts"
import { tryFrameworks } from "./packages/hosts/tryFrameworks.ts"
import { tryServer } from "./packages/InstalledServer.ts"
import { npm, packAll, readManifest, root } from "./packages/Packing.ts"

/** An installation to test, with its packages, size limit and programs. */
interface Case {
  readonly title: string
  /** The folders of our packages to install. */
  readonly packages: ReadonlyArray<string>
  /** Packages that the host must install in addition. */
  readonly others: ReadonlyArray<string>
  /** The maximum total size in MiB. */
  readonly megabyteMax: number
  /** Additional packages that the programs need. */
  readonly programsNeed: ReadonlyArray<string>
  /** Programs that are compiled but not run. */
  readonly notRun?: Readonly<Record<string, string>>
  readonly tryOut?: (host: Host) => Promise<unknown>
}

const example = "examples/1-embedded/main.ts"
const called = "packages/client/test/tutorial/main.ts"
const tutorial = "packages/testkit/test/tutorial"

const cases: ReadonlyArray<Case> = [
  {
    title: "client alone",
    packages: ["resolution", "client"],
    others: [],
    megabyteMax: 3,
    programsNeed: [],
    notRun: { [called]: "needs a server with an engine" }
  },
  {
    title: "embed with its own engine",
    packages: ["resolution", "client", "core", "adapters", "http", "console", "embed"],
    others: ["effect", "undici"],
    megabyteMax: 80,
    programsNeed: ["@effect/platform-node"],
    notRun: {
      [example]: "would download an engine",
      [called]: "needs a server with an engine"
    },
    tryOut: tryFrameworks
  },
  {
    title: "server",
    packages: ["server"],
    others: [],
    megabyteMax: 120,
    programsNeed: [],
    tryOut: tryServer
  },
  {
    title: "testkit",
    packages: ["resolution", "core", "adapters", "testkit"],
    others: ["effect", "vitest", "@effect/vitest", "fast-check"],
    megabyteMax: 125,
    programsNeed: ["@effect/platform-node"],
    notRun: {
      [`${tutorial}/CachedJobStore.ts`]: "is a part of the next program",
      [`${tutorial}/Contract.test.ts`]: "is run by Vitest",
      [`${tutorial}/Simulation.test.ts`]: "takes minutes"
    },
    tryOut: ({ run }) =>
      run(["node_modules/vitest/vitest.mjs", "run", `${tutorial}/Contract.test.ts`])
  }
]

const programsOf = (folder: string): ReadonlyArray<string> =>
  examplesIn(readFileSync(join(root, "packages", folder, "README.md"), "utf8"))

/** The AI SDK's types need `@types/json-schema`, which its package does not depend on. */
const unread = /ai-sdk/

/** Imports all of a package's entry points, so that all its declarations are checked. */
const doorsOf = (folder: string): ReadonlyArray<string> => {
  const { exports = {}, name } = readManifest(folder)
  return Object.keys(exports)
    .filter((door) => door !== "./package.json" && !unread.test(door))
    .map((door) => `import type {} from "${name}${door.slice(1)}"`)
}

/** The packed packages by folder, and the folder for hosts. */
interface Packed {
  readonly place: string
  readonly tarballs: ReadonlyMap<string, string>
}

const judge = async (
  { megabyteMax, notRun = {}, others, packages, programsNeed, title, tryOut }: Case,
  { place, tarballs }: Packed
): Promise<string> => {
  const host = makeHost(place, "host")
  const paths = packages.map((folder) => tarballs.get(folder) ?? folder)
  await host.install([...paths, ...others.map(locked)])
  const megabytes = host.megabytes()
  const size = `${title}: ${Math.round(megabytes)} MiB`
  if (megabytes > megabyteMax) throw new Error(`${size}, at most ${megabyteMax}`)

  await host.install([...programsNeed, "@types/node"].map(locked))
  const programs = [...new Set(packages.flatMap(programsOf))]
  host.copy(programs)
  host.write("doors.ts", `${packages.flatMap(doorsOf).join("\n")}\n`)
  await host.compile([...programs, "doors.ts"])
  const run = programs.filter((path) => notRun[path] === undefined)
  for (const path of run) await host.run([path])
  await tryOut?.(host)
  return `${size}, ${programs.length} programs compiled, ${run.length} run`
}

const isReachable = async (): Promise<boolean> => {
  try {
    await npm(["view", locked("effect"), "version", "--fetch-retries=0"], { cwd: root })
    return true
  } catch {
    return false
  }
}

/** Tests all cases, one after another, because they would compete for the disk. */
const judgeAll = async (place: string): Promise<void> => {
  const folders = new Set(cases.flatMap(({ packages }) => packages))
  const packed = await packAll([...folders], place)
  const tarballs = new Map(packed.map(({ folder, path }) => [folder, path]))
  for (const each of cases) console.log(await judge(each, { place, tarballs }))
}

if (await isReachable()) {
  const place = mkdtempSync(join(tmpdir(), "verbatim-published-"))
  try {
    await judgeAll(place)
  } catch (cause) {
    console.error(`test:packages: ${Object(cause).message}`)
    process.exitCode = 1
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
} else console.log("test:packages: skipped, because npm's registry cannot be reached")
