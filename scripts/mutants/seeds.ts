/** Runs seeds until a guarantee breaks, in a process of its own, and says which one and where. */
import { run } from "@verbatim/testkit/simulation"

/** As many as half a minute allows; most faults need a tenth of it. */
const seedMax = 300

for (let seed = 1; seed <= seedMax; seed++) {
  const [violation] = run({ seed }).violations
  if (violation === undefined) continue
  console.log(`seed ${seed}: ${violation.rule}`)
  process.exit(1)
}
