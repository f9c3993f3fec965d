import { assert, it } from "@effect/vitest"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { scaleRuns } from "#src/laws/Runs"
import { upTo } from "#src/samples/Ids"
import { run } from "#src/simulation/Simulation"

const seedCount = scaleRuns(2)

it("keeps every guarantee on SQLite, and repeats a seed exactly", () => {
  const adapters = Sqlite.layer({ filename: ":memory:" })
  const hashes = upTo(seedCount).map((seed) => {
    const { hash, violations } = run({ seed, adapters })
    assert.deepStrictEqual(violations, [], `seed ${seed}`)
    return hash
  })
  assert.strictEqual(run({ seed: 1, adapters }).hash, hashes[0])
}, 600_000)
