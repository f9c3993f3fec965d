/** Stores that the laws of `Presets` must reject, and the memory adapter, which they accept. */

import { assert, describe, it } from "@effect/vitest"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import { type Contract, findBroken } from "#src/contracts/Contract"
import * as PresetLaws from "#src/laws/PresetLaws"
import { chooseCases } from "#src/laws/Runs"
import { sound } from "./faults/Fault.ts"
import { presetListFaults } from "./faults/PresetListFaults.ts"
import { presetRevisionFaults } from "./faults/PresetRevisionFaults.ts"
import { presetStoreFaults } from "./faults/PresetStoreFaults.ts"

/** Those whose fault shows in what writers are told, or in what is stored after them. */
const found: ReadonlyArray<string> = [
  "leaves a gap: a number is taken before the version is written",
  "loses an update: the number is read before others write",
  "goes on designating the first version",
  "looks at the fence before others write",
  "loses a version that comes between the look and the write of a revision",
  "keeps a designation, but goes on designating the version of before",
  "makes a preset active again by adding a version",
  "numbers a version after the designated one",
  "restores an archived preset by adding a version",
  "takes the creator of a preset for whoever designates",
  "takes every change for a designation",
  "answers the latest version for a number that is not there"
]

const faults = [...presetStoreFaults, ...presetRevisionFaults, ...presetListFaults]

const rejected = (layer: Layer.Layer<Stores, unknown>) => {
  const contract: Contract<PresetLaws.Ports> = { port: "Presets", cases: PresetLaws.laws }
  const subject = PresetLaws.oneDoor.pipe(Layer.provideMerge(layer))
  return findBroken(contract, { layer: subject, advance: (duration) => Effect.sleep(duration) })
}

/** Chance chooses the commands of a run, and seldom those that show a fault. */
const roundMax = 4

/** A run of the laws takes half a second, and shrinking the same again. */
const timeoutMillis = 20_000

describe("The laws of Presets", () => {
  it.live(
    "accept a store without faults",
    () => Effect.map(rejected(sound), (titles) => assert.deepStrictEqual(titles, [])),
    timeoutMillis
  )

  for (const name of chooseCases(found, 3)) {
    it.live(
      `reject a store that ${name}`,
      () =>
        Effect.gen(function* () {
          const planted = faults.find(({ fault }) => fault === name)
          assert.isDefined(planted, "no such fault")
          if (planted === undefined) return
          let broken = yield* rejected(planted.layer)
          for (let round = 1; round < roundMax && broken.length === 0; round++) {
            broken = yield* rejected(planted.layer)
          }
          assert.isNotEmpty(broken)
        }),
      timeoutMillis
    )
  }
})
