/**
 * Manages presets, which store the bodies of inference requests as versions. Versions can be read,
 * compared, designated, and used as the base for requests.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { isServiceChange } from "../../domain/preset/LabelChange.ts"
import type { Preset } from "../../domain/preset/Preset.ts"
import {
  applyChange,
  applyDesignation,
  type PresetChange,
  refuseInactive
} from "../../domain/preset/PresetChange.ts"
import type { Comparison, PresetAddress, PresetWrite } from "../../domain/preset/PresetCommand.ts"
import { diff } from "../../domain/preset/PresetDiff.ts"
import { type PresetFilter, readFilter } from "../../domain/preset/PresetFilter.ts"
import type {
  ConditionFailed,
  ManagementKeyRequired,
  PresetInactive
} from "../../domain/preset/PresetRefusal.ts"
import type { PresetVersion } from "../../domain/preset/PresetVersion.ts"
import { toFullVersionView } from "../../domain/preset/PresetView.ts"
import { findVersionNumber, type VersionSelector } from "../../domain/preset/VersionSelector.ts"
import { type RequestFormat, responses } from "../../domain/request/index.ts"
import { preview } from "../../domain/request/RequestPreview.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { type Page, PresetStore, type VersionPage } from "../../ports/PresetStore.ts"
import { trace } from "../../ports/Trace.ts"
import { LargeReads, type TextPiece, type TextWriter } from "../jobs/LargeReads.ts"
import { makeCreations, requireWriteAccess } from "./Creations.ts"
import { makeLabels } from "./Labels.ts"
import {
  makePresetChanges,
  makePresetHousekeeping,
  type NotRead,
  PresetLocks
} from "./PresetChanges.ts"
import { makePresetParts } from "./PresetParts.ts"
import { makePreviews } from "./Previews.ts"
import { makeResolutions } from "./Resolutions.ts"

/** Creates the methods of `Presets` that no other module creates. */
const makeOwnMethods = Effect.gen(function* () {
  const store = yield* PresetStore
  const { create } = yield* makeCreations
  const { getVersion } = yield* makePresetChanges
  const get = yield* makeGet

  const list = trace("Presets.list")(function* (
    { workspaceId }: Principal,
    { label, status, text, ...page }: Page & PresetFilter
  ) {
    const filters = yield* Effect.fromResult(readFilter({ label, status, text }))
    return yield* store.list(workspaceId, { ...page, ...filters })
  })

  return {
    /**
     * Stores the parts of a request that a preset keeps, as the next version of the preset with the
     * given slug. The preset is created if it does not exist. The new version is designated, unless
     * the preset already existed and the request only stages a version.
     *
     * If a request with an idempotency key is retried within a day, the version from the first
     * request is returned; a different body under the key is refused. A condition is checked after
     * the key, atomically with the write. Refusals follow the order of the checks: API key, slug,
     * idempotency key, comment, body.
     */
    create,
    /**
     * Returns which fields of a request would be kept, which would become part of the system prompt
     * and which would be ignored, with the reasons. Nothing is stored.
     */
    preview: (body: unknown, format: RequestFormat = responses) =>
      Effect.fromResult(preview(format, { body })),
    /** Returns the preset with its designated version. */
    get,
    /**
     * Returns the presets of the workspace that pass the filter, the most recently updated first.
     */
    list,
    /** Returns the designated version, which is shown even after another version was staged. */
    findDesignated: (preset: Preset) => getVersion(preset, preset.designatedVersion),
    ...(yield* makeVersionReads),
    ...(yield* makeRevisions)
  }
})

const makePresets = Effect.gen(function* () {
  return {
    ...(yield* makeLabels),
    ...(yield* makePresetHousekeeping),
    ...(yield* makePresetParts),
    ...(yield* makePreviews),
    ...(yield* makeResolutions),
    ...(yield* makeOwnMethods)
  }
})

/** Errors that can occur when changing a preset. */
export type NotChanged = NotRead | ManagementKeyRequired | PresetInactive | ConditionFailed

/**
 * The methods of the preset service. The interface names its parts, because declarations keep the
 * comments of a spread object only within a file.
 */
export interface PresetMethods
  extends Effect.Success<typeof makeLabels>,
    Effect.Success<typeof makePresetHousekeeping>,
    Effect.Success<typeof makePresetParts>,
    Effect.Success<typeof makePreviews>,
    Effect.Success<typeof makeResolutions>,
    Effect.Success<typeof makeOwnMethods> {}

export class Presets extends Context.Service<Presets, PresetMethods>()(
  "@verbatim/core/services/Presets"
) {
  static readonly layer: Layer.Layer<
    Presets,
    never,
    Digest.Digest | PresetStore | SecureRandom.SecureRandom
  > = Layer.effect(Presets, makePresets).pipe(Layer.provide([LargeReads.layer, PresetLocks.layer]))
}

/** Creates the method `get`. */
const makeGet = Effect.map(makePresetChanges, ({ get }) => trace("Presets.get")(get))

