/**
 * What a claim asks for and gives out. It looks at the work that is due first and, where there is
 * more of it, round the workspaces; it takes what `Choice` chooses.
 */

import type { WorkKind } from "@verbatim/core/attempt"
import { type DueWork, fullLanes, laneHash, laneOf } from "@verbatim/core/job"
import type { LeaseToken, Room } from "@verbatim/core/ports"
import { Array, Record } from "effect"

/** What a worker asks for. */
export interface ClaimRequest extends Room {
  readonly token: LeaseToken
}

/** A row that was leased, with the job as its last commit left it. */
export interface ClaimedRow {
  readonly job_id: string
  readonly due_at: number
  readonly state: unknown
}

/** What was leased, in no order, and the store's own time then. */
export interface Claims {
  readonly nowMillis: number
  readonly rows: ReadonlyArray<ClaimedRow>
  readonly hasMore: boolean
}

/** The workspace after which the next claim of a kind begins. */
export type Turns = Map<WorkKind, string>

/** Rows read beyond those that may be taken, to replace some that other claims take meanwhile. */
const spareRows = 32

/**
 * How many free rows to read of a lane with a limit, and of work without a lane. Workspaces share
 * the latter number.
 */
export const reach = (laneMax: number, slots: number) => {
  const all = slots + spareRows
  return { lane: Math.min(laneMax + 2, all), noLane: all }
}

/** The kinds for which there is room. */
export const wantedKinds = ({ kinds }: Room): ReadonlyArray<readonly [WorkKind, number]> =>
  (Object.entries(kinds) as ReadonlyArray<[WorkKind, number]>).filter(([, slots]) => slots > 0)

/** The hashes of the lanes that are full, by workspace. */
export const fullHashes = ({ lanes }: Room): Readonly<Record<string, ReadonlyArray<number>>> => {
  const named = fullLanes(lanes).map((key) => {
    const at = key.indexOf(" ")
    return { workspaceId: key.slice(0, at), laneHash: laneHash(key.slice(at + 1)) }
  })
  return Record.map(
    Array.groupBy(named, ({ workspaceId }) => workspaceId),
    (some) => some.map(({ laneHash }) => laneHash)
  )
}

/** Whether a lane takes no more. */
export const isFull = (piece: Pick<DueWork, "lane" | "workspaceId">, { lanes }: Room): boolean => {
  const key = laneOf(piece)
  return key !== null && (lanes.taken[key] ?? 0) >= lanes.max
}

/**
 * What two statements of one claim gave out. A commit between them may free a job that the first
 * has leased, and the second leases it again: then only the second lease and its state are valid.
 */
export const together = (
  first: ReadonlyArray<ClaimedRow>,
  second: ReadonlyArray<ClaimedRow>
): ReadonlyArray<ClaimedRow> => {
  const again = new Set(second.map(({ job_id }) => job_id))
  return [...first.filter(({ job_id }) => !again.has(job_id)), ...second]
}
