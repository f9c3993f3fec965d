/**
 * The promises of a `PresetStore` about protected labels.
 */
import { PresetStore, type Protection, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, protectedLabelMax, targetOf } from "@verbatim/core/preset"
import { Deferred, Effect, Result } from "effect"
import { upTo, userId, workspaceId } from "../../../samples/Ids.ts"
import {
  findStored,
  label,
  makeDraft,
  moveLabel,
  removeLabel,
  revisionOf
} from "../../../samples/SamplePreset.ts"
import { foundWorkspace, later } from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

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
export const protectionCases: ReadonlyArray<Case<Ports>> = workspaceCases(PresetStore, {
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
    const outcomes = yield* atOnce(many, (text) => Effect.result(store.protect(protection(text))))
    yield* Expect.that(
      "six found no place",
      outcomes.flatMap((each) => (Result.isFailure(each) ? [each.failure.reason._tag] : []))
    ).is(upTo(6).map(() => "Full" as const))
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
