import { assert, describe, it } from "@effect/vitest"
import { countedSeries as series, withRegistry } from "@verbatim/testkit/fakes"
import { Effect } from "effect"
import { coreTable } from "#src/metrics/CoreTable"
import { combineLabels, type MetricRow, seriesMax } from "#src/metrics/MetricTable"
import { makeRecorders, otherValue } from "#src/metrics/Recorders"

const table = {
  visits: {
    name: "verbatim_visits_total",
    help: "Visits.",
    labels: { by: ["day", "night"], side: ["front", "back"] }
  },
  waits: {
    name: "verbatim_wait_seconds",
    help: "Waits.",
    labels: {},
    buckets: [1, 10]
  },
  guests: {
    name: "verbatim_guests",
    help: "Guests.",
    labels: {}
  }
} as const

const { guests, visits, waits } = makeRecorders(table)

describe("metric recorders", () => {
  it.effect("replace label values that the metrics table does not list", () =>
    withRegistry(
      Effect.gen(function* () {
        const names = Array.from({ length: 100 }, (_, index) => `job ${index}`)
        for (const by of names) {
          // @ts-expect-error a value outside the list does not compile either
          yield* visits.record({ by, side: "back" })
        }
        assert.deepStrictEqual(yield* series, [
          { name: "verbatim_visits_total", labels: { by: otherValue, side: "back" }, value: 100 }
        ])
      })
    )
  )

  it.effect("start counters and histograms at zero, but not gauges", () =>
    withRegistry(
      Effect.gen(function* () {
        yield* visits.record({ by: "day", side: "back" }, 5)
        yield* Effect.all([visits.begin, waits.begin, guests.begin])
        const all = yield* series
        assert.deepStrictEqual(all.map(({ value }) => value).sort(), [0, 0, 0, 0, 5])
        assert.isFalse(all.some(({ name }) => name === "verbatim_guests"))
      })
    )
  )
})

describe("the core metrics table", () => {
  const rows: ReadonlyArray<MetricRow> = Object.values(coreTable)

  it("names metrics by the rules of Prometheus", () => {
    for (const { name } of rows) assert.match(name, /^verbatim_[a-z]+(?:_[a-z]+)*$/)
  })

  it("has fewer series than a page of metrics can show", () => {
    const sum = rows.reduce((total, row) => total + seriesMax(row) * (row.buckets?.length ?? 1), 0)
    assert.isBelow(sum, 600)
    for (const row of rows) assert.strictEqual(combineLabels(row).length, seriesMax(row))
  })
})
