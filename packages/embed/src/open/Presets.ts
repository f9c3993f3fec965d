/** What a host does with presets. */
import type { CreatedPreset as CoreCreated, Presets as CorePresets } from "@verbatim/core/services"
import { Effect } from "effect"
import {
  type CreatedPreset,
  type Designation,
  type Format,
  type JsonObject,
  type Preset,
  type PresetDiff,
  type PresetVersion,
  type PresetWithVersion,
  toDesignation,
  toDiff,
  toPreset,
  toVersion,
  toWhole
} from "../view/Preset.ts"
import { judgingAll } from "./Arguments.ts"
import {
  conditionOf,
  makeAsk,
  type Page,
  type PageWanted,
  type PresetReference,
  pageOf,
  type VersionPoint,
  withScopes
} from "./Asking.ts"
import { presetCalls } from "./Calls.ts"
import { type LabelMethods, makeLabels } from "./PresetLabels.ts"
import { formats, makeUse, type UseMethods } from "./PresetUse.ts"
import type { Asker } from "./Workspaces.ts"

/** A preset that is to be written. */
export interface PresetWrite extends PresetReference {
  /** Id of the version that must be designated, or null: there must be no such preset. */
  readonly ifDesignated?: string | null
}

/** A version that is to be made. */
export interface PresetCreation extends PresetWrite {
  /** The body of an inference request. */
  readonly body: JsonObject
  /** Default: `responses`. */
  readonly format?: Format
  /** The same key with the same body, within a day, is the same version. */
  readonly idempotencyKey?: string
  /** Whether the designated version stays: the new one is only stored. */
  readonly stage?: boolean
  /** The fields of the version that count in place of a request's own. */
  readonly wins?: ReadonlyArray<string>
  /** What the author says about the version: at most 1,000 characters. */
  readonly comment?: string | null
}

/** The parts of another version that change; the rest stays. */
export interface VersionParts extends PresetWrite {
  /** Default: `designated`. */
  readonly from?: VersionPoint
  /** Fields of the config, in the format of that version. */
  readonly set?: JsonObject
  /** Names of fields to remove. */
  readonly unset?: ReadonlyArray<string>
  /** Null for none. */
  readonly systemPrompt?: string | null
  /** The fields of the version that count in place of a request's own. */
  readonly wins?: ReadonlyArray<string>
  /** The same key with the same parts, within a day, is the same version. */
  readonly idempotencyKey?: string
  /** Whether the designated version stays: the new one is only stored. */
  readonly stage?: boolean
  /** What the author says about the version: at most 1,000 characters. */
  readonly comment?: string | null
}

/** What is to change about a preset; what is left out stays. */
export interface PresetChange extends PresetWrite {
  /**
   * Takes the labels of the preset out of service, or brings them back: where one is protected, it
   * takes `labels:<name>` in `scopes`.
   */
  readonly status?: Preset["status"]
  readonly name?: string
  readonly description?: string | null
  /** What the user may do besides. */
  readonly scopes?: ReadonlyArray<string>
}

/** Which presets are listed. */
export interface PresetsWanted extends Asker, PageWanted {
  readonly status?: Preset["status"]
  /** Only those that have this label. */
  readonly label?: string
  /** Only those with this text in slug, name or description. */
  readonly text?: string
}

/** Two versions to compare. */
export interface DiffWanted extends PresetReference {
  readonly from: VersionPoint
  readonly to: VersionPoint
  /** The preset that `to` is of, when it is another one. */
  readonly toSlug?: string
}

/** Presets of a host. */
export interface Presets extends LabelMethods, UseMethods {
  /**
   * Makes the next version of a preset, or the preset itself, and designates it unless it is only
   * staged.
   */
  readonly create: (creation: PresetCreation) => Promise<CreatedPreset>
  /** Makes the next version of a preset from one that it has, with some parts changed. */
  readonly createFromVersion: (parts: VersionParts) => Promise<CreatedPreset>
  readonly get: (preset: PresetReference) => Promise<PresetWithVersion>
  readonly list: (wanted?: PresetsWanted) => Promise<Page<Preset>>
  readonly version: (
    preset: PresetReference & { readonly version: number }
  ) => Promise<PresetVersion>
  readonly versions: (preset: PresetReference & PageWanted) => Promise<Page<PresetVersion>>
  readonly diff: (wanted: DiffWanted) => Promise<PresetDiff>
  /** Puts an existing version in charge. */
  readonly designate: (
    write: PresetWrite & { readonly version: number }
  ) => Promise<PresetWithVersion>
  readonly change: (change: PresetChange) => Promise<PresetWithVersion>
  readonly designations: (preset: PresetReference & PageWanted) => Promise<Page<Designation>>
  /** Erases the content of a version to which nothing points; its number stays. */
  readonly erase: (write: PresetWrite & { readonly version: number }) => Promise<PresetVersion>
  /** Removes an archived preset with all that is known of it, and frees its slug. */
  readonly remove: (
    write: PresetWrite & { readonly scopes?: ReadonlyArray<string> }
  ) => Promise<void>
}

