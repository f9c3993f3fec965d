/**
 * From what a preset is to what its file says: the differences, and the acts that remove them. One
 * act alone makes new content live, and all acts before and after it may be repeated, so whoever is
 * stopped between two of them plans again and goes on.
 */
import type { PresetChange, PresetStatus } from "./PresetChange.ts"
import { isSameContent, type PresetContent } from "./PresetContent.ts"
import { diff, type PresetDiff } from "./PresetDiff.ts"
import type { PresetFile, PresetTraits } from "./PresetFile.ts"
import type { PresetVersionId } from "./PresetVersion.ts"

/** A version that is stored. */
export interface HeldVersion extends PresetContent {
  readonly id: PresetVersionId
  readonly version: number
}

/** A preset that is stored, as far as a plan looks at it. */
export interface HeldPreset extends PresetTraits {
  readonly slug: string
  readonly designatedVersion: number
  readonly latestVersion: number
  /** Where each label points. */
  readonly labels: ReadonlyMap<string, number>
  /** The designated version, the latest one, and those that labels point to. */
  readonly versions: ReadonlyArray<HeldVersion>
}

/** One thing that is done to a preset. */
export type PlanStep =
  /** Makes the preset, of which there must be none, with its first version. */
  | { readonly _tag: "Create" }
  | { readonly _tag: "Revise"; readonly change: PresetChange }
  /** Makes a version and designates it, in one act. */
  | { readonly _tag: "Add" }
  /** Makes a version that nothing points to. */
  | { readonly _tag: "Stage" }
  | { readonly _tag: "Designate"; readonly version: number }
  /** Points the label to a version; null for the one that was made before. */
  | { readonly _tag: "Point"; readonly version: number | null }

/** What of a preset differs from its file. */
export interface PlannedChanges {
  readonly traits: ReadonlyArray<keyof PresetTraits>
  /** From the version that is pointed to; null when nothing is, or when it says the same. */
  readonly content: PresetDiff | null
}

/** What a plan is made for: a file, what is stored, and the label that is moved, if any. */
export interface PlanWanted {
  readonly wanted: PresetFile
  readonly held: HeldPreset | undefined
  /** Null moves the designation. */
  readonly label: string | null
}

/** What to do about one preset. Nothing, when there are no steps. */
export interface PresetPlan {
  readonly changes: PlannedChanges
  readonly steps: ReadonlyArray<PlanStep>
  /** Why nothing can be done. */
  readonly obstacle: "archived" | null
}

const traits = ["name", "description", "status"] as const satisfies ReadonlyArray<
  keyof PresetTraits
>

/** What a preset is like when it was just made. */
export const birthTraits = ({ slug }: Pick<PresetFile, "slug">): PresetTraits => ({
  name: slug,
  description: null,
  status: "active"
})

/** The version that is designated, or that the label points to. */
export const pointedOf = (
  { designatedVersion, labels, versions }: HeldPreset,
  label: string | null
): HeldVersion | undefined => {
  const number = label === null ? designatedVersion : labels.get(label)
  return versions.find(({ version }) => version === number)
}

const noChanges: PlannedChanges = { traits: [], content: null }

/** Statuses before the content: an archived preset takes none, and an active one shows it. */
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

/** The act that makes a content live, with what it needs. */
const pointSteps = (held: HeldPreset, { label, wanted }: PlanWanted): ReadonlyArray<PlanStep> => {
  const same = held.versions.find((version) => isSameContent(version, wanted.content))
  if (label === null) {
    return [same === undefined ? { _tag: "Add" } : { _tag: "Designate", version: same.version }]
  }
  return same === undefined
    ? [{ _tag: "Stage" }, { _tag: "Point", version: null }]
    : [{ _tag: "Point", version: same.version }]
}

const planNew = ({ label, wanted }: PlanWanted): PresetPlan => {
  const after: ReadonlyArray<PlanStep> =
    label === null ? revise(birthTraits(wanted), wanted) : [{ _tag: "Point", version: null }]
  return { changes: noChanges, steps: [{ _tag: "Create" }, ...after], obstacle: null }
}

/** What to do so that a preset is as its file says. */
export const planPreset = (given: PlanWanted): PresetPlan => {
  const { held, label, wanted } = given
  if (held === undefined) return planNew(given)
  const pointed = pointedOf(held, label)
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
  if (label !== null) return { changes, steps: pointSteps(held, given), obstacle: null }
  const before = statusesBefore(held, { isMoving, wanted: wanted.status })
  const steps = [
    ...before.map((status): PlanStep => ({ _tag: "Revise", change: { status } })),
    ...(isMoving ? pointSteps(held, given) : []),
    ...revise({ ...held, status: before.at(-1) ?? held.status }, wanted)
  ]
  return { changes, steps: steps.reduce(join, []), obstacle: null }
}

/** Two changes without an act between them are one, unless each has a status of its own. */
const join = (steps: ReadonlyArray<PlanStep>, next: PlanStep): ReadonlyArray<PlanStep> => {
  const last = steps.at(-1)
  if (last?._tag !== "Revise" || next._tag !== "Revise") return [...steps, next]
  if (next.change.status !== undefined) return [...steps, next]
  return [...steps.slice(0, -1), { _tag: "Revise", change: { ...next.change, ...last.change } }]
}
