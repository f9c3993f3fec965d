/**
 * Presets as a host sees them. What it is given is its own: stores keep what they have read, so a
 * host that adds a tool to a request would else add it to the preset of all others.
 */
import type {
  Designation as CoreDesignation,
  PresetDiff as CoreDiff,
  Preset as CorePreset,
  PresetVersion as CoreVersion,
  DesignatedPreset,
  MeantVersion,
  PresetPreview,
  PresetResolution
} from "@verbatim/core/preset"
import { fromWireFormat } from "@verbatim/core/request"
import { copyJson } from "@verbatim/core/schema"
import { formatOfConfig, variablesOf } from "@verbatim/resolution"
import type { DateTime } from "effect"

/** What JSON holds. */
export type Json =
  | null
  | boolean
  | number
  | string
  | ReadonlyArray<Json>
  | { readonly [name: string]: Json }

/** An object of JSON. */
export interface JsonObject {
  readonly [name: string]: Json
}

/** The format of a request body. */
export type Format = "responses" | "chat" | "messages"

/** One version of a preset. It never changes, but its content may be erased. */
export interface PresetVersion {
  readonly id: string
  /** From 1, without gaps. */
  readonly version: number
  readonly creatorId: string
  /** The format of the request that it was made from. */
  readonly format: Format
  /** The names in `{{…}}` of the system prompt, in their order. */
  readonly variables: ReadonlyArray<string>
  readonly systemPrompt: string | null
  readonly config: JsonObject
  /** The fields of `config` that count in place of a request's own. */
  readonly wins: ReadonlyArray<string>
  /** What its author said about it. */
  readonly comment: string | null
  /** When and by whom its content was erased; null while it is there. */
  readonly erased: { readonly at: Date; readonly by: string } | null
  readonly createdAt: Date
}

