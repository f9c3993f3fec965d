/**
 * Requests and results of claims. A claim looks at the earliest due work; if there is more, it
 * walks round the workspaces. `Choice` chooses what to take.
 */
import type { WorkKind } from "@verbatim/core/attempt"
import { type DueWork, fullLanes, laneHash, laneOf } from "@verbatim/core/job"
import { type Capacity, type LeaseToken, leaseDuration } from "@verbatim/core/ports"
import { Array, Duration, Record } from "effect"

/** How long a lease is valid, in the unit of the rows. */
export const leaseMillis: number = Duration.toMillis(leaseDuration)

/**
 * A lease that ends this much later than a new one was given before the clock was set back. The
 * margin allows for renewals while a claim runs.
 */
export const overlongMillis: number = leaseMillis + 2_000

/**
 * Rows of a kind that a claim looks at, leased ones included, in the order of due times. If it
 * finds fewer, it has seen all due work.
 */
export const peekMax = 128

/** If there are more, the workspaces that it looks into, starting where the last claim ended. */
export const workspacesMax = 16

/**
 * The lanes that it looks into in each of those, skipping full ones; with four tasks each, half of
 * 128 slots.
 */
export const lanesMax = 16

/**
 * The rows that it looks at in each lane, leased ones included. If all processes together run more
 * attempts of one lane than this, a claim sees nothing after them.
 */
export const laneRowsMax = 1_000

/** The lane hash of work without a lane. */
export const noLaneHash: number = laneHash("")

/** A worker's request for work. */
export interface ClaimRequest extends Capacity {
  readonly token: LeaseToken
}

/** A leased row, with the job as of its last commit. */
export interface ClaimedRow {
  readonly job_id: string
  readonly due_at: number
  readonly state: unknown
}

/** The leased rows, in no order, and the store's time. */
export interface Claims {
  readonly nowMillis: number
  readonly rows: ReadonlyArray<ClaimedRow>
  readonly hasMore: boolean
}

/** The workspace after which the next claim of a kind begins. */
export type ClaimCursors = Map<WorkKind, string>

/** Extra rows to read, in case other claims take some. */
const spareRows = 32

/**
 * Returns how many free rows to read from a lane with a limit, and from work without a lane. The
 * latter number is divided among workspaces.
 */
export const rowLimits = (laneMax: number, slots: number) => {
  const all = slots + spareRows
  return { lane: Math.min(laneMax + 2, all), noLane: all }
}

/** Returns the kinds with free slots. */
export const wantedKinds = ({ kinds }: Capacity): ReadonlyArray<readonly [WorkKind, number]> =>
  (Object.entries(kinds) as ReadonlyArray<[WorkKind, number]>).filter(([, slots]) => slots > 0)

/** Returns the hashes of the full lanes, by workspace. */
export const fullHashes = ({
  lanes
}: Capacity): Readonly<Record<string, ReadonlyArray<number>>> => {
  const named = fullLanes(lanes).map((key) => {
    const at = key.indexOf(" ")
    return { workspaceId: key.slice(0, at), laneHash: laneHash(key.slice(at + 1)) }
  })
  return Record.map(
    Array.groupBy(named, ({ workspaceId }) => workspaceId),
    (some) => some.map(({ laneHash }) => laneHash)
  )
}

/** Whether the lane of a task is full. */
export const isLaneFull = (
  piece: Pick<DueWork, "lane" | "workspaceId">,
  { lanes }: Capacity
): boolean => {
  const key = laneOf(piece)
  return key !== null && (lanes.taken[key] ?? 0) >= lanes.max
}

/**
 * Merges the results of the two statements of one claim. A commit between them may release a job
 * that the first has leased, and the second leases it again: then only the second lease and its
 * state are valid.
 */
export const mergeClaims = (
  first: ReadonlyArray<ClaimedRow>,
  second: ReadonlyArray<ClaimedRow>
): ReadonlyArray<ClaimedRow> => {
  const again = new Set(second.map(({ job_id }) => job_id))
  return [...first.filter(({ job_id }) => !again.has(job_id)), ...second]
}
