/** Contract cases for `PresetStore` about concurrent writers. */

import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore, PresetStoreError, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type PresetDraft } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import {
  designate,
  designationsOf,
  findPreset,
  findStored,
  later,
  makeDraft,
  numbersIn,
  revisePreset,
  revisionOf,
  slug,
  upTo,
  userId,
  versionId,
  versionsOf
} from "../../../samples/index.ts"
import { atOnce, type Cases, race, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** Enough writers to collide on every tested store, whatever the size of its connection pool. */
const writers = 64

/**
 * Maximum number of retries of a change. Whenever a writer loses a round, another writer has
 * succeeded.
 */
const roundsMax = 200

const isSuperseded = (error: unknown): boolean =>
  error instanceof PresetStoreError && error.reason._tag === "Superseded"

interface Counts {
  readonly versions: number
  readonly revision: number
  readonly designations: number
}

/**
 * Fails unless the designations are consistent, and the last one is the preset's current
 * designation.
 */
const expectHistory = Effect.fnUntraced(function* (expected: Counts, text?: string) {
  const { preset, version } = yield* findStored(text)
  const designations = yield* designationsOf(preset.id)
  yield* Expect.that("nothing was lost", {
    versions: preset.latestVersion,
    revision: preset.revision,
    designations: designations.length
  }).is(expected)
  yield* numbersIn(preset.id).pipe(
    Expect.gives("versions have no gaps", [...upTo(expected.versions)])
  )
  const revisions: ReadonlyArray<number> = designations.map(({ revision }) => revision)
  yield* Expect.that("each revision designates once, in order", revisions).is(
    [...new Set(revisions)].toSorted((a, b) => a - b)
  )
  const begins = designations.map(({ from }) => from)
  const ends = designations.map(({ to }) => to)
  yield* Expect.that("each starts where the previous one ended", begins).is([
    null,
    ...ends.slice(0, -1)
  ])
  const inForce = { last: ends.at(-1), found: version.version }
  const { designatedVersion: last } = preset
  yield* Expect.that("the last one is current", inForce).is({ last, found: last })
})

/** Archives a preset in its current state, and retries if another writer was faster. */
const archive = (text: string) =>
  Effect.gen(function* () {
    const store = yield* PresetStore
    const { preset } = yield* findStored(text)
    yield* store.revise(revisionOf(preset, { event: Event.cases.Shelved.make({ at: later(1) }) }))
  }).pipe(Effect.retry({ while: isSuperseded, times: roundsMax }))

/** Runs sixteen concurrent appends, and archives the preset between them at the given position. */
const archiveAt = Effect.fnUntraced(function* (text: string, place: number) {
  const store = yield* PresetStore
  const number = (index: number) => place * writers + index + 1
  yield* store.append(makeDraft(number(0), { slug: slug(text) }))
  const append = (index: number) => store.append(makeDraft(number(index), { slug: slug(text) }))
  const line = upTo(16)
  const [before, , after] = yield* Effect.all(
    [race(line.slice(0, place), append), archive(text), race(line.slice(place), append)],
    { concurrency: "unbounded" }
  )
  const refused = new Set([...before.refused, ...after.refused])
  const expected = new Set(refused.size === 0 ? [] : ["Archived"])
  yield* Expect.that("refused writers get the reason", refused).is(expected)
  const count = 1 + before.winners.length + after.winners.length
  yield* expectHistory({ versions: count, revision: count + 1, designations: count }, text)
  const { preset } = yield* findStored(text)
  yield* Expect.that("the preset is archived", preset._tag).is("Archived")
  const revisions = (yield* designationsOf(preset.id)).map(({ revision }): number => revision)
  yield* Expect.that("that was its last change", revisions).is([...upTo(count)])
})

/** Cases about concurrent writers. */
export const raceCases: Cases<PresetStore | WorkspaceStore> = workspaceCases(PresetStore, {
  *"gives 64 concurrent writers of a new slug one preset with versions 1 to 64"(store) {
    const append = (number: number) => store.append(makeDraft(number))
    const answers = yield* atOnce(upTo(writers), append)
    const made = answers.map(({ version }) => version).toSorted((a, b) => a.version - b.version)
    const numbers = made.map(({ version }): number => version)
    yield* Expect.that("no number is missing or given twice", numbers).is([...upTo(writers)])
    const ids = new Set(answers.map(({ preset }) => preset.id))
    yield* Expect.that("there is one preset", ids.size).is(1)
    const { preset, version } = yield* findStored()
    yield* versionsOf(preset.id).pipe(Expect.gives("its versions are those answered", made))
    const { designatedVersion, designatedVersionId, latestVersion } = preset
    yield* Expect.that("the latest version is designated", version).is(made[writers - 1] ?? version)
    const shown = { designatedVersion, designatedVersionId, latestVersion }
    const latest = { designatedVersion: writers, latestVersion: writers }
    yield* Expect.that("the preset shows it", shown).is({
      ...latest,
      designatedVersionId: version.id
    })
  },
  *"shows readers a preset together with its designated version"(store) {
    yield* store.append(makeDraft(1))
    const write = (number: number) => Effect.asVoid(store.append(makeDraft(number + 1)))
    const read = Effect.flatMap(findPreset(), (seen) =>
      Expect.holds(
        "the version is the designated one",
        Option.exists(
          seen,
          ({ preset, version }) =>
            preset.designatedVersion === version.version &&
            preset.designatedVersionId === version.id
        )
      )
    )
    const both = upTo(16).flatMap((number) => [write(number), read])
    yield* atOnce(both, (each) => each)
  },
  *"lets one of many concurrent changes to the same revision win"(store) {
    const { preset, version } = yield* store.append(makeDraft(1))
    const { refused, winners } = yield* race(upTo(writers), (number) => {
      const event = designate(version, later(number))
      return store.revise(revisionOf(preset, { event, by: userId(number) }))
    })
    yield* Expect.that("one won", winners.length).is(1)
    yield* Expect.that("the others get `Superseded`", refused).is(["Superseded"])
    yield* expectHistory({ versions: 1, revision: 2, designations: 2 })
    const by = (yield* designationsOf(preset.id)).slice(1).map((each) => each.by)
    yield* Expect.that("the winner's designation is kept", by).is(winners.map(userId))
  },
  *"accepts versions until a preset is archived, and none afterwards"() {
    // Two positions are tried, because some stores queue the writers and others do not.
    yield* archiveAt("first", 0)
    yield* archiveAt("between", 8)
  }
})

type Ports = PresetStore | WorkspaceStore

const makeStaged = (number: number, overrides: Partial<PresetDraft> = {}): PresetDraft =>
  makeDraft(number, { stage: true, ...overrides })

/** Cases about staged versions. */
export const stagingCases: Cases<Ports> = workspaceCases(PresetStore, {
  *"adds a staged draft once, and answers repeated calls with the current designation"(store) {
    const key = IdempotencyKey.make("order-1")
    const request = Option.some({ key, fingerprint: "1".repeat(64) })
    yield* store.append(makeDraft(1))
    const draft = makeStaged(2, { request })
    yield* atOnce(upTo(8), () => store.append(draft))
    const { preset } = yield* store.append(makeDraft(3))
    const versions = yield* versionsOf(preset.id)
    yield* Expect.that(
      "there is one of it",
      versions.map(({ id }) => id)
    ).is([1, 2, 3].map(versionId))
    const late = yield* store.append(draft)
    yield* Expect.that("a late repeat returns the current preset", late.preset).is(preset)
    yield* Expect.that("and the version", late.version).is(versions[1] ?? late.version)
    const found = Option.map(yield* store.made(preset.workspaceId, key), ({ made }) => made)
    yield* Expect.that("the key returns the same", found).is(Option.some(late))
  },
  *"refuses to stage if the preset is archived or the designated version fails the condition"(
    store
  ) {
    const { preset, version } = yield* store.append(makeDraft(1))
    yield* store.append(makeStaged(2, { condition: { match: [version.id] } }))
    const third = yield* store.append(makeStaged(3, { condition: { match: [version.id] } }))
    const stale = makeStaged(4, { condition: { match: [versionId(3)] } })
    yield* Expect.refuses(store.append(stale), "ConditionFailed")
    yield* revisePreset(third.preset, Event.cases.Shelved.make({ at: later(5) }))
    yield* Expect.refuses(store.append(makeStaged(6)), "Archived")
    yield* Expect.that("three versions are there", (yield* versionsOf(preset.id)).length).is(3)
  }
})
