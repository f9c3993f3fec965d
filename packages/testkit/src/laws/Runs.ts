/**
 * How much is tried of what could be tried without end. `npm test` tries little of it, and another
 * part with each commit, so that it stays short; `VERBATIM_TEST_RUNS=10` tries ten times as much.
 */
import { execFileSync } from "node:child_process"

const variable = "VERBATIM_TEST_RUNS"

const readFactor = (): number => {
  const given = process.env[variable] ?? ""
  const factor = given === "" ? 1 : Number(given)
  if (Number.isFinite(factor) && factor > 0) return factor
  throw new Error(`${variable} is a number above 0, and not "${given}"`)
}

const factor = readFactor()

/** As many runs as usual, times what the environment says. */
export const scaleRuns = (usual: number): number => Math.ceil(usual * factor)

/** How many commits there are; 0 outside of a repository, in a released package for example. */
const readCommitCount = (): number => {
  try {
    const words = ["rev-list", "--count", "HEAD"]
    return Number(execFileSync("git", words, { stdio: ["ignore", "pipe", "ignore"] }).toString())
  } catch {
    return 0
  }
}

let commitCount: number | undefined

/**
 * Of cases that are alike, every `share`-th: each commit tries the next part, and after `share`
 * commits all were tried. The environment can ask for more parts at once.
 */
export const casesInTurn = <A>(cases: ReadonlyArray<A>, share: number): ReadonlyArray<A> => {
  commitCount ??= readCommitCount()
  const turn = commitCount
  const parts = scaleRuns(1)
  return cases.filter((_, index) => (index + turn) % share < parts)
}
