/**
 * The promises of a `PresetStore`: what a verb means, and what absence means.
 */

import { PresetStore, type WorkspaceStore } from "@verbatim/core/ports"
import * as Preset from "@verbatim/core/preset"
import { Effect, Option, Result } from "effect"
import { presetId, upTo, workspaceId } from "../../../samples/Ids.ts"
import { foundPreset, makeDraft, slug, versionsOf } from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { type Case, type Contract, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { clearing } from "./PresetStoreClearing.ts"
import { conditions } from "./PresetStoreConditions.ts"
import { designationCases } from "./PresetStoreDesignations.ts"
import { erasureCases } from "./PresetStoreErasures.ts"
import { filterCases } from "./PresetStoreFilters.ts"
import { keys } from "./PresetStoreKeys.ts"
import { labelRaces } from "./PresetStoreLabelRaces.ts"
import { labelCases } from "./PresetStoreLabels.ts"
import { pagingCases } from "./PresetStorePages.ts"
import { protectionCases } from "./PresetStoreProtection.ts"
import { raceCases } from "./PresetStoreRaces.ts"
import { removalCases } from "./PresetStoreRemovals.ts"
import { repeats } from "./PresetStoreRepeats.ts"
import { revisionCases } from "./PresetStoreRevisions.ts"
import { stagingCases } from "./PresetStoreStaging.ts"
import { values } from "./PresetStoreValues.ts"

/** What the pure machine makes of versions that were written one after the other. */
const replayDrafts = (drafts: ReadonlyArray<ReturnType<typeof makeDraft>>): Preset.State => {
  const made = drafts.reduce<Preset.State | undefined>(
    (preset, { at, creatorId, presetId, slug, versionId, workspaceId }) =>
      preset === undefined
        ? Preset.createPreset({
            id: presetId,
            workspaceId,
            slug,
            creatorUserId: creatorId,
            versionId,
            at
          })
        : Result.getOrThrow(
            Preset.transition(preset, Preset.Event.cases.VersionAdded.make({ at, versionId }))
          ),
    undefined
  )
  return Option.getOrThrow(Option.fromUndefinedOr(made))
}

type Ports = PresetStore | WorkspaceStore

/** What one writer at a time sees. */
const lonely: ReadonlyArray<Case<Ports>> = workspaceCases(PresetStore, {
  *"creates an active preset, named like its slug, with version 1 designated"(store) {
    const wanted = makeDraft(1, { format: "messages", wins: ["model", "temperature"] })
    const { preset, version } = yield* store.append(wanted)
    yield* Expect.that("the preset is a new one", preset).is(replayDrafts([wanted]))
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
  *"means by each append what the machine means"(store) {
    // The second instant is before the first: numbers follow the order of writes, not the clocks.
    const drafts = [makeDraft(1), makeDraft(2, { at: later(-5_000) }), makeDraft(3), makeDraft(4)]
    for (const [index, each] of drafts.entries()) {
      const { preset, version } = yield* store.append(each)
      const expected = replayDrafts(drafts.slice(0, index + 1))
      yield* Expect.that("it agrees", preset).is(expected)
      yield* Expect.that("the version has the next number and belongs to the first preset", [
        version.version,
        version.presetId
      ]).is([index + 1, presetId(1)])
    }
  },
  *"finds what it answered, with the designated version"(store) {
    yield* store.append(makeDraft(1))
    const second = yield* store.append(makeDraft(2))
    yield* Expect.that("the latest version is designated", yield* foundPreset()).is(
      Option.some(second)
    )
  },
  *"finds no preset of another slug or another workspace"(store) {
    yield* store.append(makeDraft(1))
    yield* foundPreset("supports").pipe(Expect.gives("another slug has none", Option.none()))
    yield* Expect.that(
      "another workspace has none",
      yield* store.find(workspaceId(2), slug("support"))
    ).is(Option.none())
  },
  *"refuses a workspace that does not exist, and writes nothing"(store) {
    const stray = makeDraft(1, { workspaceId: workspaceId(2) })
    yield* Expect.refuses(store.append(stray), "WorkspaceMissing")
    yield* Expect.that("no preset is there", yield* store.find(workspaceId(2), stray.slug)).is(
      Option.none()
    )
    yield* versionsOf(stray.presetId).pipe(Expect.gives("no version is there", []))
  },
  *"lists all versions of a preset, oldest first, and none of an unknown one"(store) {
    // More than nine: as texts, 10 would come before 2.
    const answers = yield* Effect.forEach(upTo(12), (number) => store.append(makeDraft(number)))
    yield* Expect.that("the list is what the appends answered", yield* versionsOf(presetId(1))).is(
      answers.map(({ version }) => version)
    )
    yield* versionsOf(presetId(2)).pipe(Expect.gives("an unknown preset has none", []))
  },
  *"leaves what was read as it was"(store) {
    const answer = yield* store.append(makeDraft(1))
    const before = yield* versionsOf(presetId(1))
    yield* store.append(makeDraft(2))
    yield* Expect.that("the list read before has one version", before.length).is(1)
    yield* Expect.that("the answer of before is still version 1", answer.preset.latestVersion).is(1)
  }
})

/** All of them. */
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
    ...labelRaces,
    ...protectionCases,
    ...erasureCases,
    ...removalCases,
    ...filterCases
  ]
}
