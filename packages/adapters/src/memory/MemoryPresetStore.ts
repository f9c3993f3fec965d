/** Implements `PresetStore` in memory. */
import { type IdempotencyKey, isCurrentKey } from "@verbatim/core/idempotency"
import {
  type Page,
  type PresetPage,
  PresetStore,
  PresetStoreError,
  type Removal,
  type Revision,
  type VersionPage
} from "@verbatim/core/ports"
import {
  answerRepeat,
  createPresetFromDraft,
  type DesignatedPreset,
  type Designation,
  designationOf,
  findUnmetCondition,
  type Preset,
  type PresetDraft,
  type PresetId,
  type PresetSlug,
  type PresetVersion,
  type PresetVersionId,
  versionOf,
  withNextVersion
} from "@verbatim/core/preset"
import { copyJson } from "@verbatim/core/schema"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Layer, Option, Struct } from "effect"
import { MemoryDatabase, type Tables } from "./MemoryDatabase.ts"
import { isAnyProtected, moveMethods, protectionMethods } from "./preset/Labels.ts"
import {
  eraseVersion,
  findPreset,
  forgetPreset,
  keyOf,
  listOf,
  matchesFilters,
  newestFirst,
  pageOf,
  takeFitting
} from "./preset/PresetTables.ts"

/** Returns the fields that a revision leaves unchanged. */
const constantFields = (preset: Preset) =>
  Struct.pick(preset, ["createdAt", "creatorUserId", "id", "latestVersion", "slug", "workspaceId"])

const makeRefusal = (operation: string) => (reason: PresetStoreError["reason"]) =>
  new PresetStoreError({ operation, reason })

/**
 * Adds a designation. The previous version is taken from the last entry, so that the entries
 * always form a chain.
 */
const designate = ({ designations }: Tables, designation: Omit<Designation, "from">): void => {
  const list = listOf(designations, designation.presetId)
  list.push({ ...designation, from: list.at(-1)?.to ?? null })
}

/** Finds the version that an earlier call appended from the same draft, if any. */
const findMade = (tables: Tables, id: PresetVersionId): Option.Option<DesignatedPreset> =>
  Option.gen(function* () {
    const version = yield* Option.fromUndefinedOr(tables.drafted.get(id))
    const preset = yield* Option.fromUndefinedOr(tables.presets.get(version.presetId))
    return { preset, version }
  })

/** Finds an idempotency key's record, unless the key has expired. */
const findRecord = ({ presetKeys }: Tables, key: string, now: DateTime.Utc) =>
  Option.filter(Option.fromUndefinedOr(presetKeys.get(key)), ({ at }) => isCurrentKey(at, now))

const append = Effect.fnUntraced(function* (tables: Tables, draft: PresetDraft) {
  const { accounts, drafted, presetKeys, presets, slugs, versions } = tables
  const refuse = makeRefusal("append")
  const now = yield* DateTime.now
  const earlier = Option.map(findMade(tables, draft.versionId), (made) => answerRepeat(draft, made))
  if (Option.isSome(earlier)) return earlier.value
  if (!accounts.has(draft.workspaceId)) return yield* refuse({ _tag: "WorkspaceMissing" })
  const requestKey = Option.map(draft.request, ({ key }) => keyOf(draft.workspaceId, key))
  if (Option.exists(requestKey, (key) => Option.isSome(findRecord(tables, key, now)))) {
    return yield* refuse({ _tag: "KeyTaken" })
  }
  const old = findPreset(tables, draft)
  const unmet = draft.condition && findUnmetCondition(draft.condition, old)
  if (unmet !== undefined) return yield* refuse({ _tag: "ConditionFailed", unmet })
  const grown =
    old === undefined ? Option.some(createPresetFromDraft(draft)) : withNextVersion(old, draft)
  if (Option.isNone(grown)) return yield* refuse({ _tag: "Archived" })
  const preset = grown.value
  // The draft is copied, because the caller may later change the body from which the draft was
  // created.
  const version = versionOf(preset, { ...draft, config: copyJson(draft.config) })
  slugs.set(keyOf(draft.workspaceId, draft.slug), preset.id)
  presets.set(preset.id, preset)
  listOf(versions, preset.id).push(version)
  drafted.set(version.id, version)
  if (Option.isSome(draft.request)) {
    const { fingerprint, key } = draft.request.value
    const record = { fingerprint, versionId: version.id, at: now }
    presetKeys.set(keyOf(draft.workspaceId, key), record)
  }
  const designation = designationOf(preset, draft)
  if (Option.isSome(designation)) designate(tables, designation.value)
  return { preset, version }
})

