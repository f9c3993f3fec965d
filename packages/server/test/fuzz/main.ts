/**
 * `npm run fuzz -- --requests 1000000 --seed 1`: generated and broken requests to every operation
 * of a server. Ends with 1 when an answer was wrong, or the server holds more than before.
 */
import { parseArgs } from "node:util"
import { run } from "./Run.ts"

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" }
  }
})

const { after, answers, before, wrong, wrongCount } = await run({
  requests: Number(values.requests),
  seed: Number(values.seed),
  log: (line) => console.log(line)
})
console.table(answers)
console.log("before", before, "after", after)
for (const line of wrong) console.error(line)
console.log(`${wrongCount} wrong answers`)
process.exitCode = wrongCount > 0 || after.descriptors > before.descriptors ? 1 : 0
