/**
 * The promises of a `PresetStore` about labels: how they move, and what is remembered of that.
 */
import { PresetStore, type Protection, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type Preset, protectedLabelMax, targetOf } from "@verbatim/core/preset"
import { Deferred, Effect, Option } from "effect"
import {
  designatedIn,
  findStored,
  foundWorkspace,
  growPreset,
  growTwice,
  label,
  labelMovesOf,
  later,
  makeDraft,
  moveLabel,
  presetId,
  removeLabel,
  revisePreset,
  revisionOf,
  slug,
  upTo,
  userId,
  workspaceId
} from "../../../samples/index.ts"
import { atOnce, type Cases, race, workspaceCases } from "../../Contract.ts"
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

/** The versions to which a label pointed that many milliseconds after the first instant. */
const expectAt = Effect.fnUntraced(function* (
  text: string,
  expected: Readonly<Record<string, number | null>>
) {
  const store = yield* PresetStore
  const actual = yield* Effect.forEach(Object.keys(expected), (millis) => {
    const query = { label: label(text), at: later(Number(millis)) }
    return Effect.map(store.labelledAt(presetId(1), query), (found) => [
      millis,
      Option.getOrNull(Option.map(found, ({ version }): number => version))
    ])
  })
  yield* Expect.that(`${text} by milliseconds`, Object.fromEntries(actual)).is(expected)
})

