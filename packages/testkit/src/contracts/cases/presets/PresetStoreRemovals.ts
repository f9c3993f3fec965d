/** Contract cases for `PresetStore` about removed presets and erased versions. */
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore, type Removal, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, eraseContent, type Preset } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import {
  designate,
  designatedIn,
  erase,
  findPreset,
  findStored,
  label,
  labelMovesOf,
  later,
  makeDraft,
  moveLabel,
  presetChangeId,
  presetId,
  readPast,
  revisePreset,
  revisionOf,
  slug,
  upTo,
  userId,
  versionsOf,
  whole,
  workspaceId
} from "../../../samples/index.ts"
import { atOnce, type Cases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

const own = workspaceId(1)

const keyOf = (number: number): IdempotencyKey => IdempotencyKey.make(`order-${number}`)

const makeKeyed = (number: number, text = "support") =>
  makeDraft(number, {
    slug: slug(text),
    request: Option.some({ key: keyOf(number), fingerprint: `${number}`.padStart(64, "0") })
  })

/** Creates an archived preset with versions, keys, designations and labels. */
const archivePreset = Effect.fnUntraced(function* (first = 1, text = "support") {
  const store = yield* PresetStore
  const { version } = yield* store.append(makeKeyed(first, text))
  yield* Effect.forEach([1, 2, 3], (next) => store.append(makeKeyed(first + next, text)))
  const { preset } = yield* findStored(text)
  const back = yield* revisePreset(preset, designate(version))
  const labelled = yield* revisePreset(back, moveLabel("production", version))
  return yield* revisePreset(labelled, Event.cases.Shelved.make({ at: later(9) }))
})

const removalOf = ({ id, revision }: Preset, freeLabels: ReadonlyArray<string> = []): Removal => ({
  id: presetChangeId(1_000_000),
  presetId: id,
  expectedRevision: revision,
  freeLabels: freeLabels.map(label)
})

/** More than any of these cases needs. */
const callMax = 1_000

const sweepAll = Effect.fnUntraced(function* (rowMax: number) {
  const store = yield* PresetStore
  for (const _ of upTo(callMax)) if (!(yield* store.sweep(rowMax))) return
  return yield* Expect.holds("the deletion ends", false)
})

/** Reads everything about the preset with the given slug. */
const lookAround = Effect.gen(function* () {
  const store = yield* PresetStore
  return {
    found: yield* findPreset(),
    listed: yield* store.list(own, whole),
    made: yield* Effect.forEach(upTo(4), (number) => store.made(own, keyOf(number)))
  }
})

const nothing = {
  found: Option.none(),
  listed: { presets: [], total: 0 },
  made: upTo(4).map(() => Option.none())
}

export const removalCases: Cases<Ports> = workspaceCases(PresetStore, {
  *"hides a removed preset from all reads immediately, and frees its slug and keys"(store) {
    const preset = yield* archivePreset()
    yield* store.remove(removalOf(preset))
    yield* lookAround.pipe(Expect.gives("no read returns it", nothing))
    const again = { ...makeKeyed(1), presetId: presetId(50), versionId: makeDraft(50).versionId }
    const made = yield* store.append(again)
    yield* Expect.that("the removed preset's slug starts a new preset", [
      made.preset.id,
      made.preset.latestVersion,
      made.preset.labels
    ]).is([presetId(50), 1, {}])
    yield* sweepAll(3)
    yield* Expect.that("the new preset remains", [
      yield* findPreset(),
      yield* store.made(own, keyOf(1))
    ]).is([Option.some(made), Option.some({ fingerprint: "1".padStart(64, "0"), made })])
  },
  *"deletes all rows of a removed preset, a few per sweep"(store) {
    const preset = yield* archivePreset()
    yield* store.sweep(1).pipe(Expect.gives("nothing is to be swept at first", false))
    yield* store.remove(removalOf(preset))
    yield* sweepAll(1)
    yield* readPast(preset.id).pipe(
      Expect.gives("no version and no designation is left", { versions: [], designations: [] })
    )
    yield* labelMovesOf(preset.id, "production").pipe(Expect.gives("no label move is left", []))
    yield* store.clear(own, 1).pipe(Expect.gives("there is nothing to clear", false))
  },
  *"refuses to remove a preset that is active or has changed since it was read"(store) {
    const archived = yield* archivePreset()
    const active = yield* revisePreset(archived, Event.cases.Resumed.make({ at: later(10) }))
    yield* Expect.refuses(store.remove(removalOf(active)), "Superseded")
    yield* revisePreset(active, Event.cases.Shelved.make({ at: later(11) }))
    const before = yield* lookAround
    yield* Expect.refuses(store.remove(removalOf(archived)), "Superseded")
    yield* lookAround.pipe(Expect.gives("everything is unchanged", before))
  },
  *"refuses to remove a preset if one of its labels was protected after the decision"(store) {
    const preset = yield* archivePreset()
    const production = label("production")
    yield* store.protect({ workspaceId: own, label: production, by: null, at: later(1) })
    const free = removalOf(preset, ["production"])
    yield* Expect.refuses(store.remove(free), "Superseded")
    yield* Expect.holds("the preset still exists", Option.isSome(yield* findPreset()))
    yield* store.remove(removalOf(preset))
    yield* lookAround.pipe(Expect.gives("a caller with the label's scope removes it", nothing))
  },
  *"removes the given preset once and no other preset, however often the call is repeated"(store) {
    const removal = removalOf(yield* archivePreset())
    const others = [1_000_001, 1_000_002].map((number) => ({
      ...removal,
      id: presetChangeId(number)
    }))
    const answers = yield* atOnce([removal, ...others], (each) =>
      atOnce(upTo(4), () => store.remove(each))
    )
    const successes = answers.map((each) => each.filter(Boolean).length)
    yield* Expect.that("all calls of one removal succeed", successes.sort()).is([0, 0, 4])
    const made = yield* store.append(makeDraft(60))
    yield* store.remove(removal)
    yield* atOnce(upTo(4), () => sweepAll(2))
    yield* sweepAll(2)
    yield* store.remove(removal)
    yield* findPreset().pipe(Expect.gives("the next one is there", Option.some(made)))
  }
})

export const clearing: Cases<Ports> = workspaceCases(PresetStore, {
  *"deletes all rows of a workspace's presets, even of removed presets, a few at a time"(store) {
    const first = yield* archivePreset()
    const second = yield* archivePreset(20, "second")
    yield* archivePreset(40, "third")
    yield* store.remove(removalOf(first))
    yield* store.protect({ workspaceId: own, label: label("staging"), by: null, at: later(1) })
    yield* store.clear(own, 1).pipe(Expect.gives("rows are left after one row is deleted", true))
    const { total } = yield* store.list(own, whole)
    yield* Expect.holds("most is still there", total >= 1)
    for (const _ of upTo(callMax)) if (!(yield* store.clear(own, 2))) break
    yield* lookAround.pipe(Expect.gives("nothing is there", nothing))
    for (const { id } of [first, second]) {
      yield* readPast(id).pipe(
        Expect.gives("no version and no designation is left", { versions: [], designations: [] })
      )
    }
    yield* store.protectedLabels(own).pipe(Expect.gives("no label is protected", []))
    yield* store.sweep(1).pipe(Expect.gives("nothing is left to sweep", false))
    const { preset } = yield* store.append(makeKeyed(20, "second"))
    yield* Expect.that("a new preset starts at version 1", preset.latestVersion).is(1)
  },
  *"leaves other workspaces unchanged when it clears one workspace"(store) {
    const { id } = yield* archivePreset()
    const before = [yield* findStored(), yield* readPast(id)]
    yield* store.clear(workspaceId(2), 1_000).pipe(Expect.gives("nothing to clear", false))
    yield* Expect.that("the other workspace is unchanged", [
      yield* findStored(),
      yield* readPast(id)
    ]).is(before)
  }
})

const erasedKey = IdempotencyKey.make("order-1")

/**
 * Creates a preset with three versions: the first has a key and a comment, the third is designated.
 */
const drafts = [
  makeDraft(1, {
    request: Option.some({ key: erasedKey, fingerprint: "1".repeat(64) }),
    comment: "The key is in it.",
    systemPrompt: "The password is swordfish.",
    wins: ["model"]
  }),
  makeDraft(2),
  makeDraft(3)
]

const grow = PresetStore.use((store) =>
  Effect.map(Effect.forEach(drafts, store.append), (made) => made.map(({ version }) => version))
)

const erasure = { at: later(9), by: userId(7) }

/** Returns the change that erases the first version. */
const eraseFirst = Effect.gen(function* () {
  const [first, second, third] = yield* grow
  const { preset } = yield* findStored()
  if (first === undefined || second === undefined || third === undefined) {
    return yield* Effect.die("there are three versions")
  }
  const revision = revisionOf(preset, { event: erase(first, erasure.at, erasure.by) })
  return { first, others: [second, third], revision }
})

export const erasureCases: Cases<Ports> = workspaceCases(PresetStore, {
  *"omits an erased version's content from all reads, but keeps the version's other fields"(store) {
    const { first, others, revision } = yield* eraseFirst
    yield* store.revise(revision)
    const erased = eraseContent(first, erasure)
    const all = [erased, ...others]
    yield* versionsOf(presetId(1)).pipe(Expect.gives("the list shows that it is gone", all))
    yield* Expect.that("the version shows it", yield* store.version(presetId(1), 1)).is(
      Option.some(erased)
    )
    yield* store
      .designatedAt(presetId(1), later(1))
      .pipe(Expect.gives("the designation at that time shows it", Option.some(erased)))
    yield* Expect.that(
      "a repeat of its draft returns the erased version",
      Option.map(
        Option.some(yield* store.append(drafts[0] ?? makeDraft(1))),
        (made) => made.version
      )
    ).is(Option.some(erased))
    yield* Expect.that(
      "the version's key keeps no digest of the request",
      yield* store.made(workspaceId(1), erasedKey)
    ).is(Option.some({ fingerprint: "", made: { preset: revision.next, version: erased } }))
    yield* designatedIn(presetId(1)).pipe(
      Expect.gives("the erased version's number is in the history", [1, 2, 3])
    )
    yield* Expect.refuses(
      store.append({ ...makeDraft(4), request: drafts[0]?.request ?? Option.none() }),
      "KeyTaken"
    )
    yield* Expect.that(
      "the next version has a new number",
      (yield* store.append(makeDraft(5))).version.version
    ).is(4)
  },
  *"refuses to erase a version when the preset has changed"(store) {
    const { first, others, revision } = yield* eraseFirst
    const { version } = yield* store.append(makeDraft(4))
    yield* Expect.refuses(store.revise(revision), "Superseded")
    yield* versionsOf(presetId(1)).pipe(
      Expect.gives("all versions are unchanged", [first, ...others, version])
    )
    const made = yield* store.made(workspaceId(1), erasedKey)
    yield* Expect.that(
      "the key is unchanged",
      Option.map(made, ({ fingerprint }) => fingerprint)
    ).is(Option.some("1".repeat(64)))
  }
})
