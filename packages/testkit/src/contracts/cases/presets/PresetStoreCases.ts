/**
 * Contract cases for `PresetStore`: what each method does, and what it returns if something is
 * missing.
 */
import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import { createPresetFromDraft, Event, type Preset, type PresetConfig } from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import { Effect, Option } from "effect"
import {
  awkwardTexts,
  designate,
  findPreset,
  findStored,
  later,
  longText,
  makeDraft,
  presetId,
  readPast,
  revisePreset,
  revisionOf,
  slug,
  userId,
  versionsOf,
  workspaceId
} from "../../../samples/index.ts"
import { type Cases, type Contract, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { conditions, keys, repeats } from "./PresetStoreKeys.ts"
import { labelCases, protectionCases } from "./PresetStoreLabels.ts"
import { designationCases, filterCases, pagingCases } from "./PresetStoreLists.ts"
import { raceCases, stagingCases } from "./PresetStoreRaces.ts"
import { clearing, erasureCases, removalCases } from "./PresetStoreRemovals.ts"

type Ports = PresetStore | WorkspaceStore

/** Cases about a single writer. */
const lonely: Cases<Ports> = workspaceCases(PresetStore, {
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

/** Cases about stored values. */
const values: Cases<PresetStore | WorkspaceStore> = workspaceCases(PresetStore, {
  *"compares slugs byte by byte"(store) {
    const long = "x".repeat(254)
    const alike = ["a", "A", "a.", "a-", "a_", "a~", "ab", "1", "01", "1.0", `${long}y`, `${long}z`]
    yield* Effect.forEach(alike, (text, index) =>
      store.append(makeDraft(index + 1, { slug: slug(text) }))
    )
    const found = yield* Effect.forEach(alike, (text) => findStored(text))
    yield* Expect.that(
      "each has a preset of its own, in version 1",
      found.map(({ preset, version }) => [preset.id, version.version])
    ).is(alike.map((_, index) => [presetId(index + 1), 1]))
    yield* Expect.that("other slugs and workspaces have none", [
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
  *"keeps every digit of a number when a page contains several configurations"(store) {
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
    yield* Expect.that("it is there", JSON.stringify((yield* findStored()).version.config)).is(
      '{"__proto__":{"model":"hidden"}}'
    )
  }
})

/** Reads everything stored about the first preset. */
const storedPreset = Effect.gen(function* () {
  return { found: yield* findPreset(), ...(yield* readPast(presetId(1))) }
})

/** Makes a preset with the given number of versions. */
const growVersions = Effect.fnUntraced(function* (versionCount: number) {
  const store = yield* PresetStore
  let answer = yield* store.append(makeDraft(1))
  for (let number = 2; number <= versionCount; number++)
    answer = yield* store.append(makeDraft(number))
  return answer
})

/** Cases about a single writer's changes. */
const revisionCases: Cases<PresetStore | WorkspaceStore> = workspaceCases(PresetStore, {
  *"refuses a change based on an outdated revision, and writes nothing"(store) {
    const first = yield* store.append(makeDraft(1))
    yield* store.append(makeDraft(2))
    const before = yield* storedPreset
    const stale = revisionOf(first.preset, { event: designate(first.version, later(3)) })
    yield* Expect.refuses(store.revise(stale), "Superseded")
    yield* Expect.refuses(store.revise({ ...stale, expectedRevision: 3 }), "Superseded")
    const stray = { ...stale.next, id: presetId(9) }
    yield* Expect.refuses(store.revise({ ...stale, next: stray }), "Superseded")
    yield* storedPreset.pipe(Expect.gives("everything is unchanged", before))
  },
  *"never changes a preset's workspace, slug, versions or creation time"(store) {
    const { preset } = yield* growVersions(2)
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
      "it has its new name, and nothing else is new",
      Option.map(yield* findPreset(), (found) => found.preset)
    ).is(Option.some(revision.next))
  }
})

export const contract: Contract<Ports> = {
  port: "PresetStore",
  cases: [
    ...lonely,
    ...values,
    ...revisionCases,
    ...designationCases,
    ...pagingCases,
    ...raceCases,
    ...keys,
    ...conditions,
    ...repeats,
    ...clearing,
    ...stagingCases,
    ...labelCases,
    ...protectionCases,
    ...erasureCases,
    ...removalCases,
    ...filterCases
  ]
}