/** What a `PresetStore` promises about labels. */
export const labelCases: Cases<Ports> = workspaceCases(PresetStore, {
  *"keeps where each label points, whatever else happens to the preset"(store) {
    const { first, preset, second } = yield* growTwice
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
    const { first, preset, second } = yield* growTwice
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
    const one = yield* growTwice
    const { preset: sales, version } = yield* store.append(makeDraft(10, { slug: slug("sales") }))
    yield* happen(one.preset, [moveLabel("production", one.first), moveLabel("staging", one.first)])
    yield* happen(sales, [moveLabel("production", version)])
    const countOf = (number: number, text: string) =>
      Effect.all({
        listed: Effect.map(labelMovesOf(presetId(number), text), ({ length }) => length),
        counted: store.labelMoveCount(presetId(number), label(text))
      })
    const counts = yield* Effect.all({
      production: countOf(1, "production"),
      staging: countOf(1, "staging"),
      sold: countOf(10, "production"),
      unsold: countOf(10, "staging"),
      unknown: countOf(99, "production")
    })
    const [once, never] = [
      { listed: 1, counted: 1 },
      { listed: 0, counted: 0 }
    ]
    yield* Expect.that("one each, and none of what is not there", counts).is({
      ...{ production: once, staging: once, sold: once },
      ...{ unsold: never, unknown: never }
    })
    yield* designatedIn(one.preset.id).pipe(Expect.gives("no label was designated", [1, 2]))
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
    const steps = all.map(({ from, to }) => `${from} to ${to}`).join(", ")
    const expected = "null to 1, 1 to 2, 2 to 3, 3 to 1, 1 to 2, 2 to 3"
    yield* Expect.that("each begins where the one before ended", steps).is(expected)
    const pages = { 0: 0, 1: 2, 2: 3, 5: 5, 6: 1 }
    for (const [from, limit] of Object.entries(pages)) {
      const offset = Number(from)
      const page = store.labelMoves(preset.id, { label: label("production"), offset, limit })
      yield* page.pipe(Expect.gives(`${limit} after ${from}`, all.slice(offset, offset + limit)))
    }
  },
  *"knows where a label pointed at an instant, and that there was none"() {
    const { first, preset, second } = yield* growTwice
    yield* happen(preset, [
      moveLabel("production", first, later(10)),
      moveLabel("staging", second, later(15)),
      moveLabel("production", second, later(20)),
      removeLabel("production", later(30)),
      moveLabel("production", first, later(40))
    ])
    yield* expectAt("production", {
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
    yield* expectAt("staging", { 14: null, 15: 2 })
    yield* expectAt("canary", { 1000: null })
  },
  *"takes the last of a label's moves up to an instant when a clock went back"() {
    const { first, preset, second } = yield* growTwice
    yield* happen(preset, [
      moveLabel("production", first, later(20)),
      moveLabel("production", second, later(10)),
      removeLabel("production", later(15))
    ])
    yield* expectAt("production", { 9: null, 10: 2, 15: null, 20: null })
  }
})

const writers = 16

/** How often a race is run. */
const rounds = 5

/** What a `PresetStore` promises about such races. */
export const labelRaces: Cases<PresetStore | WorkspaceStore> = workspaceCases(PresetStore, {
  *"lets one of 16 writers move a label that all of them saw at the same place"(store) {
    const { versions } = yield* growPreset(writers)
    for (const round of upTo(rounds)) {
      const { preset } = yield* findStored()
      const { winners } = yield* race(versions, (version, index) => {
        const event = moveLabel("production", version, later(round))
        return store.revise(revisionOf(preset, { event, by: userId(index + 1) }))
      })
      const target = targetOf((yield* findStored()).preset.labels, label("production"))
      const won = winners.map(({ version }) => version)
      yield* Expect.that("the label is where the one winner put it", [target?.version]).is(won)
      const moves = yield* labelMovesOf(preset.id, "production")
      yield* Expect.that("and one move was added", moves.length).is(round)
    }
  }
})

const protection = (text: string, wishes: Partial<Protection> = {}): Protection => ({
  workspaceId: workspaceId(1),
  label: label(text),
  by: userId(1),
  at: later(1),
  ...wishes
})

const listedNames = (number = 1) =>
  Effect.flatMap(PresetStore, (store) =>
    Effect.map(store.protectedLabels(workspaceId(number)), (all) =>
      all.map((each): string => each.label)
    )
  )

const production = label("production")

/** Moves the label to and fro until it is refused. */
const moveUntilRefused = Effect.fnUntraced(function* (by: number) {
  const store = yield* PresetStore
  // More than any of these cases needs.
  for (const round of upTo(1_000)) {
    const { preset, version } = yield* findStored()
    const protectedNow = yield* store.protectedLabels(workspaceId(1))
    if (protectedNow.length > 0) return
    const hasLabel = targetOf(preset.labels, production) !== undefined
    const event = hasLabel
      ? removeLabel("production", later(round))
      : moveLabel("production", version, later(round))
    const revision = revisionOf(preset, { event, by: userId(by), isFree: true })
    yield* Effect.yieldNow
    yield* Effect.result(store.revise(revision))
  }
})

/** What a `PresetStore` promises about protection. */
export const protectionCases: Cases<Ports> = workspaceCases(PresetStore, {
  *"lists the protected labels of a workspace, by whom and since when, by name"(store) {
    yield* foundWorkspace(2)
    yield* listedNames().pipe(Expect.gives("at first there is none", []))
    yield* store.protect(protection("staging", { by: null, at: later(5) }))
    yield* store.protect(protection("production", { by: userId(3), at: later(4) }))
    yield* store.protect(protection("production", { by: userId(9), at: later(9) }))
    yield* Expect.that(
      "each as it was first protected",
      yield* store.protectedLabels(workspaceId(1))
    ).is([
      { label: production, by: userId(3), at: later(4) },
      { label: label("staging"), by: null, at: later(5) }
    ])
    yield* listedNames(2).pipe(Expect.gives("another workspace has none", []))
    yield* store.unprotect(workspaceId(2), production)
    yield* store.unprotect(workspaceId(1), production)
    yield* store.unprotect(workspaceId(1), production)
    yield* listedNames().pipe(Expect.gives("one is left", ["staging"]))
  },
  *"protects no label of a workspace that does not exist"(store) {
    const stray = protection("production", { workspaceId: workspaceId(2) })
    yield* Expect.refuses(store.protect(stray), "WorkspaceMissing")
    yield* listedNames(2).pipe(Expect.gives("none is there", []))
  },
  *"protects as many labels of a workspace as are allowed, and no more at once"(store) {
    const many = upTo(protectedLabelMax + 6).map((number) => `label-${number}`)
    const { refused, winners } = yield* race(many, (text) => store.protect(protection(text)))
    yield* Expect.that("so many found a place", winners.length).is(protectedLabelMax)
    yield* Expect.that("the others are told why", refused).is(["Full"])
    const [first = ""] = yield* listedNames()
    yield* store.protect(protection(first))
    yield* store.unprotect(workspaceId(1), label(first))
    yield* store.protect(protection("another"))
    const names = yield* listedNames()
    yield* Expect.that("all places are taken", names.length).is(protectedLabelMax)
  },
  *"moves no label that was taken for free and is protected, and writes nothing"(store) {
    const { preset, version } = yield* store.append(makeDraft(1))
    const event = moveLabel("production", version)
    const free = revisionOf(preset, { event, isFree: true })
    yield* store.protect(protection("production"))
    yield* Expect.refuses(store.revise(free), "Superseded")
    yield* Expect.that("it is as it was", (yield* findStored()).preset).is(preset)
    const other = revisionOf(preset, { event: moveLabel("staging", version), isFree: true })
    yield* store.revise(other)
    const held = revisionOf(other.next, { event })
    yield* store.revise(held)
    yield* Expect.that(
      "another label moves, and so does this one for who may move it",
      (yield* findStored()).preset
    ).is(held.next)
    yield* store.revise(other)
    yield* Expect.that("a repeat is the change that it was", (yield* findStored()).preset).is(
      held.next
    )
  },
  *"changes no preset whose labels were taken for free while one is protected"(store) {
    const { preset } = yield* store.append(makeDraft(1))
    const event = Event.cases.Shelved.make({ at: later(1) })
    const freeLabels = [label("canary"), production]
    const shelving = { ...revisionOf(preset, { event }), freeLabels }
    yield* store.protect(protection("production"))
    yield* Expect.refuses(store.revise(shelving), "Superseded")
    yield* Expect.that("it is as it was", (yield* findStored()).preset).is(preset)
    yield* store.unprotect(workspaceId(1), production)
    yield* store.revise(shelving)
    yield* Expect.that("it is archived once nobody protects one", (yield* findStored()).preset).is(
      shelving.next
    )
  },
  *"moves no label from the moment on in which somebody is told that it is protected"(store) {
    yield* store.append(makeDraft(1))
    const begun = yield* Deferred.make<void>()
    const movers = atOnce(upTo(16), (by) =>
      Effect.andThen(Deferred.succeed(begun, undefined), moveUntilRefused(by))
    )
    const guard = Effect.gen(function* () {
      yield* Deferred.await(begun)
      yield* Effect.forEach(upTo(20), () => Effect.yieldNow)
      yield* store.protect(protection("production"))
      return (yield* findStored()).preset
    })
    const [, told] = yield* Effect.all([movers, guard], { concurrency: "unbounded" })
    yield* Expect.that("it is as it was then", (yield* findStored()).preset).is(told)
  }
})
