/**
 * Presets: an inference request body becomes a stored version; versions are read, compared,
 * designated, and used as the base of requests.
 */
import { Context, Effect, Layer } from "effect"
import type { Designation } from "../domain/preset/Designation.ts"
import { isServiceChange } from "../domain/preset/LabelChange.ts"
import type { Preset } from "../domain/preset/Preset.ts"
import {
  applyChange,
  applyDesignation,
  type PresetChange,
  refuseInactive
} from "../domain/preset/PresetChange.ts"
import type { Comparison, Named, PresetWrite } from "../domain/preset/PresetCommand.ts"
import { diff, type PresetDiff } from "../domain/preset/PresetDiff.ts"
import { type PresetFilter, readFilter } from "../domain/preset/PresetFilter.ts"
import type {
  ConditionFailed,
  LabelNotFound,
  LabelProtected,
  ManagementKeyRequired,
  PresetInactive,
  VersionErased,
  VersionNotFound
} from "../domain/preset/PresetRefusal.ts"
import type { PresetVersion } from "../domain/preset/PresetVersion.ts"
import {
  type DesignatedPreset,
  numberAt,
  type VersionPoint
} from "../domain/preset/VersionPoint.ts"
// By its door, which is how the declarations of a host name these types.
import { type RequestFormat, type RequestPreview, responses } from "../domain/request/index.ts"
import { preview } from "../domain/request/RequestPreview.ts"
import type { InvalidRequest } from "../domain/schema/Problem.ts"
import type { Principal } from "../domain/workspace/ApiKey.ts"
import {
  type ListedPresets,
  type Page,
  PresetStore,
  type PresetStoreError,
  type VersionPage
} from "../ports/PresetStore.ts"
import { trace } from "../ports/Trace.ts"
import { type CreationPorts, Creations, writable } from "./Creations.ts"
import { Labels } from "./Labels.ts"
import { LargeReads } from "./LargeReads.ts"
import { type NotRead, PresetChanges } from "./PresetChanges.ts"
import { PresetHousekeeping } from "./PresetHousekeeping.ts"
import { PresetParts } from "./PresetParts.ts"
import { Previews } from "./Previews.ts"
import { Resolutions } from "./Resolutions.ts"
import { writingVersions } from "./VersionsText.ts"
import type { Written } from "./Written.ts"

/** Why a preset is not changed, apart from failures to read the change. */
export type NotChanged = NotRead | ManagementKeyRequired | PresetInactive | ConditionFailed

export class Presets extends Context.Service<
  Presets,
  {
    /** Makes a version from a request: `Creations.create`. */
    readonly create: Creations["Service"]["create"]
    /** Makes a version from another one: `PresetParts.createFromVersion`. */
    readonly createFromVersion: PresetParts["Service"]["createFromVersion"]
    /**
     * Which fields would be kept, become system prompt, or be ignored, and why; nothing is stored.
     */
    readonly preview: (
      body: unknown,
      format?: RequestFormat
    ) => Effect.Effect<RequestPreview, InvalidRequest>
    /** The same beside what is stored, and a creation that is only tried: `Previews`. */
    readonly previewAgainst: Previews["Service"]["previewAgainst"]
    readonly rehearse: Previews["Service"]["rehearse"]
    /** The preset with its designated version. */
    readonly get: (named: Named) => Effect.Effect<DesignatedPreset, NotRead>
    /** Presets of the workspace, or those that pass a filter, newest updated first. */
    readonly list: (
      principal: Principal,
      page: Page & PresetFilter
    ) => Effect.Effect<ListedPresets, InvalidRequest | PresetStoreError>
    /** Versions of a preset, oldest first. */
    readonly versions: (
      named: Named,
      page: Page
    ) => Effect.Effect<
      { readonly versions: ReadonlyArray<PresetVersion>; readonly total: number },
      NotRead
    >
    /** The same page as JSON to send on, in pieces when it is long. */
    readonly versionsText: (
      named: Named,
      page: Page
    ) => Effect.Effect<Written<PresetStoreError>, NotRead>
    readonly version: (
      named: Named,
      version: number
    ) => Effect.Effect<PresetVersion, NotRead | VersionNotFound>
    /** The version that stays designated after another one was staged. */
    readonly findDesignated: (
      preset: Preset
    ) => Effect.Effect<PresetVersion, PresetStoreError | VersionNotFound>
    /** What changed between two versions, which may be of two presets. */
    readonly diff: (
      named: Named,
      comparison: Comparison
    ) => Effect.Effect<PresetDiff, LabelNotFound | NotRead | VersionNotFound>
    /**
     * Designates an existing version, for example to roll back, or one that was staged. Designating
     * the one that is designated changes nothing.
     */
    readonly designate: <E, R>(
      write: PresetWrite<number, E, R>
    ) => Effect.Effect<DesignatedPreset, NotChanged | VersionErased | VersionNotFound | E, R>
    /**
     * Changes status, name or description. A status takes all labels of the preset out of service,
     * or brings them back: so a key must be one that may move each of them.
     */
    readonly revise: <E, R>(
      write: PresetWrite<PresetChange, E, R>
    ) => Effect.Effect<DesignatedPreset, NotChanged | LabelProtected | E, R>
    /** Who designated which version when, in the order in which it happened. */
    readonly designations: (
      named: Named,
      page: Page
    ) => Effect.Effect<
      { readonly designations: ReadonlyArray<Designation>; readonly total: number },
      NotRead
    >
    /** Labels, and which of them are protected: `Labels`. */
    readonly labels: Labels["Service"]["labels"]
    readonly moveLabel: Labels["Service"]["moveLabel"]
    readonly removeLabel: Labels["Service"]["removeLabel"]
    readonly labelHistory: Labels["Service"]["labelHistory"]
    readonly protectedLabels: Labels["Service"]["protectedLabels"]
    readonly protectLabel: Labels["Service"]["protectLabel"]
    readonly unprotectLabel: Labels["Service"]["unprotectLabel"]
    /** What goes, and what stays of it: `PresetHousekeeping`. */
    readonly erase: PresetHousekeeping["Service"]["erase"]
    readonly remove: PresetHousekeeping["Service"]["remove"]
    /** What a reference means, and a request laid over it: `Resolutions`. */
    readonly pin: Resolutions["Service"]["pin"]
    readonly resolve: Resolutions["Service"]["resolve"]
    readonly resolveNamed: Resolutions["Service"]["resolveNamed"]
  }
