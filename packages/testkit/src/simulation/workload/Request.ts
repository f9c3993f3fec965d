/** What a client submits. */
import type { PlannedJob } from "../world/Plan.ts"

/** A request that can be sent, more than once. */
export interface Request {
  readonly job: PlannedJob
  readonly parameters: Readonly<Record<string, string | null>>
  readonly bytes: Uint8Array
}
