/**
 * What a client requires of a preset before it is written, as the headers `If-Match` and
 * `If-None-Match` say it (RFC 9110, 13.1). A preset is told by the id of its designated version.
 */
import { Schema } from "effect"
import type { Preset } from "./Preset.ts"

/** Any preset that exists, or one that designates one of these versions. */
type Designating = "any" | ReadonlyArray<string>

/** A condition; what is absent requires nothing. */
export interface PresetCondition {
  /** The preset must be among these. */
  readonly match?: Designating | undefined
  /** The preset must not be among these: with `any`, there must be none. */
  readonly noneMatch?: Designating | undefined
}

/** Why a condition does not hold. */
export const Unmet = Schema.Literals(["Absent", "Exists", "Moved", "NotMoved"])
export type Unmet = typeof Unmet.Type

const isAmong = ({ designatedVersionId }: Preset, designating: Designating): boolean =>
  designating === "any" || designating.includes(designatedVersionId)

/** Why a condition does not hold of a preset, or of its absence; undefined when it holds. */
export const unmetBy = (
  { match, noneMatch }: PresetCondition,
  preset: Preset | undefined
): Unmet | undefined => {
  if (preset === undefined) return match === undefined ? undefined : "Absent"
  if (match !== undefined && !isAmong(preset, match)) return "Moved"
  if (noneMatch === undefined || !isAmong(preset, noneMatch)) return undefined
  return noneMatch === "any" ? "Exists" : "NotMoved"
}
