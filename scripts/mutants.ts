/**
 * Breaks the code in many small ways, in a copy, and shows what finds each: a seed of the
 * simulation, or else a case of the contracts, laws and tests of the worker.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { copyOf } from "./mutants/Copy.ts"
import type { Mutant } from "./mutants/Mutant.ts"
import { mutants } from "./mutants/Mutants.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The tests that are run when no seed finds it. */
const suites = [
  "packages/adapters/test/memory",
  "packages/core/test",
  "packages/testkit/test/FakeMedia.test.ts"
]

/** A fault may make anything hang. */
const timeout = 300_000

const asked = (folder: string, given: ReadonlyArray<string>): string | undefined => {
  const { status, stdout } = spawnSync(process.execPath, [...given], {
    cwd: folder,
    encoding: "utf8",
    timeout
  })
  return status === 0 ? undefined : stdout
}

/** The first seed that finds it; a run that never ends has found it too. */
const bySimulation = (folder: string): string | undefined => {
  const given = ["--conditions=@verbatim/source", "scripts/mutants/seeds.ts"]
  const told = asked(folder, given)
  return told === undefined ? undefined : told.trim() || "the simulation does not end"
}

const failed = /(?:FAIL|×)\s+(.*)/

const byTests = (folder: string, paths: ReadonlyArray<string>): string | undefined => {
  const given = ["node_modules/vitest/vitest.mjs", "run", "--bail", "1", ...paths]
  const told = asked(folder, [...given, "--no-color"])
  return told === undefined ? undefined : (failed.exec(told)?.[1] ?? "the tests do not end")
}

/** What finds a fault; none when nothing does. */
const findIn = (
  folder: string,
  { fault, file, instead, tests, text }: Mutant
): string | undefined => {
  const path = join(folder, file)
  const sound = readFileSync(path, "utf8")
  if (sound.split(text).length !== 2) throw new Error(`${fault}: the text is not once in ${file}`)
  writeFileSync(
    path,
    sound.replace(text, () => instead)
  )
  try {
    if (tests !== undefined) return byTests(folder, tests)
    return bySimulation(folder) ?? byTests(folder, suites)
  } finally {
    writeFileSync(path, sound)
  }
}

/** All of them, or those whose names contain one of the given words. */
const words = process.argv.slice(2)
const wanted = mutants.filter(
  ({ fault }) => words.length === 0 || words.some((word) => fault.includes(word))
)

const { folder, remove } = copyOf(root)
try {
  let survivors = 0
  for (const mutant of wanted) {
    const by = findIn(folder, mutant)
    if (by === undefined) survivors += 1
    console.log(`${by === undefined ? "NOT FOUND" : "found    "}  ${mutant.fault}`)
    if (by !== undefined) console.log(`           ${by}`)
  }
  console.log(`${wanted.length} faults, ${survivors} not found`)
  if (survivors > 0) process.exitCode = 1
} finally {
  remove()
}
