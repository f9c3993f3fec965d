/**
 * The promises of a `PresetStore` about writes that are repeated because their answers were lost.
 */
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type PresetDraft } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { upTo } from "../../../samples/Ids.ts"
import {
  designate,
  designationsOf,
  findStored,
  makeDraft,
  revisePreset,
  revisionOf,
  versionsOf
} from "../../../samples/SamplePreset.ts"
import { foundFirst, later } from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** How often a write arrives at the same time. */
const times = 8

const keyedDraft: PresetDraft = {
  ...makeDraft(1),
  request: Option.some({ key: IdempotencyKey.make("order-1"), fingerprint: "1".repeat(64) })
}

/** Appends a draft many times at once, and again when the preset has changed in every way. */
const appendedAgain = Effect.fnUntraced(function* (repeated: PresetDraft) {
  yield* foundFirst
  const store = yield* PresetStore
  const answers = yield* atOnce(upTo(times), () => store.append(repeated))
  const first = yield* findStored()
  yield* Expect.that("each is told of the one version", answers).is(answers.map(() => first))
  const { preset } = yield* store.append(makeDraft(2))
  const archived = yield* revisePreset(preset, Event.cases.Shelved.make({ at: later(3) }))
  yield* Expect.that("and so is one that comes late", yield* store.append(repeated)).is({
    preset: { ...archived, designatedVersion: 1, designatedVersionId: first.version.id },
    version: first.version
  })
  yield* Expect.that(
    "the preset has both versions",
    (yield* versionsOf(preset.id)).map(({ id, version }) => [id, version])
  ).is([
    [repeated.versionId, 1],
    [makeDraft(2).versionId, 2]
  ])
  yield* Expect.that("and is as it was", (yield* findStored()).preset).is(archived)
})

/** A preset with two versions, and a revision that goes back to the first of them. */
const wishBack = Effect.gen(function* () {
  const store = yield* PresetStore
  const { version } = yield* store.append(makeDraft(1))
  const { preset } = yield* store.append(makeDraft(2))
  return { store, preset, back: revisionOf(preset, { event: designate(version) }) }
})

/** What a `PresetStore` promises about repeats. */
export const repeats: ReadonlyArray<Case<PresetStore | WorkspaceStore>> = workspaceCases(
  PresetStore,
  {
    "adds a draft once, however often it comes": appendedAgain(makeDraft(1)),
    "adds a draft under a key once, however often it comes": appendedAgain(keyedDraft),
    *"makes a revision once, however often it comes"() {
      const { back, preset, store } = yield* wishBack
      yield* atOnce(upTo(times), () => store.revise(back))
      yield* Expect.that("it was made", (yield* findStored()).preset).is(back.next)
      const renamed = Event.cases.Described.make({ at: later(3), name: "x", description: null })
      const after = yield* revisePreset(back.next, renamed)
      yield* store.revise(back)
      yield* Expect.that("a late one undoes nothing", (yield* findStored()).preset).is(after)
      yield* Expect.that(
        "and designates nothing",
        (yield* designationsOf(preset.id)).map(({ to }) => to)
      ).is([1, 2, 1])
    },
    *"makes a revision that was refused once it is decided on what is there"() {
      const { back, store } = yield* wishBack
      yield* Expect.refuses(store.revise({ ...back, expectedRevision: 1 }), "Superseded")
      yield* store.revise(back)
      yield* Expect.that("it was made", (yield* findStored()).preset).is(back.next)
    }
  }
)