const revise = Effect.fnUntraced(function* (tables: Tables, revision: Revision) {
  const { changes, presets } = tables
  const { designation, expectedRevision, freeLabels = [], id, label, next } = revision
  if (changes.has(id)) return
  const stored = presets.get(next.id)
  const isStale =
    stored?.revision !== expectedRevision ||
    isAnyProtected(tables, { ...stored, labels: freeLabels })
  if (isStale) return yield* makeRefusal("revise")({ _tag: "Superseded" })
  changes.add(id)
  presets.set(stored.id, { ...next, ...constantFields(stored) })
  if (Option.isSome(designation)) designate(tables, designation.value)
  if (label !== undefined) listOf(tables.labelMoves, next.id).push(label)
  eraseVersion(tables, revision)
})

const made = (tables: Tables, workspaceId: WorkspaceId, key: IdempotencyKey) =>
  Effect.map(DateTime.now, (now) =>
    Option.gen(function* () {
      const { fingerprint, versionId } = yield* findRecord(tables, keyOf(workspaceId, key), now)
      return { fingerprint, made: yield* findMade(tables, versionId) }
    })
  )

/** Provides a `PresetStore` in this process's memory. */
export const layer: Layer.Layer<PresetStore, never, MemoryDatabase> = Layer.effect(
  PresetStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { designations, presets, slugs, versions } = tables

    // Versions are numbered without gaps, so a version's number determines its position in the
    // list.
    const versionAt = (presetId: PresetId, number: number): Option.Option<PresetVersion> =>
      Option.fromUndefinedOr(versions.get(presetId)?.[number - 1])

    const find = (workspaceId: WorkspaceId, slug: PresetSlug) =>
      Effect.sync(() =>
        Option.gen(function* () {
          const id = yield* Option.fromUndefinedOr(slugs.get(keyOf(workspaceId, slug)))
          const preset = yield* Option.fromUndefinedOr(presets.get(id))
          const version = yield* versionAt(id, preset.designatedVersion)
          return { preset, version }
        })
      )

    const list = (workspaceId: WorkspaceId, page: PresetPage) =>
      Effect.sync(() => {
        const all = [...presets.values()]
          .filter((preset) => preset.workspaceId === workspaceId)
          .filter(matchesFilters(page))
        const listed = pageOf(all.sort(newestFirst), page).map((preset) => {
          const latest = Option.getOrThrow(versionAt(preset.id, preset.latestVersion))
          return { ...preset, latestCreatorId: latest.creatorId }
        })
        return { presets: listed, total: all.length }
      })

    const designatedAt = (presetId: PresetId, at: DateTime.Utc) =>
      Effect.sync(() => {
        const last = designations
          .get(presetId)
          ?.findLast((designation) => DateTime.isLessThanOrEqualTo(designation.at, at))
        return last === undefined ? Option.none() : versionAt(presetId, last.to)
      })

    return PresetStore.of({
      append: (draft) => append(tables, draft),
      made: (workspaceId, key) => made(tables, workspaceId, key),
      revise: (revision) => revise(tables, revision),
      ...removalMethods(tables),
      ...protectionMethods(tables),
      ...moveMethods(tables),
      find,
      list,
      versions: (presetId: PresetId, page: VersionPage) =>
        Effect.sync(() => takeFitting(pageOf(versions.get(presetId), page), page.byteMax)),
      version: (presetId: PresetId, number: number) =>
        Effect.sync(() => versionAt(presetId, number)),
      designations: (presetId: PresetId, page: Page) =>
        Effect.sync(() => pageOf(designations.get(presetId), page)),
      designationCount: (presetId: PresetId) =>
        Effect.sync(() => designations.get(presetId)?.length ?? 0),
      designatedAt
    })
  })
)

/**
 * The methods that remove presets: a single archived preset, or all presets of a workspace, a few
 * at a time.
 */
const removalMethods = (
  tables: Tables
): Pick<PresetStore["Service"], "clear" | "remove" | "sweep"> => ({
  remove: Effect.fnUntraced(function* (removal: Removal) {
    const { expectedRevision, freeLabels, presetId } = removal
    const stored = tables.presets.get(presetId)
    if (stored === undefined) return
    const isStale =
      stored.revision !== expectedRevision ||
      stored._tag !== "Archived" ||
      isAnyProtected(tables, { ...stored, labels: freeLabels })
    if (isStale) {
      return yield* new PresetStoreError({ operation: "remove", reason: { _tag: "Superseded" } })
    }
    forgetPreset(tables, stored)
  }),
  // A removal deletes all rows immediately, so there is nothing to sweep.
  sweep: () => Effect.succeed(false),
  // Here, a preset and everything that refers to it are counted as one row.
  clear: (workspaceId: WorkspaceId, rowMax: number) =>
    Effect.sync(() => {
      const own = [...tables.presets.values()].filter((each) => each.workspaceId === workspaceId)
      for (const preset of own.slice(0, rowMax)) forgetPreset(tables, preset)
      if (own.length <= rowMax) tables.protectedLabels.delete(workspaceId)
      return own.length > rowMax
    })
})