/** Creates the methods that designate versions and change presets. */
const makeRevisions = Effect.gen(function* () {
  const { change, checkAllLabels, getVersion } = yield* makePresetChanges

  const designate = trace("Presets.designate")(function* <E, R>(write: PresetWrite<number, E, R>) {
    yield* requireWriteAccess(write)
    const wanted = yield* write.wanted
    return yield* change(
      write,
      Effect.fnUntraced(function* ({ preset }, at) {
        const version = yield* getVersion(preset, wanted)
        return yield* Effect.fromResult(applyDesignation(preset, { version, at })).pipe(
          Effect.mapBoth({
            onSuccess: (next) => ({
              next,
              designated: version,
              answer: { preset: next, version }
            }),
            onFailure: (error) =>
              error._tag === "IllegalTransition" ? refuseInactive(preset) : error
          })
        )
      })
    )
  })

  const revise = trace("Presets.revise")(function* <E, R>(write: PresetWrite<PresetChange, E, R>) {
    yield* requireWriteAccess(write)
    const wanted = yield* write.wanted
    return yield* change(
      write,
      Effect.fnUntraced(function* ({ preset, version }, at) {
        const next = yield* Effect.mapError(
          Effect.fromResult(applyChange(preset, { change: wanted, at })),
          () => refuseInactive(preset)
        )
        const decision = { next, answer: { preset: next, version } }
        return isServiceChange(preset, next)
          ? { ...decision, freeLabels: yield* checkAllLabels(write.principal, preset) }
          : decision
      })
    )
  })

  return {
    /**
     * Designates an existing version, for example to roll back, or to publish a staged version. If
     * the version is already designated, nothing changes.
     */
    designate,
    /**
     * Changes status, name or description. A status change takes all of the preset's labels out of
     * service or brings them back, so the key must be allowed to move each label.
     */
    revise
  }
})

/** Creates the methods that read a preset's versions and designations. */
const makeVersionReads = Effect.gen(function* () {
  const store = yield* PresetStore
  const largeReads = yield* LargeReads
  const { getVersion } = yield* makePresetChanges
  const get = yield* makeGet

  const versions = trace("Presets.versions")(function* (named: PresetAddress, page: Page) {
    const { preset } = yield* get(named)
    // Versions that were added after the preset was read are not counted.
    const total = preset.latestVersion
    const limit = Math.min(page.limit, Math.max(0, total - page.offset))
    return { versions: yield* store.versions(preset.id, { ...page, limit }), total }
  })

  const versionsText = trace("Presets.versionsText")(function* (named: PresetAddress, page: Page) {
    const { id, latestVersion: total } = (yield* get(named)).preset
    const read = (part: VersionPage) => store.versions(id, part)
    return yield* largeReads.write(makeVersionsWriter(page, { total, read }))
  })

  const compare = trace("Presets.diff")(function* (
    named: PresetAddress,
    { from, slug = named.slug, to }: Comparison
  ) {
    const { preset } = yield* get(named)
    const other = slug === named.slug ? preset : (yield* get({ ...named, slug })).preset
    const versionAt = (of: Preset, point: VersionSelector) =>
      Effect.flatMap(Effect.fromResult(findVersionNumber(of, point)), (number) =>
        getVersion(of, number)
      )
    return diff(yield* versionAt(preset, from), yield* versionAt(other, to))
  })

  const designations = trace("Presets.designations")(function* (named: PresetAddress, page: Page) {
    const { preset } = yield* get(named)
    const designations = yield* store.designations(preset.id, page)
    // The designations are counted after the page is read. They are deleted only with the preset,
    // so the total is never less than the number shown.
    return { designations, total: yield* store.designationCount(preset.id) }
  })

  return {
    /** Returns the designations of a preset with author and time, the oldest first. */
    designations,
    /** Returns the differences between two versions, of the same preset or of two. */
    diff: compare,
    /** Returns the version of a preset with the given number. */
    version: (named: PresetAddress, version: number) =>
      Effect.flatMap(get(named), ({ preset }) => getVersion(preset, version)),
    /** Returns versions of a preset, oldest first. */
    versions,
    /** Returns a page of a preset's versions as JSON text, in pieces if the text is long. */
    versionsText
  }
})

/** Number of bytes of versions that are read at a time, unless a single version is larger. */
const byteMax = 256 * 1024

/**
 * The number of a preset's versions, and a function that reads some of them. Versions that were
 * added after the count are not on the page.
 */
interface Versions<E> {
  readonly total: number
  readonly read: (
    page: Page & { readonly byteMax: number }
  ) => Effect.Effect<ReadonlyArray<PresetVersion>, E>
}

/**
 * Creates a writer for a page of versions; its positions are offsets on the page. A hundred
 * versions can take up 200 MB, so only a few are read at a time. Versions never change, so parts
 * that are read at different times fit together.
 */
export const makeVersionsWriter = <E>(
  { limit, offset }: Page,
  { read, total }: Versions<E>
): TextWriter<number, E> => ({
  contentType: "application/json",
  piece: (position) => {
    const end = Math.min(offset + limit, total)
    const from = Option.getOrElse(position, () => offset)
    return Effect.map(
      read({ offset: from, limit: Math.max(0, end - from), byteMax }),
      (versions): TextPiece<number> => {
        const next = from + versions.length
        const isLast = next >= end || versions.length === 0
        const open = Option.isNone(position) ? '{"data":[' : versions.length > 0 ? "," : ""
        const entries = JSON.stringify(versions.map(toFullVersionView)).slice(1, -1)
        const close = isLast ? `],"total_count":${total}}` : ""
        return {
          text: `${open}${entries}${close}`,
          next: isLast ? Option.none() : Option.some(next)
        }
      }
    )
  }
})
