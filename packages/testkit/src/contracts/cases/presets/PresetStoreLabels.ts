/** Contract cases for `PresetStore` about labels and the history of their moves. */
import { PresetStore, type Protection, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type Preset, protectedLabelMax } from "@verbatim/core/preset"
import { Effect } from "effect"
import {
  findStored,
  foundWorkspace,
  label,
  labelMovesOf,
  later,
  makeDraft,
  makePresetVersions,
  makeTwoVersions,
  moveLabel,
  presetId,
  removeLabel,
  revisePreset,
  revisionOf,
  upTo,
  userId,
  workspaceId
} from "../../../samples/index.ts"
import { type Cases, race, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { expectAt } from "./PresetStoreLists.ts"

type Ports = PresetStore | WorkspaceStore

const production = label("production")

/** Applies the events in order; returns the resulting preset. */
const happen = Effect.fnUntraced(function* (preset: Preset, events: ReadonlyArray<Event>) {
  let stored = preset
  for (const [index, event] of events.entries()) {
    stored = yield* revisePreset(stored, event, userId(index + 1))
  }
  return stored
})

/** Fails unless the label pointed to the expected version at each time. */
const expectLabel = (text: string, expected: Readonly<Record<string, number | null>>) =>
  PresetStore.use((store) =>
    expectAt((at) => store.labelledAt(presetId(1), { label: label(text), at }), expected)
  )

export const labelCases: Cases<Ports> = workspaceCases(PresetStore, {
  *"returns the requested page of label moves, and the total number of moves"(store) {
    const { preset, versions } = yield* makePresetVersions(3)
    const events = [...versions, ...versions].map((version) => moveLabel("production", version))
    yield* happen(preset, events)
    const all = yield* labelMovesOf(preset.id, "production")
    const steps = all.map(({ from, to }) => `${from} to ${to}`).join(", ")
    const expected = "null to 1, 1 to 2, 2 to 3, 3 to 1, 1 to 2, 2 to 3"
    yield* Expect.that("each move starts where the previous move ended", steps).is(expected)
    yield* Expect.that("each label and preset has its own number", [
      yield* store.labelMoveCount(preset.id, production),
      yield* store.labelMoveCount(preset.id, label("staging")),
      yield* store.labelMoveCount(presetId(99), production)
    ]).is([6, 0, 0])
    const pages = { 0: 0, 1: 2, 2: 3, 5: 5, 6: 1 }
    for (const [from, limit] of Object.entries(pages)) {
      const offset = Number(from)
      const page = store.labelMoves(preset.id, { label: production, offset, limit })
      yield* page.pipe(Expect.gives(`${limit} after ${from}`, all.slice(offset, offset + limit)))
    }
  },
  *"returns where a label pointed at a given time, even if a clock was set back"() {
    const { first, preset, second } = yield* makeTwoVersions
    yield* happen(preset, [
      moveLabel("production", first, later(10)),
      moveLabel("staging", second, later(15)),
      moveLabel("production", second, later(20)),
      removeLabel("production", later(30)),
      moveLabel("production", first, later(40))
    ])
    yield* expectLabel("production", {
      9: null,
      10: 1,
      19: 1,
      20: 2,
      29: 2,
      30: null,
      39: null,
      40: 1,
      1000000: 1
    })
    yield* expectLabel("staging", { 14: null, 15: 2 })
    yield* expectLabel("canary", { 1000: null })
    const { preset: moved } = yield* findStored()
    // The machine that makes this change has a slow clock. The change is recorded last, but applies
    // from its own timestamp.
    yield* happen(moved, [moveLabel("production", second, later(25))])
    yield* expectLabel("production", { 24: 2, 25: 2, 30: 2, 40: 2 })
    const { preset: back } = yield* findStored()
    yield* happen(back, [removeLabel("production", later(15))])
    yield* expectLabel("production", { 10: 1, 15: null, 40: null })
  }
})

const protection = (text: string, overrides: Partial<Protection> = {}): Protection => ({
  workspaceId: workspaceId(1),
  label: label(text),
  by: userId(1),
  at: later(1),
  ...overrides
})

const listedNames = (number = 1) =>
  PresetStore.use((store) =>
    Effect.map(store.protectedLabels(workspaceId(number)), (all) =>
      all.map((each): string => each.label)
    )
  )

export const protectionCases: Cases<Ports> = workspaceCases(PresetStore, {
  *"lists protected labels by name, with the author and time of each protection"(store) {
    yield* foundWorkspace(2)
    yield* listedNames().pipe(Expect.gives("at first there is none", []))
    yield* store.protect(protection("staging", { by: null, at: later(5) }))
    yield* store.protect(protection("production", { by: userId(3), at: later(4) }))
    yield* store.protect(protection("production", { by: userId(9), at: later(9) }))
    yield* store.protectedLabels(workspaceId(1)).pipe(
      Expect.gives("each label as it was first protected", [
        { label: production, by: userId(3), at: later(4) },
        { label: label("staging"), by: null, at: later(5) }
      ])
    )
    yield* listedNames(2).pipe(Expect.gives("another workspace has no protected labels", []))
    yield* store.unprotect(workspaceId(2), production)
    yield* store.unprotect(workspaceId(1), production)
    yield* store.unprotect(workspaceId(1), production)
    yield* listedNames().pipe(Expect.gives("one protected label is left", ["staging"]))
  },
  *"refuses to protect a label of an unknown workspace"(store) {
    const stray = protection("production", { workspaceId: workspaceId(2) })
    yield* Expect.refuses(store.protect(stray), "WorkspaceMissing")
    yield* listedNames(2).pipe(Expect.gives("no label is protected", []))
  },
  *"protects exactly the allowed number of labels when many calls run concurrently"(store) {
    const many = upTo(protectedLabelMax + 6).map((number) => `label-${number}`)
    const { refused, winners } = yield* race(many, (text) => store.protect(protection(text)))
    yield* Expect.that("as many calls as allowed succeed", winners.length).is(protectedLabelMax)
    yield* Expect.that("the other calls get the reason", refused).is(["Full"])
    const [first = ""] = yield* listedNames()
    yield* store.protect(protection(first))
    yield* store.unprotect(workspaceId(1), label(first))
    yield* store.protect(protection("another"))
    const names = yield* listedNames()
    yield* Expect.that("all slots are taken", names.length).is(protectedLabelMax)
  },
  *"refuses to move a label that was protected after the decision, and writes nothing"(store) {
    const { preset, version } = yield* store.append(makeDraft(1))
    const event = moveLabel("production", version)
    const free = revisionOf(preset, { event, isFree: true })
    yield* store.protect(protection("production"))
    yield* Expect.refuses(store.revise(free), "Superseded")
    yield* Expect.that("the preset is unchanged", (yield* findStored()).preset).is(preset)
    const other = revisionOf(preset, { event: moveLabel("staging", version), isFree: true })
    yield* store.revise(other)
    const held = revisionOf(other.next, { event })
    yield* store.revise(held)
    yield* Expect.that(
      "another label moves, and a caller with the scope moves this label",
      (yield* findStored()).preset
    ).is(held.next)
    yield* store.revise(other)
    yield* Expect.that("a repeat changes nothing", (yield* findStored()).preset).is(held.next)
  },
  *"refuses to change a preset if one of its labels was protected after the decision"(store) {
    const { preset } = yield* store.append(makeDraft(1))
    const event = Event.cases.Shelved.make({ at: later(1) })
    const freeLabels = [label("canary"), production]
    const shelving = { ...revisionOf(preset, { event }), freeLabels }
    yield* store.protect(protection("production"))
    yield* Expect.refuses(store.revise(shelving), "Superseded")
    yield* Expect.that("the preset is unchanged", (yield* findStored()).preset).is(preset)
    yield* store.unprotect(workspaceId(1), production)
    yield* store.revise(shelving)
    yield* Expect.that(
      "the preset is archived once no label is protected",
      (yield* findStored()).preset
    ).is(shelving.next)
  }
})
