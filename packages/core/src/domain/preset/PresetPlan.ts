/**
 * Preset files, and plans that bring a preset in line with its file. A file contains the name,
 * description and status of a preset, and the content of one version. Its keys have a fixed order,
 * and version numbers, timestamps and authors are left out, so that the same preset has the same
 * file in every store. In a plan, exactly one step makes new content live. All other steps can be
 * repeated, so the next run after an interruption makes a new plan and continues.
 */

import { Result, Schema } from "effect"
import { fromWireFormat, toWireFormat, WireFormat } from "../request/RequestFormat.ts"
import { fromIssue, InvalidRequest } from "../schema/Problem.ts"
import { charactersAtMost, notEmpty } from "../schema/Rule.ts"
import { isStorable } from "../schema/StorableText.ts"
import { descriptionMax, nameMax, type PresetChange, PresetStatus } from "./PresetChange.ts"
import { isSameContent, type PresetContent, validateContent } from "./PresetContent.ts"
import { diff, type PresetDiff } from "./PresetDiff.ts"
import { PresetSlug } from "./PresetSlug.ts"
import type { PresetVersionId } from "./PresetVersion.ts"

/** The parts of a preset that belong to no version. */
export interface PresetTraits {
  readonly name: string
  readonly description: string | null
  readonly status: PresetStatus
}

/** A preset that was parsed from a file. */
export interface PresetFile extends PresetTraits {
  readonly slug: PresetSlug
  readonly content: PresetContent
}

const storable = Schema.makeFilter(isStorable, {
  message: "must not contain NUL or a lone surrogate"
})

/** The JSON document in a preset file. Missing fields have the values of a new preset. */
const Document = Schema.Struct({
  slug: PresetSlug,
  name: Schema.optionalKey(Schema.String.check(notEmpty, charactersAtMost(nameMax), storable)),
  description: Schema.optionalKey(
    Schema.NullOr(Schema.String.check(charactersAtMost(descriptionMax), storable))
  ),
  status: Schema.optionalKey(PresetStatus),
  format: Schema.optionalKey(WireFormat),
  system_prompt: Schema.optionalKey(Schema.NullOr(Schema.String)),
  config: Schema.Record(Schema.String, Schema.Json),
  wins: Schema.optionalKey(Schema.Array(Schema.String))
})

const read = Schema.decodeUnknownResult(Document)

/** An unknown key is an error, because it may be misspelt. */
const strict = { errors: "all", onExcessProperty: "error" } as const

/** Parses the preset in a file, or reports all problems of the file. */
export const decodeFile = (document: unknown): Result.Result<PresetFile, InvalidRequest> =>
  read(document, strict).pipe(
    Result.mapError((error) => new InvalidRequest({ problems: fromIssue(error.issue) })),
    Result.flatMap(
      ({ config, format = "responses", system_prompt: systemPrompt = null, wins = [], ...rest }) =>
        Result.map(
          validateContent({ format: fromWireFormat(format), systemPrompt, config, wins }),
          (content) => ({
            slug: rest.slug,
            name: rest.name ?? rest.slug,
            description: rest.description ?? null,
            status: rest.status ?? ("active" as const),
            content
          })
        )
    )
  )

/** Returns the JSON document of a preset, with its keys in a fixed order. */
export const encodeFile = ({ content, ...preset }: PresetFile): Schema.JsonObject => ({
  slug: preset.slug,
  name: preset.name,
  description: preset.description,
  status: preset.status,
  format: toWireFormat(content.format),
  system_prompt: content.systemPrompt,
  config: content.config,
  ...(content.wins.length === 0 ? {} : { wins: content.wins })
})

/** A version of a stored preset, with its content. */
export interface StoredVersion extends PresetContent {
  readonly id: PresetVersionId
  readonly version: number
}

/** The parts of a stored preset that a plan compares with the file. */
export interface StoredPreset extends PresetTraits {
  readonly slug: string
  readonly designatedVersion: number
  readonly latestVersion: number
  /** The version that each label points to. */
  readonly labels: ReadonlyMap<string, number>
  /** The designated version, the latest version, and the targets of all labels. */
  readonly versions: ReadonlyArray<StoredVersion>
}

/** A step in a plan. */
export type PlanStep =
  /** Creates the preset, which must not exist, with its first version. */
  | { readonly _tag: "Create" }
  | { readonly _tag: "Revise"; readonly change: PresetChange }
  /** Creates a version and designates it in the same step. */
  | { readonly _tag: "Add" }
  /** Creates a version without designating it. */
  | { readonly _tag: "Stage" }
  | { readonly _tag: "Designate"; readonly version: number }
  /** Points the label to a version; null means the version that an earlier step created. */
  | { readonly _tag: "Point"; readonly version: number | null }

/** The differences between a preset and its file. */
export interface PlannedChanges {
  readonly traits: ReadonlyArray<keyof PresetTraits>
  /**
   * The differences from the version that the label points to, or that is designated; null if there
   * is no such version, or if the content is the same.
   */
  readonly content: PresetDiff | null
}