>()("@verbatim/core/services/Presets") {
  static readonly layer: Layer.Layer<Presets, never, CreationPorts> = Layer.effect(
    Presets,
    Effect.gen(function* () {
      const store = yield* PresetStore
      const { create } = yield* Creations
      const { createFromVersion } = yield* PresetParts
      const { pin, resolve, resolveNamed } = yield* Resolutions
      const { previewAgainst, rehearse } = yield* Previews
      const largeReads = yield* LargeReads
      const { change, numbered, takeAll, ...changes } = yield* PresetChanges
      const labels = yield* Labels
      const housekeeping = yield* PresetHousekeeping
      const get = trace("Presets.get")(changes.get)

      const designate = trace("Presets.designate")(function* <E, R>(
        write: PresetWrite<number, E, R>
      ) {
        yield* writable(write)
        const wanted = yield* write.wanted
        return yield* change(
          write,
          Effect.fnUntraced(function* ({ preset }, at) {
            const version = yield* numbered(preset, wanted)
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

      const revise = trace("Presets.revise")(function* <E, R>(
        write: PresetWrite<PresetChange, E, R>
      ) {
        yield* writable(write)
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
              ? { ...decision, freeLabels: yield* takeAll(write.principal, preset) }
              : decision
          })
        )
      })

      const versions = trace("Presets.versions")(function* (named: Named, page: Page) {
        const { preset } = yield* get(named)
        // A version that was added since is not counted here.
        const total = preset.latestVersion
        const limit = Math.min(page.limit, Math.max(0, total - page.offset))
        return { versions: yield* store.versions(preset.id, { ...page, limit }), total }
      })

      const versionsText = trace("Presets.versionsText")(function* (named: Named, page: Page) {
        const { id, latestVersion: total } = (yield* get(named)).preset
        const read = (stretch: VersionPage) => store.versions(id, stretch)
        return yield* largeReads.write(writingVersions(page, { total, read }))
      })

      const compare = trace("Presets.diff")(function* (
        named: Named,
        { from, slug = named.slug, to }: Comparison
      ) {
        const { preset } = yield* get(named)
        const other = slug === named.slug ? preset : (yield* get({ ...named, slug })).preset
        const versionAt = (of: Preset, point: VersionPoint) =>
          Effect.flatMap(Effect.fromResult(numberAt(of, point)), (number) => numbered(of, number))
        return diff(yield* versionAt(preset, from), yield* versionAt(other, to))
      })

      const list = trace("Presets.list")(function* (
        { workspaceId }: Principal,
        { label, status, text, ...page }: Page & PresetFilter
      ) {
        const filters = yield* Effect.fromResult(readFilter({ label, status, text }))
        return yield* store.list(workspaceId, { ...page, ...filters })
      })

      const designations = trace("Presets.designations")(function* (named: Named, page: Page) {
        const { preset } = yield* get(named)
        const designations = yield* store.designations(preset.id, page)
        // After the page: they go only with the preset, so the total is never less than is shown.
        return { designations, total: yield* store.designationCount(preset.id) }
      })

      return Presets.of({
        create,
        createFromVersion,
        preview: (body, format = responses) => Effect.fromResult(preview(format, { body })),
        previewAgainst,
        rehearse,
        get,
        list,
        versions,
        versionsText,
        version: (named, version) =>
          Effect.flatMap(get(named), ({ preset }) => numbered(preset, version)),
        findDesignated: (preset) => numbered(preset, preset.designatedVersion),
        diff: compare,
        designate,
        revise,
        designations,
        ...labels,
        ...housekeeping,
        pin,
        resolve,
        resolveNamed
      })
    })
  ).pipe(
    Layer.provide([
      Creations.layer,
      Labels.layer,
      LargeReads.layer,
      PresetChanges.layer,
      PresetHousekeeping.layer,
      PresetParts.layer,
      Previews.layer,
      Resolutions.layer
    ])
  )
}