/** A preset. */
export interface Preset {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly description: string | null
  /** Requests resolve against active ones only. */
  readonly status: "active" | "disabled" | "archived"
  /** Null until the status first changes. */
  readonly statusUpdatedAt: Date | null
  readonly creatorId: string
  readonly latestVersion: number
  readonly designatedVersion: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A preset with the version that requests resolve against. */
export interface PresetWithVersion extends Preset {
  readonly designated: PresetVersion
}

/** A preset that got another version. */
export interface CreatedPreset extends PresetWithVersion {
  /** The version that was only stored; left out where it is the designated one. */
  readonly staged?: PresetVersion
  /** The paths of the body that the version does not have, such as `messages`. */
  readonly notKept: ReadonlyArray<string>
}

/** Who put which version in charge. */
export interface Designation {
  /** Null for the first one. */
  readonly from: number | null
  readonly to: number
  readonly by: string
  readonly at: Date
}

/** Where a value of a resolved request came from. */
export type Provenance =
  | { readonly from: "preset"; readonly version: number }
  | { readonly from: "request" }

/** What a preset says and the format of a request has no words for. */
export interface LeftOut {
  readonly field: string
  readonly reason: string
}

/** The version that a request was laid over. */
export interface ResolvedPreset {
  readonly slug: string
  readonly version: number
  readonly versionId: string
  /** The label by which it was named. */
  readonly label?: string
}

/** A request with everything that its preset adds, in its own format. */
export interface Resolution {
  readonly request: JsonObject
  readonly format: Format
  readonly preset: ResolvedPreset
  /** For every field of it. */
  readonly fields: Readonly<Record<string, Provenance>>
  /** For every tool of it, in its order. */
  readonly tools: ReadonlyArray<Provenance>
  /** Null when there is none. */
  readonly systemPrompt: Provenance | null
  readonly leftOut: ReadonlyArray<LeftOut>
}

/** What a reference means: one version of a preset. */
export interface Pin extends ResolvedPreset {
  /** The format of the request that it was made from. */
  readonly format: Format
  /** The names in `{{…}}` of the system prompt, in their order. */
  readonly variables: ReadonlyArray<string>
  readonly systemPrompt: string | null
  readonly config: JsonObject
  /** The fields of `config` that count in place of the request's own. */
  readonly wins: ReadonlyArray<string>
}

/** What becomes of a field of a request, and why. */
export interface PreviewedField {
  readonly name: string
  readonly fate: string
  readonly reason: string
}

/** What a request would become. */
export interface Preview {
  readonly systemPrompt: string | null
  /** The names in `{{…}}` of the system prompt, in their order. */
  readonly variables: ReadonlyArray<string>
  /** The system prompt with the `variables` of the body; absent without them. */
  readonly filledPrompt?: string
  readonly config: JsonObject
  readonly fields: ReadonlyArray<PreviewedField>
  /** The number that its version would have; null when no preset is named. */
  readonly version: number | null
  /** From the designated version; null when there is no such preset. */
  readonly changes: PresetDiff | null
}

/** Lines that differ between two texts, and where they begin in each; lines count from 1. */
export interface ChangedLines {
  readonly from: number
  readonly removed: ReadonlyArray<string>
  readonly to: number
  readonly added: ReadonlyArray<string>
}

/**
 * One difference of two versions: a JSON pointer into the config, in which a tool is named by its
 * name, and what stood there.
 */
export interface Difference {
  readonly path: string
  readonly kind: "added" | "removed" | "changed"
  readonly from?: Json
  readonly to?: Json
  /** The names that both sides have stand in another order; `from` and `to` are the names. */
  readonly isOrder?: true
  /** Of texts of several lines. */
  readonly lines?: ReadonlyArray<ChangedLines>
}

/** What changed from one version to another. */
export interface PresetDiff {
  readonly from: number
  readonly to: number
  /** Null when both were made from a request of one format, or one is not known. */
  readonly format: { readonly from: Format; readonly to: Format } | null
  /** Null when both say the same. */
  readonly systemPrompt: {
    readonly from: string | null
    readonly to: string | null
    readonly lines?: ReadonlyArray<ChangedLines>
  } | null
  readonly config: ReadonlyArray<Difference>
  /** The fields that win over requests; null when both name the same. */
  readonly wins: {
    readonly from: ReadonlyArray<string>
    readonly to: ReadonlyArray<string>
  } | null
}

const dateOf = ({ epochMilliseconds }: DateTime.Utc): Date => new Date(epochMilliseconds)

const formatNames = {
  responses: "responses",
  chatCompletions: "chat",
  messages: "messages"
} as const

const formatOf = ({ config, format }: Pick<CoreVersion, "config" | "format">): Format =>
  formatNames[format ?? formatOfConfig(config)]

const statuses = { Active: "active", Disabled: "disabled", Archived: "archived" } as const

export const toVersion = (version: CoreVersion): PresetVersion => ({
  id: version.id,
  version: version.version,
  creatorId: version.creatorId,
  format: formatOf(version),
  variables: variablesOf(version.systemPrompt),
  systemPrompt: version.systemPrompt,
  config: copyJson(version.config),
  wins: [...version.wins],
  comment: version.comment,
  erased: version.erased && { at: dateOf(version.erased.at), by: version.erased.by },
  createdAt: dateOf(version.createdAt)
})

export const toPreset = (preset: CorePreset): Preset => ({
  id: preset.id,
  slug: preset.slug,
  name: preset.name,
  description: preset.description,
  status: statuses[preset._tag],
  statusUpdatedAt: preset.statusUpdatedAt && dateOf(preset.statusUpdatedAt),
  creatorId: preset.creatorUserId,
  latestVersion: preset.latestVersion,
  designatedVersion: preset.designatedVersion,
  createdAt: dateOf(preset.createdAt),
  updatedAt: dateOf(preset.updatedAt)
})

export const toWhole = ({ preset, version }: DesignatedPreset): PresetWithVersion => ({
  ...toPreset(preset),
  designated: toVersion(version)
})

export const toDesignation = ({ at, by, from, to }: CoreDesignation): Designation => ({
  from,
  to,
  by,
  at: dateOf(at)
})

export const toDiff = ({
  config,
  format,
  from,
  system_prompt,
  to,
  wins
}: CoreDiff): PresetDiff => ({
  from,
  to,
  format: format && {
    from: formatNames[fromWireFormat(format.from)],
    to: formatNames[fromWireFormat(format.to)]
  },
  systemPrompt: system_prompt,
  config: config.map(({ is_order: isOrder, ...difference }) => ({
    ...copyJson(difference),
    ...(isOrder ? { isOrder } : {})
  })),
  wins
})

export const toPreview = ({ changes, ...preview }: PresetPreview): Preview => ({
  ...preview,
  changes: changes && toDiff(changes)
})

/** The request, with copies of what the preset says: the rest is the host's already. */
const toRequest = ({ fields, request, tools }: PresetResolution): JsonObject =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => {
      if (fields.get(name)?.from === "preset") return [name, copyJson(value)]
      // United tools are the request's, and yet some of them are the preset's.
      const isUnited = name === "tools" && Array.isArray(value)
      const from = (place: number) => (isUnited ? tools[place]?.from : undefined)
      return isUnited
        ? [name, value.map((tool, place) => (from(place) === "preset" ? copyJson(tool) : tool))]
        : [name, value]
    })
  )

export const toResolution = (resolution: PresetResolution): Resolution => ({
  ...resolution,
  request: toRequest(resolution),
  format: formatNames[resolution.format],
  // A name may be `__proto__`: only `fromEntries` defines it as a property like any other.
  fields: Object.fromEntries(resolution.fields),
  tools: [...resolution.tools],
  leftOut: resolution.leftOut.map((lost) => ({ ...lost }))
})

export const toPin = ({ label, slug, version }: MeantVersion): Pin => ({
  slug,
  version: version.version,
  versionId: version.id,
  ...(label === undefined ? {} : { label }),
  format: formatOf(version),
  variables: variablesOf(version.systemPrompt),
  systemPrompt: version.systemPrompt,
  config: copyJson(version.config),
  wins: [...version.wins]
})
