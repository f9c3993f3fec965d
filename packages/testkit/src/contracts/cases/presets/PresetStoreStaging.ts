/**
 * The promises of a `PresetStore` about versions that are stored and not designated.
 */
import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type PresetDraft } from "@verbatim/core/preset"
import { Option } from "effect"
import { upTo, versionId } from "../../../samples/Ids.ts"
import {
  designationsOf,
  findStored,
  makeDraft,
  revisePreset,
  versionsOf
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = PresetStore | WorkspaceStore

const makeStaged = (number: number, wishes: Partial<PresetDraft> = {}): PresetDraft =>
  makeDraft(number, { stage: true, ...wishes })

/** What a `PresetStore` promises about staged versions. */
export const stagingCases: ReadonlyArray<Case<Ports>> = workspaceCases(PresetStore, {
  *"adds a staged version and goes on designating the one before"(store) {
    const { preset, version } = yield* store.append(makeDraft(1))
    const staged = yield* store.append(makeStaged(2, { comment: "Not yet." }))
    yield* Expect.that("the answer has the staged version", staged).is({
      preset: { ...preset, revision: 2, latestVersion: 2, updatedAt: later(2) },
      version: { ...staged.version, version: 2, id: versionId(2), comment: "Not yet." }
    })
    yield* Expect.that("the first one is designated", yield* findStored()).is({
      preset: staged.preset,
      version
    })
    yield* Expect.that(
      "and was designated once",
      (yield* designationsOf(preset.id)).map(({ to }) => to)
    ).is([1])
    const third = yield* store.append(makeDraft(3))
    yield* Expect.that("the next one follows both, and is designated", [
      third.preset.latestVersion,
      third.preset.designatedVersion
    ]).is([3, 3])
    yield* Expect.that(
      "after the first one",
      (yield* designationsOf(preset.id)).map(({ from, to }) => [from, to])
    ).is([
      [null, 1],
      [1, 3]
    ])
  },
  *"designates the first version of a preset, staged or not"(store) {
    const { preset, version } = yield* store.append(makeStaged(1))
    yield* Expect.that("it is designated", [
      preset.designatedVersion,
      preset.designatedVersionId,
      version.version
    ]).is([1, versionId(1), 1])
    yield* findStored().pipe(Expect.gives("and found so", { preset, version }))
    yield* Expect.that(
      "it was designated when it was added",
      (yield* designationsOf(preset.id)).map(({ to }) => to)
    ).is([1])
  },
  *"adds a staged draft once, with its key too, and tells repeats what is designated now"(store) {
    const key = IdempotencyKey.make("order-1")
    const request = Option.some({ key, fingerprint: "1".repeat(64) })
    yield* store.append(makeDraft(1))
    const draft = makeStaged(2, { request })
    const [first] = yield* atOnce(upTo(8), () => store.append(draft))
    if (first === undefined) {
      return yield* Expect.holds("each draft became a version", false)
    }
    const { preset } = yield* store.append(makeDraft(3))
    yield* Expect.that(
      "a late repeat has the version, and the preset as it is",
      yield* store.append(draft)
    ).is({ preset, version: first.version })
    yield* Expect.that(
      "and so has the key",
      Option.map(yield* store.made(preset.workspaceId, key), ({ made }) => made)
    ).is(Option.some({ preset, version: first.version }))
    yield* Expect.that(
      "there is one of it",
      (yield* versionsOf(preset.id)).map(({ id }) => id)
    ).is([1, 2, 3].map(versionId))
  },
  *"stages no version for an archived preset, and judges conditions of the designated one"(store) {
    const { preset, version } = yield* store.append(makeDraft(1))
    yield* store.append(makeStaged(2, { condition: { match: [version.id] } }))
    const third = yield* store.append(makeStaged(3, { condition: { match: [version.id] } }))
    const stale = makeStaged(4, { condition: { match: [versionId(3)] } })
    yield* Expect.refuses(store.append(stale), "ConditionFailed")
    yield* revisePreset(third.preset, Event.cases.Shelved.make({ at: later(5) }))
    yield* Expect.refuses(store.append(makeStaged(6)), "Archived")
    yield* Expect.that("three versions are there", (yield* versionsOf(preset.id)).length).is(3)
  },
  *"numbers versions without gaps when many stage and many designate"(store) {
    const answers = yield* atOnce(upTo(32), (number) =>
      store.append(makeDraft(number, { stage: number % 2 === 0 }))
    )
    const { preset } = yield* findStored()
    const versions = yield* versionsOf(preset.id)
    yield* Expect.that(
      "every number once",
      versions.map(({ version }) => version)
    ).is([...upTo(32)])
    const designated = answers
      .filter(({ version }) => version.version === 1 || !isStaged(version.id))
      .map(({ version }) => version.version)
      .toSorted((one, other) => one - other)
    yield* Expect.that(
      "those that were not staged were designated, in their order",
      (yield* designationsOf(preset.id)).map(({ to }) => to)
    ).is(designated)
    yield* Expect.that("the last of them is designated", preset.designatedVersion).is(
      designated.at(-1) ?? 0
    )
  }
})

/** Whether the draft of a version was one of an even number. */
const isStaged = (id: string): boolean => upTo(16).some((half) => versionId(2 * half) === id)
