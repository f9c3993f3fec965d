/** Prints the hashes of the traces of some seeds. Tests run this file in a separate process. */
import { run } from "#src/simulation/Simulation"

const [from = "1", to = "1"] = process.argv.slice(2)
for (let seed = Number(from); seed <= Number(to); seed++) {
  console.log(`${seed} ${run({ seed }).hash}`)
}
