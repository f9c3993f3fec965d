/**
 * The promises of a `PresetStore` about versions that are added only while something holds.
 */

import { IdempotencyKey } from "@verbatim/core/idempotency"
import { PresetStore, PresetStoreError, type WorkspaceStore } from "@verbatim/core/ports"
import { Event, type PresetCondition, type PresetDraft, type Unmet } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import { presetId, upTo, versionId, workspaceId } from "../../../samples/Ids.ts"
import {
  foundPreset,
  makeDraft,
  revisePreset,
  slug,
  versionsOf
} from "../../../samples/SamplePreset.ts"
import { later } from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** What becomes of a draft: the number of its version, or why there is none. */
const outcomeOf = (number: number, condition: PresetCondition, text = "support") =>
  Effect.flatMap(PresetStore, (store) =>
    store.append(makeDraft(number, { condition, slug: slug(text) }))
  ).pipe(
    Effect.map(({ version }) => version.version),
    Effect.catchTag("PresetStoreError", ({ reason }) =>
      Effect.succeed(reason._tag === "ConditionFailed" ? reason.unmet : reason._tag)
    )
  )

/** Conditions of a preset with two versions of which the second is designated. */
const rows: ReadonlyArray<readonly [condition: PresetCondition, unmet: Unmet | undefined]> = [
  [{}, undefined],
  [{ match: undefined, noneMatch: undefined }, undefined],
  [{ match: "any" }, undefined],
  [{ match: [versionId(2)] }, undefined],
  [{ match: [versionId(1), versionId(2)] }, undefined],
  [{ match: [versionId(1)] }, "Moved"],
  [{ match: [] }, "Moved"],
  [{ noneMatch: "any" }, "Exists"],
  [{ noneMatch: [versionId(1)] }, undefined],
  [{ noneMatch: [] }, undefined],
  [{ noneMatch: [versionId(2)] }, "NotMoved"],
  [{ match: "any", noneMatch: "any" }, "Exists"],
  [{ match: [versionId(1)], noneMatch: "any" }, "Moved"]
]

/** Why a draft is refused that has a key or none, and a condition or none. */
const refusalOf = (wishes: Partial<PresetDraft>, isKeyed: boolean) =>
  Effect.flatMap(PresetStore, (store) => {
    const key = IdempotencyKey.make("k")
    const request = isKeyed ? Option.some({ key, fingerprint: "f" }) : Option.none()
    return Effect.map(
      Effect.flip(store.append(makeDraft(9, { ...wishes, request }))),
      ({ reason }) => reason._tag
    )
  })

const writers = 16

/** How often a race is run. */
const rounds = 5

/** Lets writers with the same condition race for a slug, each with its own draft. */
const race = Effect.fnUntraced(function* (round: number, condition: PresetCondition) {
  const outcomes = yield* atOnce(upTo(writers), (number) =>
    outcomeOf(round * 100 + number, condition, `race-${round}`)
  )
  return {
    winners: outcomes.filter((outcome) => typeof outcome === "number"),
    refused: [...new Set(outcomes.filter((outcome) => typeof outcome === "string"))]
  }
})

/** Conditions of drafts. */
export const conditions: ReadonlyArray<Case<PresetStore | WorkspaceStore>> = workspaceCases(
  PresetStore,
  {
    *"adds a version only while the condition of its draft holds"(store) {
      for (const [index, [condition, unmet]] of rows.entries()) {
        const text = `row-${index}`
        const first = 10 * index + 100
        yield* store.append(makeDraft(first, { slug: slug(text) }))
        const second = yield* store.append(makeDraft(first + 1, { slug: slug(text) }))
        const named = JSON.stringify(condition)
          .replaceAll(versionId(1), versionId(first))
          .replaceAll(versionId(2), versionId(first + 1))
        const outcome = yield* outcomeOf(first + 2, JSON.parse(named), text)
        yield* Expect.that(`the outcome of ${named}`, outcome).is(unmet ?? 3)
        if (unmet === undefined) continue
        yield* Expect.that("nothing was written", yield* foundPreset(text)).is(Option.some(second))
      }
    },
    *"creates a preset only where none is required to be there"() {
      const outcomes = [
        yield* outcomeOf(1, { match: "any" }),
        yield* outcomeOf(2, { match: [versionId(2)] }),
        yield* outcomeOf(3, { match: "any", noneMatch: "any" }),
        yield* outcomeOf(4, { noneMatch: [versionId(4)] }, "other"),
        yield* outcomeOf(5, { noneMatch: "any" })
      ]
      yield* Expect.that("three are refused, two are made", outcomes).is([
        "Absent",
        "Absent",
        "Absent",
        1,
        1
      ])
    },
    *"lets one of many writers create a preset that must not be there"() {
      for (const round of upTo(rounds)) {
        yield* Expect.that("one creates it", yield* race(round, { noneMatch: "any" })).is({
          winners: [1],
          refused: ["Exists"]
        })
      }
    },
    *"lets one of many writers follow the version that they all require"(store) {
      for (const round of upTo(rounds)) {
        const first = yield* store.append(makeDraft(round * 100, { slug: slug(`race-${round}`) }))
        yield* Expect.that("one follows it", yield* race(round, { match: [first.version.id] })).is({
          winners: [2],
          refused: ["Moved"]
        })
        yield* Expect.that(
          "and no version is missing",
          (yield* versionsOf(first.preset.id)).map(({ version }) => version)
        ).is([1, 2])
      }
    },
    *"says why it takes no version, whether a draft has a key, a condition, or both"(store) {
      const { preset } = yield* store.append(makeDraft(1))
      yield* revisePreset(preset, Event.cases.Shelved.make({ at: later(2) }))
      const unmade = { workspaceId: workspaceId(9) }
      const kinds: ReadonlyArray<PresetCondition | undefined> = [undefined, { noneMatch: [] }]
      for (const condition of kinds) {
        for (const isKeyed of [false, true]) {
          yield* Expect.that("the preset is archived, the workspace is missing", [
            yield* refusalOf({ condition }, isKeyed),
            yield* refusalOf({ ...unmade, condition }, isKeyed)
          ]).is(["Archived", "WorkspaceMissing"])
        }
      }
    },
    *"judges a key before the condition, and a repeat of the draft before both"(store) {
      const request = Option.some({ key: IdempotencyKey.make("k"), fingerprint: "f" })
      const draft = makeDraft(1, { request, condition: { noneMatch: "any" } })
      const first = yield* store.append(draft)
      yield* Expect.that("the repeat is the same version", yield* store.append(draft)).is(first)
      const plain = makeDraft(2, { slug: slug("plain"), condition: { noneMatch: "any" } })
      yield* store.append(plain)
      yield* Expect.that(
        "so is the repeat of one without a key",
        Option.map(Option.some(yield* store.append(plain)), ({ version }) => version.id)
      ).is(Option.some(versionId(2)))
      const other = yield* Effect.flip(store.append({ ...draft, versionId: versionId(3) }))
      yield* Expect.that("another draft under the key finds it taken", other).is(
        new PresetStoreError({ operation: "append", reason: { _tag: "KeyTaken" } })
      )
      yield* Expect.that("one version each", [
        (yield* versionsOf(presetId(1))).length,
        (yield* versionsOf(presetId(2))).length
      ]).is([1, 1])
    }
  }
)
