/**
 * Breaks the code in many small ways, in a copy, and shows what finds each: a seed of the
 * simulation, or else a case of the contracts, laws and tests of the worker. Nothing is judged in a
 * copy whose tests fail already.
 */
import { fileURLToPath } from "node:url"
import { copyOf } from "./mutants/Copy.ts"
import { findBaseline, findFault } from "./mutants/Judging.ts"
import type { Mutant } from "./mutants/Mutant.ts"
import { mutants } from "./mutants/Mutants.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

const tell = ({ fault }: Mutant, by: string | undefined): void => {
  console.log(`${by === undefined ? "NOT FOUND" : "found    "}  ${fault}`)
  if (by !== undefined) console.log(`           ${by}`)
}

/** All of them, or those whose names, or the paths of whose files, contain one of the words. */
const words = process.argv.slice(2)
const wanted = mutants.filter(
  ({ fault, file }) =>
    words.length === 0 || words.some((word) => fault.includes(word) || file.includes(word))
)

const { folder, remove } = copyOf(root)
try {
  const baseline = findBaseline(folder, wanted)
  if (baseline !== undefined) {
    console.error(`Nothing is judged: without any fault this fails in the copy: ${baseline}`)
    process.exitCode = 2
  } else {
    let survivors = 0
    for (const mutant of wanted) {
      const by = findFault(folder, mutant)
      if (by === undefined) survivors += 1
      tell(mutant, by)
    }
    console.log(`${wanted.length} faults, ${survivors} not found`)
    if (survivors > 0) process.exitCode = 1
  }
} finally {
  remove()
}