/** The input for a plan: a file, the stored preset, and the label to move, if any. */
export interface PlanInput {
  readonly wanted: PresetFile
  readonly held: StoredPreset | undefined
  /** The label to move; null to designate the version instead. */
  readonly label: string | null
}

/** The plan for one preset. If it has no steps, there is nothing to do. */
export interface PresetPlan {
  readonly changes: PlannedChanges
  readonly steps: ReadonlyArray<PlanStep>
  /** Why the plan cannot be carried out; null if it can. */
  readonly obstacle: "archived" | null
}

const traits = ["name", "description", "status"] as const satisfies ReadonlyArray<
  keyof PresetTraits
>

/** Returns the default name, description and status of a new preset. */
export const initialTraits = ({ slug }: Pick<PresetFile, "slug">): PresetTraits => ({
  name: slug,
  description: null,
  status: "active"
})

/** Returns the version that the label points to; without a label, the designated version. */
export const findPointedVersion = (
  { designatedVersion, labels, versions }: StoredPreset,
  label: string | null
): StoredVersion | undefined => {
  const number = label === null ? designatedVersion : labels.get(label)
  return versions.find(({ version }) => version === number)
}

const noChanges: PlannedChanges = { traits: [], content: null }

/**
 * Returns the statuses to set before the content is added. An archived preset accepts no content,
 * and an active one would make the content live.
 */
const statusesBefore = (
  { status }: PresetTraits,
  { isMoving, wanted }: { readonly isMoving: boolean; readonly wanted: PresetStatus }
): ReadonlyArray<PresetStatus> => {
  if (status === wanted) return []
  if (status === "archived") return wanted === "active" ? ["active"] : ["active", "disabled"]
  return isMoving && status === "active" ? ["disabled"] : []
}

const revise = (from: PresetTraits, to: PresetTraits): ReadonlyArray<PlanStep> => {
  const changed = traits.filter((trait) => from[trait] !== to[trait])
  if (changed.length === 0) return []
  const change: PresetChange = Object.fromEntries(changed.map((trait) => [trait, to[trait]]))
  return [{ _tag: "Revise", change }]
}

/** Returns the steps that make content live. */
const pointSteps = (held: StoredPreset, { label, wanted }: PlanInput): ReadonlyArray<PlanStep> => {
  const same = held.versions.find((version) => isSameContent(version, wanted.content))
  if (label === null) {
    return [same === undefined ? { _tag: "Add" } : { _tag: "Designate", version: same.version }]
  }
  return same === undefined
    ? [{ _tag: "Stage" }, { _tag: "Point", version: null }]
    : [{ _tag: "Point", version: same.version }]
}

const planNew = ({ label, wanted }: PlanInput): PresetPlan => {
  const after: ReadonlyArray<PlanStep> =
    label === null ? revise(initialTraits(wanted), wanted) : [{ _tag: "Point", version: null }]
  return { changes: noChanges, steps: [{ _tag: "Create" }, ...after], obstacle: null }
}

/** Plans the steps that bring a preset in line with its file. */
export const planPreset = (input: PlanInput): PresetPlan => {
  const { held, label, wanted } = input
  if (held === undefined) return planNew(input)
  const pointed = findPointedVersion(held, label)
  const isMoving = pointed === undefined || !isSameContent(pointed, wanted.content)
  const changed = label === null ? traits.filter((trait) => held[trait] !== wanted[trait]) : []
  const content =
    pointed === undefined || !isMoving
      ? null
      : diff(pointed, { ...wanted.content, version: pointed.version })
  const changes = { traits: changed, content }
  if (!isMoving && changed.length === 0) return { changes, steps: [], obstacle: null }
  const isShut = held.status === "archived" && (label !== null || wanted.status === "archived")
  if (isShut) return { changes, steps: [], obstacle: "archived" }
  if (label !== null) return { changes, steps: pointSteps(held, input), obstacle: null }
  const before = statusesBefore(held, { isMoving, wanted: wanted.status })
  const steps = [
    ...before.map((status): PlanStep => ({ _tag: "Revise", change: { status } })),
    ...(isMoving ? pointSteps(held, input) : []),
    ...revise({ ...held, status: before.at(-1) ?? held.status }, wanted)
  ]
  return { changes, steps: steps.reduce(join, []), obstacle: null }
}

/** Merges a change into the one before it, unless it sets a status. */
const join = (steps: ReadonlyArray<PlanStep>, next: PlanStep): ReadonlyArray<PlanStep> => {
  const last = steps.at(-1)
  if (last?._tag !== "Revise" || next._tag !== "Revise") return [...steps, next]
  if (next.change.status !== undefined) return [...steps, next]
  return [...steps.slice(0, -1), { _tag: "Revise", change: { ...next.change, ...last.change } }]
}
