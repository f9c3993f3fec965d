/**
 * Stores that the laws of `Presets` must reject, and the memory adapter, which they must accept.
 */

import { assert, describe, it } from "@effect/vitest"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import { type Contract, findBroken } from "#src/contracts/Contract"
import * as PresetLaws from "#src/laws/PresetLaws"
import { sound } from "./faults/Fault.ts"
import { presetLawFaults } from "./faults/PresetFaults.ts"

const rejected = (layer: Layer.Layer<Stores, unknown>) => {
  const contract: Contract<PresetLaws.Ports> = { port: "Presets", cases: PresetLaws.laws }
  const subject = PresetLaws.singleStore.pipe(Layer.provideMerge(layer))
  return findBroken(contract, { layer: subject, advance: (duration) => Effect.sleep(duration) })
}

/** The commands in a run are random, and rarely show a particular fault. */
const roundMax = 4

/** A run of the laws takes half a second, and shrinking a failed run takes as long again. */
const timeoutMillis = 20_000

describe("The laws of Presets", () => {
  it.live(
    "accept a correct store",
    () => Effect.map(rejected(sound), (titles) => assert.deepStrictEqual(titles, [])),
    timeoutMillis
  )

  for (const [does, layer] of Object.entries(presetLawFaults)) {
    it.live(
      `reject a store that ${does}`,
      () =>
        Effect.gen(function* () {
          let broken = yield* rejected(layer)
          for (let round = 1; round < roundMax && broken.length === 0; round++) {
            broken = yield* rejected(layer)
          }
          assert.isNotEmpty(broken)
        }),
      timeoutMillis
    )
  }
})
