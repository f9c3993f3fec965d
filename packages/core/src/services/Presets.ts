/**
 * Presets: an inference request body becomes a stored version; versions are read, compared,
 * designated, and used as the base of requests.
 */

import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import type { DesignatedPreset } from "../domain/preset/DesignatedPreset.ts"
import type { Designation } from "../domain/preset/Designation.ts"
import type { Preset } from "../domain/preset/Preset.ts"
import {
  applyChange,
  applyDesignation,
  type PresetChange,
  type PresetStatus,
  refuseInactive,
  stateOf
} from "../domain/preset/PresetChange.ts"
import { PresetChangeId } from "../domain/preset/PresetChangeId.ts"
import type { Named, PresetWrite } from "../domain/preset/PresetCommand.ts"
import { type PresetCondition, unmetBy } from "../domain/preset/PresetCondition.ts"
import { diff, type PresetDiff } from "../domain/preset/PresetDiff.ts"
import {
  ConditionFailed,
  type ManagementKeyRequired,
  type PresetInactive,
  PresetNotFound,
  VersionNotFound
} from "../domain/preset/PresetRefusal.ts"
import * as PresetSlug from "../domain/preset/PresetSlug.ts"
import type { PresetVersion } from "../domain/preset/PresetVersion.ts"
// By its door, which is how the declarations of a host name these types.
import { type RequestFormat, type RequestPreview, responses } from "../domain/request/index.ts"
import { preview } from "../domain/request/RequestPreview.ts"
import type { InvalidRequest } from "../domain/schema/Problem.ts"
import type { Principal } from "../domain/workspace/Principal.ts"
import {
  type ListedPresets,
  type Page,
  PresetStore,
  PresetStoreError,
  type VersionPage
} from "../ports/PresetStore.ts"
import { trace } from "../ports/Trace.ts"
import { type CreationPorts, Creations, settle, writable } from "./Creations.ts"
import { LargeReads } from "./LargeReads.ts"
import { Previews } from "./Previews.ts"
import { Resolutions } from "./Resolutions.ts"
import { changeRetries, makeTurns } from "./Turns.ts"
import { writingVersions } from "./VersionsText.ts"
import type { Written } from "./Written.ts"

type Missing = InvalidRequest | PresetNotFound | PresetStoreError

/** Why a preset is not changed, apart from failures to read the change. */
export type NotChanged = Missing | ManagementKeyRequired | PresetInactive | ConditionFailed

