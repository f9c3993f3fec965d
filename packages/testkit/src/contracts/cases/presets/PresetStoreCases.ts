/**
 * Contract cases for `PresetStore`: the effects of each method, and its answer if something is
 * missing.
 */
import {
  type JobStore,
  PresetStore,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { createPresetFromDraft, Event, type Preset, type PresetConfig } from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import { Effect, Option } from "effect"
import {
  awkwardTexts,
  findPreset,
  findStored,
  later,
  longText,
  makeDraft,
  makeTwoVersions,
  presetId,
  revisePreset,
  revisionOf,
  slug,
  upTo,
  userId,
  versionsOf,
  workspaceId
} from "../../../samples/index.ts"
import { atOnce, type Cases, type Contract, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { randomCallers } from "../RandomCallers.ts"
import { conditions, keys, repeats } from "./PresetStoreKeys.ts"
import { labelCases, protectionCases } from "./PresetStoreLabels.ts"
import { designationCases, filterCases, pagingCases } from "./PresetStoreLists.ts"
import { clearing, erasureCases, removalCases } from "./PresetStoreRemovals.ts"

type Ports = JobStore | PresetStore | WorkQueue | WorkspaceStore

/** Number of writers. It is large enough for collisions with a connection pool of any size. */
const writers = 64

const appends: Cases<Ports> = workspaceCases(PresetStore, {
  *"creates an active preset, named after its slug, with version 1 designated"(store) {
    const wanted = makeDraft(1, { format: "messages", wins: ["model", "temperature"] })
    const { preset, version } = yield* store.append(wanted)
    yield* Expect.that("the preset is a new one", preset).is(createPresetFromDraft(wanted))
    yield* Expect.that("the version is the draft", version).is({
      id: wanted.versionId,
      presetId: wanted.presetId,
      version: 1,
      creatorId: wanted.creatorId,
      format: wanted.format,
      systemPrompt: wanted.systemPrompt,
      config: wanted.config,
      wins: wanted.wins,
      comment: wanted.comment,
      erased: null,
      createdAt: wanted.at,
      updatedAt: wanted.at
    })
    const second = yield* store.append(makeDraft(2))
    yield* Expect.that("the next answer is what a read finds", second).is(yield* findStored())
  },
  *"gives 64 concurrent writers to a new slug one preset with versions 1 to 64"(store) {
    const answers = yield* atOnce(upTo(writers), (number) => store.append(makeDraft(number)))
    const made = answers.map(({ version }) => version).toSorted((a, b) => a.version - b.version)
    const numbers = made.map(({ version }): number => version)
    yield* Expect.that("no number is missing or given twice", numbers).is([...upTo(writers)])
    const { preset, version } = yield* findStored()
    yield* Expect.that(
      "there is one preset",
      answers.every((answer) => answer.preset.id === preset.id)
    ).is(true)
    yield* versionsOf(preset.id).pipe(
      Expect.gives("the preset's versions are the returned versions", made)
    )
    yield* Expect.that("the latest version is designated", version).is(made[writers - 1] ?? version)
    const { designatedVersion, designatedVersionId, latestVersion } = preset
    yield* Expect.that("the preset shows it", [
      designatedVersion,
      designatedVersionId,
      latestVersion
    ]).is([writers, version.id, writers])
  },
  *"refuses an unknown workspace, and writes nothing"(store) {
    const stray = makeDraft(1, { workspaceId: workspaceId(2) })
    yield* Expect.refuses(store.append(stray), "WorkspaceMissing")
    yield* Expect.that("no preset is there", yield* store.find(workspaceId(2), stray.slug)).is(
      Option.none()
    )
    yield* versionsOf(stray.presetId).pipe(Expect.gives("no version is there", []))
  }
})

const values: Cases<PresetStore | WorkspaceStore> = workspaceCases(PresetStore, {
  *"compares slugs byte by byte"(store) {
    const long = "x".repeat(254)
    const alike = ["a", "A", "a.", "a-", "a_", "a~", "ab", "1", "01", "1.0", `${long}y`, `${long}z`]
    yield* Effect.forEach(alike, (text, index) =>
      store.append(makeDraft(index + 1, { slug: slug(text) }))
    )
    const found = yield* Effect.forEach(alike, (text) => findStored(text))
    yield* Expect.that(
      "each slug has its own preset in version 1",
      found.map(({ preset, version }) => [preset.id, version.version])
    ).is(alike.map((_, index) => [presetId(index + 1), 1]))
    yield* Expect.that("other slugs and workspaces have no preset", [
      yield* findPreset("b"),
      yield* store.find(workspaceId(2), slug("a"))
    ]).is([Option.none(), Option.none()])
  },
  *"keeps every text unchanged, and distinguishes null from an empty text"(store) {
    const prompts = [...awkwardTexts, longText(1_000_000), null]
    yield* Effect.forEach(prompts, (systemPrompt, index) =>
      store.append(makeDraft(index + 1, { systemPrompt }))
    )
    const versions = yield* versionsOf(presetId(1))
    yield* Expect.that(
      "the prompts are unchanged",
      versions.map(({ systemPrompt }) => systemPrompt)
    ).is(prompts)
  },
  *"keeps every name and description unchanged, and distinguishes null from an empty text"(store) {
    const { preset } = yield* store.append(makeDraft(1))
    const descriptions = [...awkwardTexts, longText(4_000), null]
    let stored: Preset = preset
    for (const description of descriptions) {
      const name = description ?? "nameless"
      const event = Event.cases.Described.make({ at: later(1), name, description })
      stored = yield* revisePreset(stored, event)
      yield* Expect.that("the preset has that name", (yield* findStored()).preset).is(stored)
    }
  },
  *"keeps every JSON value unchanged"(store) {
    const config = {
      numbers: [0, -1, 0.1, 1e-7, 1e21, 1.7976931348623157e308, Number.MAX_SAFE_INTEGER],
      nothing: [null, "", [], {}, false],
      nested: { a: { b: { c: [{ d: [[1], [2, [3]]] }] } } },
      texts: awkwardTexts,
      names: Object.fromEntries(awkwardTexts.map((text, index) => [text, index])),
      long: longText(1_000_000)
    }
    yield* store.append(makeDraft(1, { config }))
    yield* Expect.that("the configuration is unchanged", (yield* findStored()).version.config).is(
      config
    )
  },
  *"keeps every digit of a number when a page of versions contains several configurations"(store) {
    const digits = "9223372036854775807,0.1000000000000000055,-1e-400,18446744073709551616.0"
    const texts = [`{"a":[1.5,${digits}]}`, '{"a":9007199254740993}', '{"a":1}']
    const configs = texts.map((text) => Option.getOrThrow(ExactNumber.parse(text)))
    yield* Effect.forEach(configs, (config, index) =>
      store.append(makeDraft(index + 1, { config: config as PresetConfig }))
    )
    yield* Expect.that(
      "the configurations are unchanged",
      (yield* versionsOf(presetId(1))).map(({ config }) => JSON.stringify(config))
    ).is(texts)
    yield* Expect.that(
      "the number is also unchanged on its own",
      Option.map(yield* store.version(presetId(1), 2), ({ config }) => JSON.stringify(config))
    ).is(Option.some('{"a":9007199254740993}'))
  },
  *"keeps a property named __proto__ like any other property"(store) {
    const config = Object.fromEntries([["__proto__", { model: "hidden" }]])
    yield* store.append(makeDraft(1, { config }))
    yield* Expect.that(
      "the property is stored",
      JSON.stringify((yield* findStored()).version.config)
    ).is('{"__proto__":{"model":"hidden"}}')
  },
  *"never changes a preset's workspace, slug, versions or creation time"(store) {
    const { preset } = yield* makeTwoVersions
    const event = Event.cases.Described.make({ at: later(3), name: "Support", description: null })
    const revision = revisionOf(preset, { event })
    const forged: Preset = {
      ...revision.next,
      workspaceId: workspaceId(2),
      slug: slug("sales"),
      creatorUserId: userId(9),
      latestVersion: 7,
      createdAt: later(9)
    }
    yield* store.revise({ ...revision, next: forged })
    yield* Expect.that(
      "only the preset's name has changed",
      Option.map(yield* findPreset(), (found) => found.preset)
    ).is(Option.some(revision.next))
  }
})

export const contract: Contract<Ports> = {
  port: "PresetStore",
  cases: [
    ...appends,
    ...values,
    ...designationCases,
    ...pagingCases,
    ...keys,
    ...conditions,
    ...repeats,
    ...clearing,
    ...labelCases,
    ...protectionCases,
    ...erasureCases,
    ...removalCases,
    ...filterCases,
    ...randomCallers
  ]
}
