/**
 * The room that a claim has for each kind of work, as rows for its statement: from what the worker
 * asks for, and what this process remembers of earlier claims.
 */
import { fullLanes, keepsSlotsFree } from "@verbatim/core/job"
import {
  type ClaimRequest,
  fullHashes,
  reach,
  type Turns,
  wantedKinds
} from "../../sql/work/Claim.ts"
import * as Limits from "../../sql/work/ClaimLimits.ts"
import type { Bounds } from "../../sql/work/WorkStatements.ts"

/** What this process remembers between claims. */
export interface Memory {
  readonly turns: Turns
  /** Instants before which there is no work of a kind. */
  readonly bounds: Bounds
  /** Whether the last claim had to go round the workspaces. */
  isCrowded: boolean
}

/** The columns of its rows. */
export const wantedColumns = `kind TEXT, slots BIGINT, keeps_free BOOLEAN, after TEXT,
  since BIGINT, held JSONB, full_lanes JSONB, workspace_leaps BIGINT, lane_leaps BIGINT,
  lane_reach BIGINT, no_lane_reach BIGINT, taken JSONB, lane_max BIGINT`

/** A row for each kind that is asked for. */
export const wantedRows = (request: ClaimRequest, { bounds, turns }: Memory) =>
  wantedKinds(request).map(([kind, slots]) => {
    const held = request.held[kind] ?? {}
    const { lane, noLane } = reach(request.lanes.max, slots)
    return {
      kind,
      slots,
      keeps_free: keepsSlotsFree[kind],
      after: turns.get(kind) ?? "",
      since: bounds.get(kind) ?? 0,
      held,
      full_lanes: fullHashes(request),
      workspace_leaps: Limits.workspacesMax + 1 + Object.keys(held).length,
      lane_leaps: Limits.lanesMax + fullLanes(request.lanes).length,
      lane_reach: lane,
      no_lane_reach: noLane,
      taken: request.lanes.taken,
      lane_max: request.lanes.max
    }
  })
