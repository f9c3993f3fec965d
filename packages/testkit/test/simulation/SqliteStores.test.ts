import { assert, it } from "@effect/vitest"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { run } from "@verbatim/testkit/simulation/Simulation"

const seedCount = 20

it("keeps every guarantee on SQLite, and replays there too", () => {
  const adapters = Sqlite.layer({ filename: ":memory:" })
  for (let seed = 1; seed <= seedCount; seed++) {
    assert.deepStrictEqual(run({ seed, adapters }).violations, [], `seed ${seed}`)
  }
  assert.strictEqual(run({ seed: 3, adapters }).hash, run({ seed: 3, adapters }).hash)
}, 600_000)
