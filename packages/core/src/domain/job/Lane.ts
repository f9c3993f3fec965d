/**
 * Lanes: the requests from one workspace to one origin share a limit, so that a slow host does not
 * slow down other traffic. An origin is short, and always spelled the same way, however the URL is
 * written.
 */

import { Order } from "effect"
import type { JobId } from "../attempt/Attempt.ts"
import type { WorkKind } from "../attempt/Work.ts"
import type { WorkspaceId } from "../workspace/Workspace.ts"

/**
 * Returns the lane of downloads from a URL. Downloads and webhooks have separate lanes, because a
 * slow download can take hours.
 */
export const downloadLane = (url: string): string => `from ${originOf(url)}`

/** Returns the lane of webhooks to a URL. */
export const webhookLane = (url: string): string => originOf(url)

/** The workspace and the lane of a pending task. */
export interface LanedWork {
  readonly workspaceId: WorkspaceId
  /** The lane; null for work without external traffic. */
  readonly lane: string | null
}

/** Returns the name of a lane, which is unique across all workspaces. */
export const laneKey = ({ lane, workspaceId }: LanedWork & { readonly lane: string }): string =>
  `${workspaceId} ${lane}`

/** Returns the name of a pending task's lane; null if it has no lane. */
export const laneOf = ({ lane, workspaceId }: LanedWork): string | null =>
  lane === null ? null : laneKey({ workspaceId, lane })

/**
 * Maximum number of lanes shown per kind of work. An operator needs to see only the few lanes with
 * a backlog, although there may be as many lanes as customers.
 */
export const shownLanesMax = 20

/** The maximum number of concurrent tasks per lane, and the number running now. */
export interface LaneCapacity {
  readonly max: number
  /** Number of running tasks in each lane, keyed by `laneKey`. */
  readonly taken: Readonly<Record<string, number>>
}

/** Returns the names of the lanes that have no free capacity. */
export const fullLanes = ({ max, taken }: LaneCapacity): ReadonlyArray<string> =>
  Object.entries(taken).flatMap(([lane, count]) => (count >= max ? [lane] : []))

/**
 * Chooses the tasks that fit into their lanes, first come, first served. Tasks without a lane
 * always fit.
 */
export const chooseFitting = <A extends LanedWork>(
  pieces: Iterable<A>,
  { max, taken }: LaneCapacity
): ReadonlyArray<A> => {
  const counts = new Map(Object.entries(taken))
  return [...pieces].filter((piece) => {
    const key = laneOf(piece)
    if (key === null) return true
    const count = counts.get(key) ?? 0
    if (count >= max) return false
    counts.set(key, count + 1)
    return true
  })
}

/**
 * Hashes a lane to a signed 32-bit integer, which keeps index keys small: FNV-1a over the UTF-16
 * units. Two lanes can have the same hash, so a hash alone never identifies a lane.
 */
export const laneHash = (lane: string): number => {
  let sum = 0x811c9dc5
  for (let at = 0; at < lane.length; at += 1) sum = Math.imul(sum ^ lane.charCodeAt(at), 0x01000193)
  return sum | 0
}

/** URLs are validated before they are stored. An invalid URL would get a lane of its own. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? "nowhere"

// The code below chooses which due work begins next. Workspaces alternate, so that none waits for
// the backlog of another. Every store uses this choice, however it finds the due work.

/**
 * Whether some slots stay free for workspaces that arrive later. A caller can easily slow down
 * attempts that depend on external hosts, and a listener can take any amount of time. A workspace
 * gets another slot for such work only while it holds fewer slots than are free. A single workspace
 * therefore gets half of all slots (the dynamic threshold of Choudhury and Hahne, 1998, with a
 * factor of 1). CPU work never waits while a slot is free.
 */
export const keepsSlotsFree: Readonly<Record<WorkKind, boolean>> = {
  Fetch: true,
  Transcribe: false,
  Summarize: false,
  Deliver: true,
  Notify: true,
  Isolate: false
}

/** A due task that no worker has claimed. */
export interface DueWork extends LanedWork {
  readonly jobId: JobId
  /** The due time, in milliseconds. */
  readonly dueAt: number
}

/** A worker's capacity for one kind of work. */
export interface KindCapacity {
  readonly kind: WorkKind
  /** Number of free slots for this kind of work. */
  readonly free: number
  /** Number of running tasks of this kind in each workspace. */
  readonly held: Readonly<Record<string, number>>
  readonly lanes: LaneCapacity
  /** The workspace that was served last; the next claim starts with the one after it. */
  readonly after: string
}

/** Orders tasks by due time, and then by id, so that every store makes the same choice. */
export const byDue: Order.Order<Pick<DueWork, "dueAt" | "jobId">> = Order.Struct({
  dueAt: Order.Number,
  jobId: Order.String
})

/** A task that fits into its lane, with the values that decide when it is served. */
interface Candidate<A> {
  readonly piece: A
  /** Number of tasks that the workspace holds once this one has begun. */
  readonly rank: number
  readonly isPast: boolean
}

const byService: Order.Order<Candidate<DueWork>> = Order.combineAll([
  Order.mapInput(Order.Number, ({ rank }: Candidate<DueWork>) => rank),
  Order.mapInput(Order.Boolean, ({ isPast }: Candidate<DueWork>) => isPast),
  Order.mapInput(Order.String, ({ piece }: Candidate<DueWork>) => piece.workspaceId)
])

/**
 * Chooses the tasks to begin, in order. Each lane offers its earliest tasks that fit, and each
 * workspace offers the earliest of these. The workspace that holds the fewest tasks is served
 * first; among equals, the one that was served longest ago.
 */
export const chooseWork = <A extends DueWork>(
  pieces: Iterable<A>,
  { after, free, held, kind, lanes }: KindCapacity
): ReadonlyArray<A> => {
  const ranks = new Map(Object.entries(held))
  const candidates = chooseFitting([...pieces].sort(byDue), lanes).map((piece): Candidate<A> => {
    const { workspaceId } = piece
    const rank = (ranks.get(workspaceId) ?? 0) + 1
    ranks.set(workspaceId, rank)
    return { piece, rank, isPast: workspaceId <= after }
  })
  // Once a task is refused, all later tasks are refused too, because ranks and taken slots only
  // increase.
  return candidates
    .sort(byService)
    .slice(0, free)
    .filter(({ rank }, taken) => !keepsSlotsFree[kind] || rank <= free - taken)
    .map(({ piece }) => piece)
}
