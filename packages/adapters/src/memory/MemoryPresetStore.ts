/**
 * `PresetStore` in the memory of the process.
 */

import { type IdempotencyKey, keyWindow } from "@verbatim/core/idempotency"
import {
  type Page,
  type PresetPage,
  PresetStore,
  PresetStoreError,
  type Revision,
  trace,
  type VersionPage
} from "@verbatim/core/ports"
import {
  type DesignatedPreset,
  type Designation,
  designationOf,
  firstPreset,
  nextPreset,
  type Preset,
  type PresetDraft,
  type PresetId,
  type PresetSlug,
  type PresetVersion,
  type PresetVersionId,
  toDesignatedPreset,
  unmetBy,
  versionOf
} from "@verbatim/core/preset"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Layer, Option, Order, Struct } from "effect"
import { MemoryDatabase } from "./MemoryDatabase.ts"

/** The key of a slug, or of an idempotency key. */
const keyOf = (workspaceId: WorkspaceId, text: string): string => `${workspaceId}/${text}`

/** What a revision leaves unchanged. */
const constantFields = (preset: Preset) =>
  Struct.pick(preset, ["createdAt", "creatorUserId", "id", "latestVersion", "slug", "workspaceId"])

const newestFirst = Order.flip(
  Order.combine(
    Order.mapInput(DateTime.Order, ({ updatedAt }: Preset) => updatedAt),
    Order.mapInput(Order.String, ({ id }: Preset) => id)
  )
)

const pageOf = <A>(list: ReadonlyArray<A> | undefined, { limit, offset }: Page): ReadonlyArray<A> =>
  (list ?? []).slice(offset, offset + limit)

const bytes = new TextEncoder()

/** The versions that fit, and the first one in any case. */
const takeFitting = (
  page: ReadonlyArray<PresetVersion>,
  byteMax: number | undefined
): ReadonlyArray<PresetVersion> => {
  if (byteMax === undefined) return page
  let byteLength = 0
  const end = page.findIndex(({ config, systemPrompt }, index) => {
    byteLength += bytes.encode(JSON.stringify(config) + (systemPrompt ?? "")).length
    return index > 0 && byteLength > byteMax
  })
  return end === -1 ? page : page.slice(0, end)
}

/** A list grows in place: with a copy for each new version, the 1,000th took 14 µs, not 1.4. */
const listOf = <A>(lists: Map<PresetId, Array<A>>, id: PresetId): Array<A> => {
  const known = lists.get(id)
  if (known !== undefined) return known
  const list: Array<A> = []
  lists.set(id, list)
  return list
}

const makeRefusal = (operation: string) => (reason: PresetStoreError["reason"]) =>
  new PresetStoreError({ operation, reason })

