/**
 * Checks whether the simulation or tests find a fault in a copy of the repository. A test that
 * always fails would find every fault, so all tests first run without a fault.
 */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"

/** A fault to plant: one text in a file, replaced by another. */
export interface Mutant {
  /** The guarantee in docs/guarantees.md that the fault breaks. */
  readonly guarantee: string
  readonly fault: string
  readonly file: string
  /** The text to replace, which must occur once in the file. */
  readonly text: string
  readonly instead: string
  /** The tests that find the fault. If omitted, the simulation finds the fault. */
  readonly tests?: ReadonlyArray<string>
}

/** Time limit for a run with a fault, because a fault can make the run hang. */
const hangMillis = 300_000

/** Time limit for the run without a fault, which runs all tests. */
const soundMillis = 1_800_000

/** A program that runs the simulation with successive seeds until a guarantee is broken. */
const seeds = `
  const { run } = await import("@verbatim/testkit/simulation")
  for (let seed = 1; seed <= 300; seed++) {
    const [violation] = run({ seed }).violations
    if (violation === undefined) continue
    console.log(\`seed \${seed}: \${violation.rule}\`)
    process.exit(1)
  }`

const simulation = ["--conditions=@verbatim/source", "--input-type=module", "--eval", seeds]

const suite = (paths: Iterable<string>) => [
  ...["node_modules/vitest/vitest.mjs", "run", "--bail=1", "--no-color"],
  ...paths
]

/** Runs a program. Returns the program's output if it fails, otherwise undefined. */
const failureOf = (
  folder: string,
  { args, timeout }: { readonly args: ReadonlyArray<string>; readonly timeout: number }
): string | undefined => {
  const options = { cwd: folder, encoding: "utf8", timeout } as const
  const { status, stdout } = spawnSync(process.execPath, args, options)
  if (status === 0) return undefined
  const failed = /(?:FAIL|×)\s+(.*)/.exec(stdout)?.[1]
  return failed ?? (/^seed .*/m.exec(stdout)?.[0] || "the run crashes or does not end")
}

/** Returns why a copy without faults fails, or undefined if the copy can be used. */
export const findBaseline = (
  folder: string,
  mutants: ReadonlyArray<Mutant>
): string | undefined => {
  const paths = new Set(mutants.flatMap(({ tests = [] }) => tests))
  const timeout = soundMillis
  const bySeed = mutants.some(({ tests }) => tests === undefined)
    ? failureOf(folder, { args: simulation, timeout })
    : undefined
  if (paths.size === 0) return bySeed
  return bySeed ?? failureOf(folder, { args: suite(paths), timeout })
}

/**
 * Plants the fault in a file. The file must still compile, because every test would find a fault
 * that does not compile.
 */
export const breakText = (sound: string, { fault, file, instead, text }: Mutant): string => {
  if (sound.split(text).length !== 2)
    throw new Error(`${fault}: ${file} does not contain the text exactly once`)
  const broken = sound.replace(text, () => instead)
  try {
    stripTypeScriptTypes(broken)
  } catch (cause) {
    throw new Error(`${fault}: ${file} does not compile`, { cause })
  }
  return broken
}

/** Returns the test or seed that finds a fault, or undefined if the fault is not found. */
export const findFault = (folder: string, mutant: Mutant): string | undefined => {
  const path = join(folder, mutant.file)
  const sound = readFileSync(path, "utf8")
  writeFileSync(path, breakText(sound, mutant))
  try {
    const args = mutant.tests === undefined ? simulation : suite(mutant.tests)
    return failureOf(folder, { args, timeout: hangMillis })
  } finally {
    writeFileSync(path, sound)
  }
}