export class Presets extends Context.Service<
  Presets,
  {
    /** Makes a version from a request: `Creations.create`. */
    readonly create: Creations["Service"]["create"]
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
    readonly get: (named: Named) => Effect.Effect<DesignatedPreset, Missing>
    /** Presets of the workspace, or those of one status, newest updated first. */
    readonly list: (
      principal: Principal,
      page: Page & { readonly status?: PresetStatus | undefined }
    ) => Effect.Effect<ListedPresets, PresetStoreError>
    /** Versions of a preset, oldest first. */
    readonly versions: (
      named: Named,
      page: Page
    ) => Effect.Effect<
      { readonly versions: ReadonlyArray<PresetVersion>; readonly total: number },
      Missing
    >
    /** The same page as JSON to send on, in pieces when it is long. */
    readonly versionsText: (
      named: Named,
      page: Page
    ) => Effect.Effect<Written<PresetStoreError>, Missing>
    readonly version: (
      named: Named,
      version: number
    ) => Effect.Effect<PresetVersion, Missing | VersionNotFound>
    /** What changed between two versions. */
    readonly diff: (
      named: Named,
      versions: { readonly from: number; readonly to: number }
    ) => Effect.Effect<PresetDiff, Missing | VersionNotFound>
    /**
     * Designates an existing version, for example to roll back. Designating the one that is
     * designated changes nothing.
     */
    readonly designate: <E, R>(
      write: PresetWrite<number, E, R>
    ) => Effect.Effect<DesignatedPreset, NotChanged | VersionNotFound | E, R>
    /** Changes status, name or description. */
    readonly revise: <E, R>(
      write: PresetWrite<PresetChange, E, R>
    ) => Effect.Effect<DesignatedPreset, NotChanged | E, R>
    /** Who designated which version when, in the order in which it happened. */
    readonly designations: (
      named: Named,
      page: Page
    ) => Effect.Effect<
      { readonly designations: ReadonlyArray<Designation>; readonly total: number },
      Missing
    >
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
      const { pin, resolve, resolveNamed } = yield* Resolutions
      const { previewAgainst, rehearse } = yield* Previews
      const largeReads = yield* LargeReads
      const random = yield* SecureRandom.SecureRandom
      const turns = yield* makeTurns

      const find = Effect.fnUntraced(function* (
        { workspaceId }: Principal,
        slug: PresetSlug.PresetSlug
      ) {
        const found = yield* store.find(workspaceId, slug)
        if (Option.isNone(found)) return yield* new PresetNotFound({ slug })
        return found.value
      })

      const get = trace("Presets.get")(function* ({ principal, slug }: Named) {
        return yield* find(principal, yield* Effect.fromResult(PresetSlug.decode(slug)))
      })

      const numbered = Effect.fnUntraced(function* ({ id, slug }: Preset, version: number) {
        const found = yield* store.version(id, version)
        if (Option.isNone(found)) return yield* new VersionNotFound({ slug, version })
        return found.value
      })

      /** Reads, decides, commits; begins again when somebody else was faster. */
      const change = Effect.fnUntraced(
        function* <E, R>(
          {
            condition = {},
            principal,
            slug
          }: Named & { readonly condition?: PresetCondition | undefined },
          decide: (
            found: DesignatedPreset,
            at: DateTime.Utc
          ) => Effect.Effect<{ next: Preset; designated: Option.Option<PresetVersion> }, E, R>
        ) {
          const found = yield* get({ principal, slug })
          const { preset } = found
          const unmet = unmetBy(condition, preset)
          if (unmet !== undefined) return yield* new ConditionFailed({ slug, unmet })
          const { designated, next } = yield* decide(found, yield* DateTime.now)
          if (next === preset) return found
          const revision = {
            id: PresetChangeId.make(yield* random.uuidV7()),
            next,
            expectedRevision: preset.revision,
            designation: Option.map(designated, ({ version }) => ({
              presetId: next.id,
              revision: next.revision,
              from: preset.designatedVersion,
              to: version,
              by: principal.userId,
              at: next.updatedAt
            }))
          }
          yield* settle(store.revise(revision))
          const version = Option.getOrElse(designated, () => found.version)
          return { preset: next, version }
        },
        Effect.retry({ while: isSuperseded, ...changeRetries }),
        (changing, { principal, slug }) => turns.take(`${principal.workspaceId}/${slug}`, changing)
      )

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
                onSuccess: (next) => ({ next, designated: Option.some(version) }),
                onFailure: () => refuseInactive(preset)
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
        return yield* change(write, ({ preset }, at) =>
          Effect.fromResult(applyChange(preset, { change: wanted, at })).pipe(
            Effect.mapBoth({
              onSuccess: (next) => ({ next, designated: Option.none() }),
              onFailure: () => refuseInactive(preset)
            })
          )
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
        { from, to }: { readonly from: number; readonly to: number }
      ) {
        const { preset } = yield* get(named)
        return diff(yield* numbered(preset, from), yield* numbered(preset, to))
      })

      const designations = trace("Presets.designations")(function* (named: Named, page: Page) {
        const { preset } = yield* get(named)
        const designations = yield* store.designations(preset.id, page)
        // After the page: none is ever removed, so the total is never less than the page shows.
        return { designations, total: yield* store.designationCount(preset.id) }
      })

      return Presets.of({
        create,
        preview: (body, format = responses) => Effect.fromResult(preview(format, { body })),
        previewAgainst,
        rehearse,
        get,
        list: (principal, { status, ...page }) =>
          store.list(principal.workspaceId, { ...page, state: status && stateOf[status] }),
        versions,
        versionsText,
        version: (named, version) =>
          Effect.flatMap(get(named), ({ preset }) => numbered(preset, version)),
        diff: compare,
        designate,
        revise,
        designations,
        pin,
        resolve,
        resolveNamed
      })
    })
  ).pipe(Layer.provide([Creations.layer, LargeReads.layer, Previews.layer, Resolutions.layer]))
}

const isSuperseded = (error: unknown): boolean =>
  error instanceof PresetStoreError && error.reason._tag === "Superseded"