/** The presets of the process. */
export const layer: Layer.Layer<PresetStore, never, MemoryDatabase> = Layer.effect(
  PresetStore,
  Effect.gen(function* () {
    const { accounts, changes, designations, drafted, presetKeys, presets, slugs, versions } =
      yield* MemoryDatabase

    /** The version designated before is that of the last entry, so the two always fit together. */
    const designate = (designation: Omit<Designation, "from">): void => {
      const list = listOf(designations, designation.presetId)
      list.push({ ...designation, from: list.at(-1)?.to ?? null })
    }

    /** The version of a draft, if it was appended before. */
    const showingVersion = (id: PresetVersionId): Option.Option<DesignatedPreset> =>
      Option.gen(function* () {
        const version = yield* Option.fromUndefinedOr(drafted.get(id))
        const preset = yield* Option.fromUndefinedOr(presets.get(version.presetId))
        return toDesignatedPreset(preset, version)
      })

    /** The record of a key that has not lapsed. */
    const recordOf = (key: string, now: DateTime.Utc) =>
      Option.filter(Option.fromUndefinedOr(presetKeys.get(key)), ({ at }) =>
        DateTime.isGreaterThan(DateTime.addDuration(at, keyWindow), now)
      )

    const append = trace("MemoryPresetStore.append")(function* (draft: PresetDraft) {
      const refuse = makeRefusal("append")
      const now = yield* DateTime.now
      const earlier = showingVersion(draft.versionId)
      if (Option.isSome(earlier)) return earlier.value
      if (!accounts.has(draft.workspaceId)) return yield* refuse({ _tag: "WorkspaceMissing" })
      const requestKey = Option.map(draft.request, ({ key }) => keyOf(draft.workspaceId, key))
      if (Option.exists(requestKey, (key) => Option.isSome(recordOf(key, now)))) {
        return yield* refuse({ _tag: "KeyTaken" })
      }
      const key = keyOf(draft.workspaceId, draft.slug)
      const known = slugs.get(key)
      const old = known === undefined ? undefined : presets.get(known)
      const unmet = draft.condition && unmetBy(draft.condition, old)
      if (unmet !== undefined) return yield* refuse({ _tag: "ConditionFailed", unmet })
      const grown = old === undefined ? Option.some(firstPreset(draft)) : nextPreset(old, draft)
      if (Option.isNone(grown)) return yield* refuse({ _tag: "Archived" })
      const preset = grown.value
      const version = versionOf(preset, draft)
      slugs.set(key, preset.id)
      presets.set(preset.id, preset)
      listOf(versions, preset.id).push(version)
      drafted.set(version.id, version)
      if (Option.isSome(draft.request)) {
        const { fingerprint, key } = draft.request.value
        const record = { fingerprint, versionId: version.id, at: now }
        presetKeys.set(keyOf(draft.workspaceId, key), record)
      }
      designate(designationOf(preset, draft))
      return { preset, version }
    })

    const made = trace("MemoryPresetStore.made")((workspaceId: WorkspaceId, key: IdempotencyKey) =>
      Effect.map(DateTime.now, (now) =>
        Option.gen(function* () {
          const { fingerprint, versionId } = yield* recordOf(keyOf(workspaceId, key), now)
          return { fingerprint, made: yield* showingVersion(versionId) }
        })
      )
    )

    const revise = trace("MemoryPresetStore.revise")(function* (revision: Revision) {
      const { designation, expectedRevision, id, next } = revision
      if (changes.has(id)) return
      const stored = presets.get(next.id)
      if (stored?.revision !== expectedRevision) {
        return yield* makeRefusal("revise")({ _tag: "Superseded" })
      }
      changes.add(id)
      presets.set(stored.id, { ...next, ...constantFields(stored) })
      if (Option.isSome(designation)) designate(designation.value)
    })

    // Versions are dense, so a number is a place in the list.
    const versionAt = (presetId: PresetId, number: number): Option.Option<PresetVersion> =>
      Option.fromUndefinedOr(versions.get(presetId)?.[number - 1])

    const find = trace("MemoryPresetStore.find")((workspaceId: WorkspaceId, slug: PresetSlug) =>
      Effect.sync(() =>
        Option.gen(function* () {
          const id = yield* Option.fromUndefinedOr(slugs.get(keyOf(workspaceId, slug)))
          const preset = yield* Option.fromUndefinedOr(presets.get(id))
          const version = yield* versionAt(id, preset.designatedVersion)
          return { preset, version }
        })
      )
    )

    const list = trace("MemoryPresetStore.list")((workspaceId: WorkspaceId, page: PresetPage) =>
      Effect.sync(() => {
        const { state } = page
        const all = [...presets.values()].filter(
          (preset) =>
            preset.workspaceId === workspaceId && (state === undefined || preset._tag === state)
        )
        return { presets: pageOf(all.sort(newestFirst), page), total: all.length }
      })
    )

    const designatedAt = trace("MemoryPresetStore.designatedAt")(
      (presetId: PresetId, at: DateTime.Utc) =>
        Effect.sync(() => {
          const last = designations
            .get(presetId)
            ?.findLast((designation) => DateTime.isLessThanOrEqualTo(designation.at, at))
          return last === undefined ? Option.none() : versionAt(presetId, last.to)
        })
    )

    /** A preset and what is known of it are one row here. */
    const clear = trace("MemoryPresetStore.clear")((workspaceId: WorkspaceId, rowMax: number) =>
      Effect.sync(() => {
        const own = [...presets.values()].filter((preset) => preset.workspaceId === workspaceId)
        for (const { id, slug } of own.slice(0, rowMax)) {
          for (const version of listOf(versions, id)) drafted.delete(version.id)
          for (const [key, { versionId }] of presetKeys) {
            if (!drafted.has(versionId)) presetKeys.delete(key)
          }
          versions.delete(id)
          designations.delete(id)
          slugs.delete(keyOf(workspaceId, slug))
          presets.delete(id)
        }
        return own.length > rowMax
      })
    )

    return PresetStore.of({
      append,
      clear,
      made,
      revise,
      find,
      list,
      versions: trace("MemoryPresetStore.versions")((presetId: PresetId, page: VersionPage) =>
        Effect.sync(() => takeFitting(pageOf(versions.get(presetId), page), page.byteMax))
      ),
      version: trace("MemoryPresetStore.version")((presetId: PresetId, number: number) =>
        Effect.sync(() => versionAt(presetId, number))
      ),
      designations: trace("MemoryPresetStore.designations")((presetId: PresetId, page: Page) =>
        Effect.sync(() => pageOf(designations.get(presetId), page))
      ),
      designationCount: trace("MemoryPresetStore.designationCount")((presetId: PresetId) =>
        Effect.sync(() => designations.get(presetId)?.length ?? 0)
      ),
      designatedAt
    })
  })
)
