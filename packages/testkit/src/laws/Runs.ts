/**
 * How often random cases are tried. `npm test` tries few of them, so that it stays short; the
 * variable `VERBATIM_TEST_RUNS=10` makes it ten times as many, wherever tests ask this.
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
