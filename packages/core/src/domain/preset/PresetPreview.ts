/**
 * What a request would become, and what it would change of a preset, before anything is stored.
 */
import type { RequestPreview } from "../request/RequestPreview.ts"
import type { PresetDiff } from "./PresetDiff.ts"

/** What a request would become, and of which preset. */
export interface PresetPreview extends RequestPreview {
  /** The number that its version would have; null when no preset is named. */
  readonly version: number | null
  /** From the designated version; null when there is no such preset. */
  readonly changes: PresetDiff | null
}
