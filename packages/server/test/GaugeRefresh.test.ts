/** Tests when the gauges of a process are refreshed for a collector. */
import { assert, describe, it } from "@effect/vitest"
import { Gauges } from "@verbatim/core/worker"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as GaugeRefresh from "#src/telemetry/GaugeRefresh"
import { RuntimeMetrics } from "#src/telemetry/RuntimeMetrics"

/** Counts refreshes, of which the second fails. */
const makeGauges = () => {
  const state = { asked: 0 }
  const refresh = Effect.suspend(() => {
    state.asked += 1
    return state.asked === 2 ? Effect.die(new Error("a gauge broke")) : Effect.void
  })
  return { state, layer: Layer.succeed(Gauges, { refresh }) }
}

const counting = Effect.fnUntraced(function* (urls: Readonly<Record<string, string>>) {
  const { layer, state } = makeGauges()
  const gauges = Layer.merge(layer, RuntimeMetrics.layer)
  yield* Layer.build(Layer.provide(GaugeRefresh.layer({ urls }), gauges))
  const seen: Array<number> = []
  for (let count = 0; count < 4; count += 1) {
    yield* TestClock.adjust(count === 0 ? "0 seconds" : "10 seconds")
    seen.push(state.asked)
  }
  return seen
})

describe("a process's gauges", () => {
  it.effect("are refreshed at the start and every ten seconds, even after a failure", () =>
    Effect.gen(function* () {
      const seen = yield* counting({ metrics: "http://localhost:4318/v1/metrics" })
      assert.deepStrictEqual(seen, [1, 2, 3, 4])
    })
  )

  it.effect("are not refreshed if no metrics are exported", () =>
    Effect.gen(function* () {
      const seen = yield* counting({ traces: "http://localhost:4318/v1/traces" })
      assert.deepStrictEqual(seen, [0, 0, 0, 0])
    })
  )
})