/** Makes the methods. */
export const makePresets = (running: Parameters<typeof makeAsk>[0]): Presets => {
  const ask = makeAsk(running)

  /** With a version that is only staged, the designated one is answered. */
  const toMade = Effect.fnUntraced(function* (presets: CorePresets["Service"], made: CoreCreated) {
    const { isStaged, notKept, preset, version: staged } = made
    if (!isStaged) return { ...toWhole(made), notKept }
    const version = yield* presets.findDesignated(preset)
    return { ...toWhole({ preset, version }), staged: toVersion(staged), notKept }
  })

  return judgingAll<Presets>(presetCalls, {
    ...makeLabels(ask),
    ...makeUse(ask),
    create: (wanted) =>
      ask(wanted, (presets, { body, format = "responses", ...rest }) =>
        Effect.flatMap(
          presets.create({
            ...rest,
            ...conditionOf(rest.ifDesignated),
            format: formats[format],
            body: Effect.succeed(body)
          }),
          (made) => toMade(presets, made)
        )
      ),
    createFromVersion: (wanted) =>
      ask(wanted, (presets, { idempotencyKey, ifDesignated, principal, slug, ...parts }) =>
        Effect.flatMap(
          presets.createFromVersion({
            ...{ principal, slug, idempotencyKey },
            ...conditionOf(ifDesignated),
            wanted: Effect.succeed(parts)
          }),
          (made) => toMade(presets, made)
        )
      ),
    get: (wanted) => ask(wanted, (presets, named) => Effect.map(presets.get(named), toWhole)),
    list: (wanted = {}) =>
      ask(wanted, (presets, { label, principal, status, text, ...page }) =>
        Effect.map(
          presets.list(principal, { ...pageOf(page), label, status, text }),
          ({ presets: found, total }) => ({ items: found.map(toPreset), total })
        )
      ),
    version: (wanted) =>
      ask(wanted, (presets, named) => Effect.map(presets.version(named, named.version), toVersion)),
    versions: (wanted) =>
      ask(wanted, (presets, named) =>
        Effect.map(presets.versions(named, pageOf(named)), ({ total, versions }) => ({
          items: versions.map(toVersion),
          total
        }))
      ),
    diff: (wanted) =>
      ask(wanted, (presets, named) =>
        Effect.map(presets.diff(named, { ...named, slug: named.toSlug }), toDiff)
      ),
    designate: (wanted) =>
      ask(wanted, (presets, named) =>
        Effect.map(
          presets.designate({
            ...named,
            ...conditionOf(named.ifDesignated),
            wanted: Effect.succeed(named.version)
          }),
          toWhole
        )
      ),
    change: (wanted) =>
      ask(wanted, (presets, { description, name, principal, scopes, status, ...named }) =>
        Effect.map(
          presets.revise({
            ...named,
            ...conditionOf(named.ifDesignated),
            principal: withScopes(principal, scopes),
            wanted: Effect.succeed({
              ...(status === undefined ? {} : { status }),
              ...(name === undefined ? {} : { name }),
              ...(description === undefined ? {} : { description })
            })
          }),
          toWhole
        )
      ),
    designations: (wanted) =>
      ask(wanted, (presets, named) =>
        Effect.map(presets.designations(named, pageOf(named)), ({ designations, total }) => ({
          items: designations.map(toDesignation),
          total
        }))
      ),
    erase: (wanted) =>
      ask(wanted, (presets, named) =>
        Effect.map(presets.erase({ ...named, ...conditionOf(named.ifDesignated) }), ({ version }) =>
          toVersion(version)
        )
      ),
    remove: (wanted) =>
      ask(wanted, (presets, { principal, scopes, ...named }) =>
        Effect.asVoid(
          presets.remove({
            ...named,
            ...conditionOf(named.ifDesignated),
            principal: withScopes(principal, scopes)
          })
        )
      )
  })
}
