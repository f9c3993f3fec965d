import { type ExecFileSyncOptionsWithStringEncoding, execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { scaleRuns } from "#src/contracts/Expect"
import { upTo } from "#src/samples/Ids"
import { lines } from "#src/simulation/record/Trace"
import { run } from "#src/simulation/Simulation"

const root = fileURLToPath(new URL("../../../..", import.meta.url))

/** Returns a number that changes with each Git commit, so that many seeds are tested over time. */
const commitNumber = (): number => {
  try {
    const options: ExecFileSyncOptionsWithStringEncoding = { cwd: root, encoding: "utf8" }
    const hash = execFileSync("git", ["rev-parse", "HEAD"], options)
    return Number.parseInt(hash.slice(0, 7), 16)
  } catch {
    // The folder may not be a Git repository, but a released package.
    return 1
  }
}

/** Number of seeds in this test. `npm run simulate` runs twenty thousand. */
const seedCount = scaleRuns(8)

/**
 * Time limit for the seeds, which take about two seconds on an idle machine and far longer on a
 * shared one.
 */
const timeoutMillis = 600_000

const replayCount = 5

describe("The simulation", () => {
  const first = commitNumber()

  it(
    `keeps every guarantee for seeds ${first} to ${first + seedCount - 1}`,
    () => {
      for (let seed = first; seed < first + seedCount; seed++) {
        const { trace, violations } = run({ seed })
        const told = () => `seed ${seed}\n${lines(trace).join("\n")}`
        assert.deepStrictEqual(violations, [], violations.length > 0 ? told() : "")
      }
    },
    timeoutMillis
  )

  it(
    "reproduces a run from its seed exactly, even in another process",
    () => {
      const last = first + replayCount - 1
      const program = fileURLToPath(new URL("Replay.ts", import.meta.url))
      const given = ["--conditions=@verbatim/source", program, String(first), String(last)]
      const elsewhere = execFileSync(process.execPath, given, { encoding: "utf8", cwd: root })
      const here = Array.from({ length: replayCount }, (_, index) => {
        const seed = first + index
        return `${seed} ${run({ seed }).hash}\n`
      })
      assert.strictEqual(elsewhere, here.join(""))
      assert.strictEqual(new Set(here.map((line) => line.split(" ")[1])).size, replayCount)
    },
    timeoutMillis
  )

  it("can run a seed with only some of its faults, or with none", () => {
    const whole = run({ seed: 34 })
    const [one] = whole.faults
    assert.deepStrictEqual(run({ seed: 34, faults: [] }).faults, [])
    assert.deepStrictEqual(
      run({ seed: 34, faults: one === undefined ? [] : [one] }).faults,
      one === undefined ? [] : [one]
    )
  })
})

const sqliteSeedCount = scaleRuns(2)

it("keeps every guarantee on SQLite, and reproduces a run from its seed exactly", () => {
  const adapters = Sqlite.layer({ filename: ":memory:" })
  const hashes = upTo(sqliteSeedCount).map((seed) => {
    const { hash, violations } = run({ seed, adapters })
    assert.deepStrictEqual(violations, [], `seed ${seed}`)
    return hash
  })
  assert.strictEqual(run({ seed: 1, adapters }).hash, hashes[0])
}, 600_000)
