/**
 * The promises of a `PresetStore` about labels: how they move, and what is remembered of that.
 */
import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type LabelMove, type Preset } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { presetId, userId } from "../../../samples/Ids.ts"
import {
  designationsOf,
  findStored,
  growPreset,
  label,
  labelMovesOf,
  makeDraft,
  moveLabel,
  removeLabel,
  revisePreset
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

/** Lets events happen one after the other; returns the preset after them. */
const happen = Effect.fnUntraced(function* (preset: Preset, events: ReadonlyArray<Event>) {
  let stored = preset
  for (const [index, event] of events.entries()) {
    stored = yield* revisePreset(stored, event, userId(index + 1))
  }
  return stored
})

/** How moves change where a label points. */
const stepsOf = (moves: ReadonlyArray<LabelMove>) =>
  moves.map(({ from, revision, to }) => [revision, from, to])

const labelledAt = (text: string, millis: number) =>
  Effect.flatMap(PresetStore, (store) =>
    Effect.map(
      store.labelledAt(presetId(1), { label: label(text), at: later(millis) }),
      Option.map(({ version }) => version)
    )
  )

const expectAt = Effect.fnUntraced(function* (
  text: string,
  expected: ReadonlyArray<readonly [millis: number, version: number | undefined]>
) {
  for (const [millis, version] of expected) {
    yield* Expect.that(`${text} after ${millis} ms`, yield* labelledAt(text, millis)).is(
      Option.fromUndefinedOr(version)
    )
  }
})

/** What a `PresetStore` promises about labels. */
export const labelCases: ReadonlyArray<Case<Ports>> = workspaceCases(PresetStore, {
  *"keeps where each label points, whatever else happens to the preset"(store) {
    const { preset, versions } = yield* growPreset(2)
    const [first, second] = versions
    if (first === undefined || second === undefined) {
      return yield* Expect.holds("each draft became a version", false)
    }
    const events = [
      moveLabel("production", first, later(10)),
      moveLabel("constructor", second, later(11)),
      moveLabel("production", second, later(12)),
      Event.cases.Described.make({ at: later(13), name: "Support", description: null }),
      removeLabel("constructor", later(14)),
      moveLabel("a_b-c", first, later(15)),
      Event.cases.Shelved.make({ at: later(16) }),
      Event.cases.Resumed.make({ at: later(17) })
    ]
    let stored = preset
    for (const event of events) {
      stored = yield* revisePreset(stored, event)
      yield* Expect.that(`it is as ${event._tag} left it`, (yield* findStored()).preset).is(stored)
    }
    const { preset: grown } = yield* store.append(makeDraft(3))
    yield* Expect.that("a version leaves all labels alone", grown.labels).is(stored.labels)
  },
  *"remembers who moved a label when, from where and to where, and who took it away"() {
    const { preset, versions } = yield* growPreset(2)
    const [first, second] = versions
    if (first === undefined || second === undefined) {
      return yield* Expect.holds("each draft became a version", false)
    }
    yield* happen(preset, [
      moveLabel("production", first, later(10)),
      moveLabel("staging", second, later(11)),
      moveLabel("production", second, later(9)),
      removeLabel("production", later(13)),
      moveLabel("production", second, later(14))
    ])
    const told = [
      { revision: 3, from: null, to: 1, by: userId(1), at: later(10) },
      { revision: 5, from: 1, to: 2, by: userId(3), at: later(9) },
      { revision: 6, from: 2, to: null, by: userId(4), at: later(13) },
      { revision: 7, from: null, to: 2, by: userId(5), at: later(14) }
    ]
    yield* Expect.that("these moves happened", yield* labelMovesOf(preset.id, "production")).is(
      told.map((each) => ({
        presetId: preset.id,
        label: label("production"),
        ...each
      }))
    )
  },
  *"keeps the moves of labels apart, of presets, and from designations"(store) {
    const one = yield* growPreset(2)
    const other = yield* growPreset(1, { first: 10, text: "sales" })
    const [first] = one.versions
    const [sold] = other.versions
    if (first === undefined || sold === undefined) {
      return yield* Expect.holds("each draft became a version", false)
    }
    yield* happen(one.preset, [moveLabel("production", first), moveLabel("staging", first)])
    yield* happen(other.preset, [moveLabel("production", sold)])
    const counts = yield* Effect.forEach(
      [
        [1, "production"],
        [1, "staging"],
        [10, "production"],
        [10, "staging"],
        [99, "production"]
      ] as const,
      ([number, text]) =>
        Effect.all([
          Effect.map(labelMovesOf(presetId(number), text), ({ length }) => length),
          store.labelMoveCount(presetId(number), label(text))
        ])
    )
    yield* Expect.that("one each, and none of what is not there", counts).is([
      [1, 1],
      [1, 1],
      [1, 1],
      [0, 0],
      [0, 0]
    ])
    yield* Expect.that(
      "no label was designated",
      (yield* designationsOf(one.preset.id)).map(({ to }) => to)
    ).is([1, 2])
    yield* Expect.that(
      "what is designated at an instant is no label",
      Option.map(yield* store.designatedAt(presetId(1), later(99)), ({ version }) => version)
    ).is(Option.some(2))
  },
  *"answers the stretch of the moves that a page asks for"(store) {
    const { preset, versions } = yield* growPreset(3)
    const events = [...versions, ...versions].map((version) => moveLabel("production", version))
    yield* happen(preset, events)
    const all = yield* labelMovesOf(preset.id, "production")
    yield* Expect.that(
      "each begins where the one before ended",
      stepsOf(all).map(([, from, to]) => [from, to])
    ).is([
      [null, 1],
      [1, 2],
      [2, 3],
      [3, 1],
      [1, 2],
      [2, 3]
    ])
    for (const [offset, limit] of [
      [0, 0],
      [0, 2],
      [2, 3],
      [5, 5],
      [6, 1]
    ] as const) {
      yield* Expect.that(
        `${limit} after ${offset}`,
        yield* store.labelMoves(preset.id, { label: label("production"), offset, limit })
      ).is(all.slice(offset, offset + limit))
    }
  },
  *"knows where a label pointed at an instant, and that there was none"() {
    const { preset, versions } = yield* growPreset(2)
    const [first, second] = versions
    if (first === undefined || second === undefined) {
      return yield* Expect.holds("each draft became a version", false)
    }
    yield* happen(preset, [
      moveLabel("production", first, later(10)),
      moveLabel("staging", second, later(15)),
      moveLabel("production", second, later(20)),
      removeLabel("production", later(30)),
      moveLabel("production", first, later(40))
    ])
    yield* expectAt("production", [
      [9, undefined],
      [10, 1],
      [19, 1],
      [20, 2],
      [29, 2],
      [30, undefined],
      [39, undefined],
      [40, 1],
      [1_000_000, 1]
    ])
    yield* expectAt("staging", [
      [14, undefined],
      [15, 2]
    ])
    yield* expectAt("canary", [[1_000, undefined]])
  },
  *"takes the last of a label's moves up to an instant when a clock went back"() {
    const { preset, versions } = yield* growPreset(2)
    const [first, second] = versions
    if (first === undefined || second === undefined) {
      return yield* Expect.holds("each draft became a version", false)
    }
    yield* happen(preset, [
      moveLabel("production", first, later(20)),
      moveLabel("production", second, later(10)),
      removeLabel("production", later(15))
    ])
    yield* expectAt("production", [
      [9, undefined],
      [10, 2],
      [15, undefined],
      [20, undefined]
    ])
  }
})
