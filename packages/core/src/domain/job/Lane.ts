/**
 * Lanes: what one workspace sends to one origin, or fetches from it, shares a limit, so that a slow
 * host holds up nobody but itself. An origin is short and has one spelling, however its URL is
 * written.
 */
import type { WorkspaceId } from "../workspace/Workspace.ts"

/** The lane of downloads from a URL. A slow one can take hours: no webhook waits behind it. */
export const downloadLane = (url: string): string => `from ${originOf(url)}`

/** The lane of webhooks to a URL. */
export const webhookLane = (url: string): string => originOf(url)

/** Whose work it is, and where it goes. */
export interface Bound {
  readonly workspaceId: WorkspaceId
  /** Null for work that stays here. */
  readonly lane: string | null
}

/** The name of a lane, unique across all workspaces. */
export const laneKey = ({ lane, workspaceId }: Bound & { readonly lane: string }): string =>
  `${workspaceId} ${lane}`

/** The name of the lane that work is in, if it is in one. */
export const laneOf = ({ lane, workspaceId }: Bound): string | null =>
  lane === null ? null : laneKey({ workspaceId, lane })

/**
 * Most lanes of a kind of work that are shown: an operator looks for the few in which it piles up,
 * while webhooks may go to as many hosts as there are customers.
 */
export const shownLanesMax = 20

/** How many pieces of work of one lane may be under way at the same time, and how many are. */
export interface LaneRoom {
  readonly max: number
  /** By `laneKey`. */
  readonly taken: Readonly<Record<string, number>>
}

/** The lanes that take no more for now. */
export const fullLanes = ({ max, taken }: LaneRoom): ReadonlyArray<string> =>
  Object.entries(taken).flatMap(([lane, count]) => (count >= max ? [lane] : []))

/** The pieces that find room, first come, first served. Work that stays here always does. */
export const chooseFitting = <A extends Bound>(
  pieces: Iterable<A>,
  { max, taken }: LaneRoom
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
 * A lane as a whole number of 32 bits with a sign, for small keys of an index: FNV-1a over the
 * units of the text. Two lanes may share one; nothing is told apart by it alone.
 */
export const laneHash = (lane: string): number => {
  let sum = 0x811c9dc5
  for (let at = 0; at < lane.length; at += 1) sum = Math.imul(sum ^ lane.charCodeAt(at), 0x01000193)
  return sum | 0
}

/** URLs have been judged before they are stored; one that was not has a lane of its own. */
const originOf = (url: string): string => URL.parse(url)?.origin ?? "nowhere"
