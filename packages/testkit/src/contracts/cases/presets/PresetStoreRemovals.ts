/**
 * The promises of a `PresetStore` about presets that are removed.
 */
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore, type Removal, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type Preset } from "@verbatim/core/preset"
import { Effect, Option, Result } from "effect"
import { presetId, upTo, userId, workspaceId } from "../../../samples/Ids.ts"
import {
  designate,
  findStored,
  foundPreset,
  label,
  labelMovesOf,
  makeDraft,
  moveLabel,
  pastOf,
  revisePreset,
  revisionOf,
  slug,
  whole
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

const own = workspaceId(1)

const keyOf = (number: number): IdempotencyKey => IdempotencyKey.make(`order-${number}`)

const makeKeyed = (number: number) =>
  makeDraft(number, {
    request: Option.some({ key: keyOf(number), fingerprint: `${number}`.padStart(64, "0") })
  })

/** A preset with versions, keys, designations and labels, which is archived. */
const archivePreset = Effect.fnUntraced(function* (first = 1) {
  const store = yield* PresetStore
  const { version } = yield* store.append(makeKeyed(first))
  yield* Effect.forEach([1, 2, 3], (next) => store.append(makeKeyed(first + next)))
  const { preset } = yield* findStored()
  const back = yield* revisePreset(preset, designate(version))
  const labelled = yield* revisePreset(back, moveLabel("production", version))
  return yield* revisePreset(labelled, Event.cases.Shelved.make({ at: later(9) }))
})

const removalOf = ({ id, revision }: Preset, freeLabels: ReadonlyArray<string> = []): Removal => ({
  presetId: id,
  expectedRevision: revision,
  freeLabels: freeLabels.map(label)
})

/** More calls than any of these cases needs. */
const callMax = 1_000

const sweepAll = Effect.fnUntraced(function* (rowMax: number) {
  const store = yield* PresetStore
  for (const _ of upTo(callMax)) if (!(yield* store.sweep(rowMax))) return
  return yield* Expect.holds("it comes to an end", false)
})

/** All that can be asked about the preset with that slug. */
const lookAround = Effect.gen(function* () {
  const store = yield* PresetStore
  return {
    found: yield* foundPreset(),
    listed: yield* store.list(own, whole),
    made: yield* Effect.forEach(upTo(4), (number) => store.made(own, keyOf(number)))
  }
})

const nothing = {
  found: Option.none(),
  listed: { presets: [], total: 0 },
  made: upTo(4).map(() => Option.none())
}

/** What a `PresetStore` promises about removals. */
export const removalCases: ReadonlyArray<Case<Ports>> = workspaceCases(PresetStore, {
  *"removes an archived preset at once: nothing shows it, and its slug and keys are free"(store) {
    const preset = yield* archivePreset()
    yield* store.remove(removalOf(preset))
    yield* lookAround.pipe(Expect.gives("nothing shows it", nothing))
    const again = { ...makeKeyed(1), presetId: presetId(50), versionId: makeDraft(50).versionId }
    const made = yield* store.append(again)
    yield* Expect.that("its slug begins anew", [
      made.preset.id,
      made.preset.latestVersion,
      made.preset.labels
    ]).is([presetId(50), 1, {}])
    yield* sweepAll(3)
    yield* Expect.that("what began anew stays", [
      yield* foundPreset(),
      yield* store.made(own, keyOf(1))
    ]).is([Option.some(made), Option.some({ fingerprint: "1".padStart(64, "0"), made })])
  },
  *"leaves nothing of a removed preset once its rows are swept, a few at a time"(store) {
    const preset = yield* archivePreset()
    yield* store.sweep(1).pipe(Expect.gives("nothing is to be swept at first", false))
    yield* store.remove(removalOf(preset))
    yield* sweepAll(1)
    yield* pastOf(preset.id).pipe(
      Expect.gives("no version and no designation is left", { versions: [], designations: [] })
    )
    yield* labelMovesOf(preset.id, "production").pipe(Expect.gives("and no move of a label", []))
    yield* store.clear(own, 1).pipe(Expect.gives("there is nothing to clear", false))
  },
  *"removes no preset that is not archived, or that was changed since"(store) {
    const archived = yield* archivePreset()
    const active = yield* revisePreset(archived, Event.cases.Resumed.make({ at: later(10) }))
    const before = yield* lookAround
    yield* Expect.refuses(store.remove(removalOf(archived)), "Superseded")
    yield* Expect.refuses(store.remove(removalOf(active)), "Superseded")
    yield* lookAround.pipe(Expect.gives("all is as it was", before))
  },
  *"removes no preset whose label was taken for free and is protected"(store) {
    const preset = yield* archivePreset()
    const production = label("production")
    yield* store.protect({ workspaceId: own, label: production, by: null, at: later(1) })
    const free = removalOf(preset, ["production"])
    yield* Expect.refuses(store.remove(free), "Superseded")
    yield* Expect.holds("it is there", Option.isSome(yield* foundPreset()))
    yield* store.remove(removalOf(preset))
    yield* lookAround.pipe(Expect.gives("who may move the label removes it", nothing))
  },
  *"removes a preset once, however often it is asked, and no other one"(store) {
    const removal = removalOf(yield* archivePreset())
    yield* atOnce(upTo(8), () => store.remove(removal))
    const made = yield* store.append(makeDraft(60))
    yield* store.remove(removal)
    yield* atOnce(upTo(4), () => sweepAll(2))
    yield* sweepAll(2)
    yield* store.remove(removal)
    yield* foundPreset().pipe(Expect.gives("the next one is there", Option.some(made)))
  },
  *"changes no preset that was removed"(store) {
    const preset = yield* archivePreset()
    const late = revisionOf(preset, { event: Event.cases.Resumed.make({ at: later(10) }) })
    yield* store.remove(removalOf(preset))
    yield* Expect.refuses(store.revise(late), "Superseded")
    const next = { ...late, expectedRevision: preset.revision + 1 }
    yield* Expect.refuses(store.revise(next), "Superseded")
    yield* lookAround.pipe(Expect.gives("it stays away", nothing))
  },
  *"gives a slug that is freed to one new preset, under many writers"(store) {
    const removal = removalOf(yield* archivePreset())
    const append = (number: number) =>
      Effect.result(store.append(makeDraft(100 + number, { creatorId: userId(number) })))
    const [outcomes] = yield* Effect.all([atOnce(upTo(16), append), store.remove(removal)], {
      concurrency: "unbounded"
    })
    const made = outcomes.flatMap((each) => (Result.isSuccess(each) ? [each.success] : []))
    const refused = outcomes.flatMap((each) =>
      Result.isFailure(each) ? [each.failure.reason._tag] : []
    )
    yield* Expect.holds(
      "who came before found it archived",
      refused.every((tag) => tag === "Archived")
    )
    yield* Expect.that(
      "who came after has a version of the new one",
      made.map(({ version }) => version.version).toSorted((a, b) => a - b)
    ).is([...upTo(made.length)])
    yield* sweepAll(5)
    const { total } = yield* store.list(own, whole)
    yield* Expect.that("there is one at most", total).is(Math.min(1, made.length))
  },
  *"clears a workspace of removed presets and protected labels too"(store) {
    const preset = yield* archivePreset()
    yield* store.remove(removalOf(preset))
    yield* store.append(makeDraft(70, { slug: slug("other") }))
    const wanted = { workspaceId: own, label: label("staging"), by: null, at: later(1) }
    yield* store.protect(wanted)
    for (const _ of upTo(callMax)) if (!(yield* store.clear(own, 2))) break
    yield* lookAround.pipe(Expect.gives("nothing is there", nothing))
    yield* store.protectedLabels(own).pipe(Expect.gives("no label is protected", []))
    yield* store.sweep(1).pipe(Expect.gives("nothing is left to sweep", false))
  }
})
