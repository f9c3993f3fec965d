/**
 * Versions and changes of presets by number and name, and what is seen of a preset.
 */
import {
  type DesignatedPreset,
  type Designation,
  Event,
  type LabelMove,
  type PresetVersion
} from "@verbatim/core/preset"
import { presetId, versionId } from "../../samples/Ids.ts"
import { label as labelOf, makeDraft, slug } from "../../samples/SamplePreset.ts"
import { instantOf } from "./Deed.ts"
import { digestOf } from "./Digest.ts"

/** A change of a preset, decided on a revision. */
export interface PresetChange {
  readonly expectedRevision: number
  readonly event:
    | "Described"
    | "Designated"
    | "LabelMoved"
    | "LabelRemoved"
    | "Resumed"
    | "Shelved"
    | "Suspended"
  /** Unique in a round. */
  readonly number: number
  /**
   * The version to designate or to label: its number in the preset, and that under which it was
   * appended.
   */
  readonly version: { readonly ordinal: number; readonly number: number }
  /** The label that is moved or removed. */
  readonly label?: (typeof roundLabels)[number]
  /** Whether it was decided on nobody protecting the label. */
  readonly isFree?: boolean
}

/** The labels of all presets. */
export const roundLabels = ["production", "staging"] as const

/** A preset with its designated version, as somebody saw it. */
export interface PresetSight {
  readonly revision: number
  readonly latestVersion: number
  readonly digest: string
  readonly version: string
}

/** What is appended under that number. */
export const draftOf = (text: string, number: number) =>
  makeDraft(number, {
    slug: slug(text),
    presetId: presetId(number),
    versionId: versionId(number),
    at: instantOf(number)
  })

/** The event of a change. */
export const presetEventOf = (change: PresetChange): Event => {
  const { event, number, version } = change
  const at = instantOf(number)
  const target = { version: version.ordinal, versionId: versionId(version.number) }
  const label = labelOf(change.label ?? "production")
  switch (event) {
    case "Designated":
      return Event.cases.Designated.make({ at, ...target })
    case "LabelMoved":
      return Event.cases.LabelMoved.make({ at, label, ...target })
    case "LabelRemoved":
      return Event.cases.LabelRemoved.make({ at, label })
    case "Described":
      return Event.cases.Described.make({ at, name: `name ${number}`, description: null })
    default:
      return Event.cases[event].make({ at })
  }
}

/** The number of a version, and a digest of all its fields. */
export const versionDigest = (version: PresetVersion): string =>
  `${version.version} ${digestOf(version)}`

/** What is seen of a preset. */
export const sightOf = ({ preset, version }: DesignatedPreset): PresetSight => ({
  revision: preset.revision,
  latestVersion: preset.latestVersion,
  digest: digestOf(preset),
  version: versionDigest(version)
})

/** What a designation changes, and a digest of all its fields. */
export const designationDigest = (designation: Designation): string => {
  const { from, revision, to } = designation
  return `${revision}: ${from} to ${to} ${digestOf(designation)}`
}

/** What the move of a label changes, and a digest of all its fields. */
export const labelMoveDigest = (move: LabelMove): string => {
  const { from, label, revision, to } = move
  return `${revision}: ${label} ${from} to ${to} ${digestOf(move)}`
}
