/**
 * Which version of a preset was put in charge, by whom and when.
 */
import { Schema } from "effect"
import { UserId } from "../workspace/Workspace.ts"
import { PresetId } from "./PresetId.ts"
import { VersionNumber } from "./PresetVersion.ts"

/** One entry in the history of designations. */
export const Designation = Schema.Struct({
  presetId: PresetId,
  /** Of the preset after it. Designations are ordered by it, whatever the clocks said. */
  revision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** The version designated before; null for the first one. */
  from: Schema.NullOr(VersionNumber),
  to: VersionNumber,
  by: UserId,
  at: Schema.DateTimeUtcFromMillis
})
export type Designation = typeof Designation.Type
