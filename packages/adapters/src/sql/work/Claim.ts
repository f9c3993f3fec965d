/**
 * What a claim asks for and gives out. It looks at the work that is due first and, where there is
 * more of it, round the workspaces; it takes what `Choice` chooses.
 */
import type { WorkKind } from "@verbatim/core/attempt"
import { type DueWork, fullLanes, laneHash, laneOf } from "@verbatim/core/job"
import { type Capacity, type LeaseToken, leaseDuration } from "@verbatim/core/ports"
import { Array, Duration, Record } from "effect"

/** How long a lease holds, in the unit of the rows. */
export const leaseMillis: number = Duration.toMillis(leaseDuration)

/**
 * A lease that ends this much later than a new one was given out before the clock was set back. The
 * margin is for renewals while a claim runs.
 */
export const overlongMillis: number = leaseMillis + 2_000

/**
 * Rows of a kind that a claim looks at, held ones included, in the order in which they are due. If
 * it comes to their end, it has seen all that is due.
 */
export const peekMax = 128

/** Where there are more, the workspaces that it looks into, from where the last claim ended. */
export const workspacesMax = 16

/** And in each of those the lanes that are not full; with four pieces each, half of 128 slots. */
export const lanesMax = 16

/**
 * And in each lane the rows, held ones included. This many attempts of one lane may be under way in
 * all processes together before a claim sees nothing behind them.
 */
export const laneRowsMax = 1_000

/** The lane of work without one. */
export const noLaneHash: number = laneHash("")

/** What a worker asks for. */
export interface ClaimRequest extends Capacity {
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
export const wantedKinds = ({ kinds }: Capacity): ReadonlyArray<readonly [WorkKind, number]> =>
  (Object.entries(kinds) as ReadonlyArray<[WorkKind, number]>).filter(([, slots]) => slots > 0)

/** The hashes of the lanes that are full, by workspace. */
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

/** Whether a lane takes no more. */
export const isFull = (
  piece: Pick<DueWork, "lane" | "workspaceId">,
  { lanes }: Capacity
): boolean => {
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
