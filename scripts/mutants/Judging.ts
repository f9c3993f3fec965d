/**
 * Whether tests find a fault in a copy of the repository. Tests that fail there without any fault
 * would find every one of them, so they run without a fault first.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import type { Mutant } from "./Mutant.ts"

/** The tests that are run when no seed finds a fault. */
const suites = [
  "packages/adapters/test/memory",
  "packages/core/test",
  "packages/testkit/test/FakeMedia.test.ts"
]

/** A fault may make anything hang. */
const hangMillis = 300_000

/** Without a fault all tests run at once: none of them hangs, and together they take longer. */
const soundMillis = 1_800_000

/** What a program says when it fails; none when it does not. */
const asked = (
  folder: string,
  { given, timeout }: { readonly given: ReadonlyArray<string>; readonly timeout: number }
): string | undefined => {
  const { status, stdout } = spawnSync(process.execPath, [...given], {
    cwd: folder,
    encoding: "utf8",
    timeout
  })
  return status === 0 ? undefined : stdout
}

/** The first seed that finds it; a run that never ends has found it too. */
const bySimulation = (folder: string, timeout = hangMillis): string | undefined => {
  const given = ["--conditions=@verbatim/source", "scripts/mutants/seeds.ts"]
  const told = asked(folder, { given, timeout })
  return told === undefined ? undefined : told.trim() || "the simulation does not end"
}

const failed = /(?:FAIL|×)\s+(.*)/

const byTests = (
  folder: string,
  { paths, timeout = hangMillis }: { readonly paths: ReadonlyArray<string>; timeout?: number }
): string | undefined => {
  const given = ["node_modules/vitest/vitest.mjs", "run", "--bail", "1", ...paths, "--no-color"]
  const told = asked(folder, { given, timeout })
  return told === undefined ? undefined : (failed.exec(told)?.[1] ?? "the tests do not end")
}

/** What fails in a copy before any fault is put into it; none when it can be judged there. */
export const findBaseline = (
  folder: string,
  mutants: ReadonlyArray<Mutant>
): string | undefined => {
  const named = mutants.flatMap(({ tests = suites }) => tests)
  const isSimulated = mutants.some(({ tests }) => tests === undefined)
  const bySeed = isSimulated ? bySimulation(folder, soundMillis) : undefined
  return bySeed ?? byTests(folder, { paths: [...new Set(named)], timeout: soundMillis })
}

/** The file with the fault in it. Text that is no program would be found by everybody. */
export const breakText = (sound: string, { fault, file, instead, text }: Mutant): string => {
  if (sound.split(text).length !== 2) throw new Error(`${fault}: the text is not once in ${file}`)
  const broken = sound.replace(text, () => instead)
  try {
    stripTypeScriptTypes(broken)
  } catch (cause) {
    throw new Error(`${fault}: ${file} is no program any more`, { cause })
  }
  return broken
}

/** What finds a fault; none when nothing does. */
export const findFault = (folder: string, mutant: Mutant): string | undefined => {
  const path = join(folder, mutant.file)
  const sound = readFileSync(path, "utf8")
  writeFileSync(path, breakText(sound, mutant))
  try {
    if (mutant.tests !== undefined) return byTests(folder, { paths: mutant.tests })
    return bySimulation(folder) ?? byTests(folder, { paths: suites })
  } finally {
    writeFileSync(path, sound)
  }
}
