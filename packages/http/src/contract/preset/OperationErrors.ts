/**
 * The errors that operations on presets and on labels declare, besides 401.
 */
import { PresetErrors } from "../ErrorBody.ts"

/** Those of operations that read. */
export const readErrors = [PresetErrors[400], PresetErrors[404], PresetErrors[500]] as const

/** Those of operations that write. */
export const writeErrors = [
  PresetErrors[400],
  PresetErrors[403],
  PresetErrors[404],
  PresetErrors[409],
  PresetErrors[500]
] as const
