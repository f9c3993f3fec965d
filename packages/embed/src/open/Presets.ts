/** What a host does with presets. */

import { chatCompletions, messages, responses } from "@verbatim/core/request"
import { Presets as CorePresets } from "@verbatim/core/services"
import { DateTime, Effect } from "effect"
import {
  type Designation,
  type JsonObject,
  type Preset,
  type PresetDiff,
  type PresetVersion,
  type PresetWithVersion,
  type Preview,
  type Resolution,
  toDesignation,
  toPreset,
  toVersion,
  toWhole
} from "../view/Preset.ts"
import { judgingAll } from "./Arguments.ts"
import { presetCalls } from "./Calls.ts"
import type { Run } from "./Host.ts"
import type { Asker, Owners } from "./Workspaces.ts"

const formats = { responses, chat: chatCompletions, messages }

/** The format of a request body. Default: `responses`. */
export type Format = keyof typeof formats

/** A preset of a workspace. */
export interface PresetReference extends Asker {
  readonly slug: string
}

/** A preset that is to be written. */
export interface PresetWrite extends PresetReference {
  /** Id of the version that must be designated, or null: there must be no such preset. */
  readonly ifDesignated?: string | null
}

/** A version that is to be made. */
export interface PresetCreation extends PresetWrite {
  /** The body of an inference request. */
  readonly body: JsonObject
  readonly format?: Format
  /** The same key with the same body, within a day, is the same version. */
  readonly idempotencyKey?: string
}

/** What is to change about a preset; what is left out stays. */
export interface PresetChange extends PresetWrite {
  readonly status?: Preset["status"]
  readonly name?: string
  readonly description?: string | null
}

/** A part of a list. */
export interface PageWanted {
  readonly offset?: number
  readonly limit?: number
}

/** A page, and how many there are in all. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}

/** What a request is laid over. */
export interface ResolutionWanted extends Asker {
  /** `slug`, or `slug@version`. */
  readonly preset: string
  readonly request: JsonObject
  /** The version that was designated then. */
  readonly at?: Date
}

/** Presets of a host. */
export interface Presets {
  /** Makes the next version of a preset, or the preset itself, and designates it. */
  readonly create: (creation: PresetCreation) => Promise<PresetWithVersion>
  readonly get: (preset: PresetReference) => Promise<PresetWithVersion>
  readonly list: (
    wanted?: Asker & PageWanted & { readonly status?: Preset["status"] }
  ) => Promise<Page<Preset>>
  readonly version: (
    preset: PresetReference & { readonly version: number }
  ) => Promise<PresetVersion>
  readonly versions: (preset: PresetReference & PageWanted) => Promise<Page<PresetVersion>>
  readonly diff: (
    preset: PresetReference & { readonly from: number; readonly to: number }
  ) => Promise<PresetDiff>
  /** Puts an existing version in charge. */
  readonly designate: (
    write: PresetWrite & { readonly version: number }
  ) => Promise<PresetWithVersion>
  readonly change: (change: PresetChange) => Promise<PresetWithVersion>
  readonly designations: (preset: PresetReference & PageWanted) => Promise<Page<Designation>>
  /** The request with everything that the preset adds. */
  readonly resolve: (wanted: ResolutionWanted) => Promise<Resolution>
  /** What a body would become; nothing is stored. */
  readonly preview: (wanted: {
    readonly body: JsonObject
    readonly format?: Format
  }) => Promise<Preview>
}

const usualLimit = 50

const pageOf = ({ limit = usualLimit, offset = 0 }: PageWanted) => ({ limit, offset })

const conditionOf = ({ ifDesignated }: PresetWrite) => {
  if (ifDesignated === undefined) return {}
  return ifDesignated === null
    ? { condition: { noneMatch: "any" as const } }
    : { condition: { match: [ifDesignated] } }
}

/** Makes the methods. */
export const makePresets = ({ owners, run }: { owners: Owners; run: Run }): Presets => {
  /** Runs an operation for whoever asks. */
  const ask = <Wanted extends Asker, A, E>(
    wanted: Wanted,
    operation: (
      presets: CorePresets["Service"],
      named: Wanted & { principal: Effect.Success<ReturnType<Owners["find"]>>["principal"] }
    ) => Effect.Effect<A, E>
  ): Promise<A> =>
    run(
      Effect.gen(function* () {
        const presets = yield* CorePresets
        const { principal } = yield* owners.find(wanted)
        return yield* operation(presets, { ...wanted, principal })
      })
    )

  return judgingAll<Presets>(presetCalls, {
    create: (wanted) =>
      ask(wanted, (presets, { body, format = "responses", ...rest }) =>
        Effect.map(
          presets.create({
            ...rest,
            ...conditionOf(rest),
            format: formats[format],
            body: Effect.succeed(body)
          }),
          toWhole
        )
      ),
    get: (wanted) => ask(wanted, (presets, named) => Effect.map(presets.get(named), toWhole)),
    list: (wanted = {}) =>
      ask(wanted, (presets, { principal, status, ...page }) =>
        Effect.map(
          presets.list(principal, { ...pageOf(page), status }),
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
        Effect.map(presets.diff(named, named), ({ config, from, system_prompt, to }) => ({
          from,
          to,
          systemPrompt: system_prompt,
          config
        }))
      ),
    designate: (wanted) =>
      ask(wanted, (presets, named) =>
        Effect.map(
          presets.designate({
            ...named,
            ...conditionOf(named),
            wanted: Effect.succeed(named.version)
          }),
          toWhole
        )
      ),
    change: (wanted) =>
      ask(wanted, (presets, { description, name, status, ...named }) =>
        Effect.map(
          presets.revise({
            ...named,
            ...conditionOf(named),
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
    resolve: (wanted) =>
      ask(wanted, (presets, named) =>
        Effect.map(
          presets.resolve(
            { ...named, at: named.at === undefined ? undefined : DateTime.makeUnsafe(named.at) },
            named.request
          ),
          ({ fields, request, tools }) => ({ request, fields: Object.fromEntries(fields), tools })
        )
      ),
    preview: ({ body, format = "responses" }) =>
      run(Effect.flatMap(CorePresets, (presets) => presets.preview(body, formats[format])))
  })
}
