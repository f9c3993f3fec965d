/**
 * How much is tried of what could be tried without end. `npm test` tries little of it, and another
 * part with each commit, so that it stays short; `VERBATIM_TEST_RUNS=10` tries ten times as much.
 */

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

/** Which part of the cases that take turns is tried first: a whole number, such as of commits. */
const turn = Number(process.env.VERBATIM_TEST_TURN ?? 0)

/**
 * Of cases that are alike, every `share`-th: each turn tries the next part, and after `share` turns
 * all were tried. The environment can ask for more parts at once.
 */
export const casesInTurn = <A>(cases: ReadonlyArray<A>, share: number): ReadonlyArray<A> => {
  const parts = scaleRuns(1)
  return cases.filter((_, index) => (index + turn) % share < parts)
}
