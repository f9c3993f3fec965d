/**
 * The promises of a `PresetStore` about which version was designated when.
 */

import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Event } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { presetId, userId } from "../../../samples/Ids.ts"
import {
  designate as backTo,
  designationsOf,
  makeDraft,
  revisePreset,
  slug
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** The number of the version that was designated that many milliseconds after the first instant. */
const numberAt = (millis: number) =>
  Effect.flatMap(PresetStore, (store) =>
    Effect.map(
      store.designatedAt(presetId(1), later(millis)),
      Option.map(({ version }) => version)
    )
  )

const expectAt = Effect.fnUntraced(function* (
  expected: ReadonlyArray<readonly [millis: number, version: number | undefined]>
) {
  for (const [millis, version] of expected) {
    yield* Expect.that(`after ${millis} ms`, yield* numberAt(millis)).is(
      Option.fromUndefinedOr(version)
    )
  }
})

/** Versions appended at those milliseconds, in this order. */
const appendedAt = Effect.fnUntraced(function* (instants: ReadonlyArray<number>) {
  const store = yield* PresetStore
  return yield* Effect.forEach(instants, (millis, index) =>
    store.append(makeDraft(index + 1, { at: later(millis) }))
  )
})

/** What one writer at a time sees of its designations. */
export const designationCases: ReadonlyArray<Case<PresetStore | WorkspaceStore>> = workspaceCases(
  PresetStore,
  {
    *"remembers who designated which version when, each version first by being added"(store) {
      const first = yield* store.append(makeDraft(1))
      const second = yield* store.append(makeDraft(2))
      const back = yield* revisePreset(second.preset, backTo(first.version, later(3)), userId(7))
      yield* revisePreset(back, backTo(second.version, later(4)), userId(8))
      yield* store.append(makeDraft(5))
      const told = [
        { revision: 1, from: null, to: 1, by: userId(1), at: later(1) },
        { revision: 2, from: 1, to: 2, by: userId(2), at: later(2) },
        { revision: 3, from: 2, to: 1, by: userId(7), at: later(3) },
        { revision: 4, from: 1, to: 2, by: userId(8), at: later(4) },
        { revision: 5, from: 2, to: 3, by: userId(5), at: later(5) }
      ]
      yield* Expect.that("these designations happened", yield* designationsOf(presetId(1))).is(
        told.map((each) => ({ presetId: presetId(1), ...each }))
      )
    },
    *"orders designations as they happened, whatever the clocks said"() {
      yield* appendedAt([50, 40, 60, 10, 10])
      const designations = yield* designationsOf(presetId(1))
      yield* Expect.that(
        "they are in the order of the revisions",
        designations.map(({ revision, to }) => [revision, to])
      ).is([1, 2, 3, 4, 5].map((number) => [number, number]))
    },
    *"counts changes that designate nothing, but does not list them as designations"(store) {
      const { preset } = yield* store.append(makeDraft(1))
      yield* revisePreset(preset, Event.cases.Suspended.make({ at: later(2) }))
      yield* store.append(makeDraft(3))
      const designations = yield* designationsOf(presetId(1))
      yield* Expect.that(
        "two designations happened",
        designations.map(({ from, revision, to }) => [revision, from, to])
      ).is([
        [1, null, 1],
        [3, 1, 2]
      ])
    },
    *"keeps the designations of presets apart, and has none of an unknown one"(store) {
      yield* store.append(makeDraft(1))
      yield* store.append(makeDraft(2, { slug: slug("sales") }))
      const counts = yield* Effect.forEach([1, 2, 3], (number) =>
        Effect.map(designationsOf(presetId(number)), ({ length }) => length)
      )
      yield* Expect.that("one, one and none", counts).is([1, 1, 0])
      yield* Expect.that(
        "nothing of an unknown preset was ever designated",
        yield* store.designatedAt(presetId(3), later(1_000))
      ).is(Option.none())
    },
    *"knows the version that was designated at an instant, to the millisecond"(store) {
      const [first, second] = yield* appendedAt([10, 20])
      if (first === undefined || second === undefined) {
        return yield* Expect.holds("each draft became a version", false)
      }
      yield* revisePreset(second.preset, backTo(first.version, later(30)))
      yield* expectAt([
        [-1, undefined],
        [9, undefined],
        [10, 1],
        [19, 1],
        [20, 2],
        [29, 2],
        [30, 1],
        [1_000_000, 1]
      ])
      yield* Expect.that(
        "it is the whole version",
        yield* store.designatedAt(presetId(1), later(25))
      ).is(Option.some(second.version))
    },
    *"takes the last of the designations up to an instant when a clock went back"() {
      // The third came after the second, from a machine whose clock is behind.
      yield* appendedAt([0, 10, 5, 10, 8])
      yield* expectAt([
        [-1, undefined],
        [0, 1],
        [4, 1],
        [5, 3],
        [7, 3],
        [8, 5],
        [10, 5],
        [11, 5]
      ])
    }
  }
)
