/**
 * Lanes: what one workspace sends to one origin, or fetches from it, shares a limit, so that a slow
 * host holds up nobody but itself. An origin is short and has one spelling, however its URL is
 * written.
 */

import { Order } from "effect"
import type { JobId } from "../attempt/Attempt.ts"
import type { WorkKind } from "../attempt/Work.ts"
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

// Which due work begins: the workspaces take turns, so that nobody waits for somebody else's
// backlog. Every store chooses like this, however it finds the work.

/**
 * Whether slots are kept free for workspaces that come later. Attempts that depend on outside hosts
 * can be made to wait for long, by anybody and for free, and nobody knows how long a listener
 * takes. There a workspace takes another slot only while it holds fewer than are free, which is
 * half of them when it is alone (the dynamic threshold of Choudhury and Hahne, 1998, with a factor
 * of 1). Work for the processor never waits while a slot is free.
 */
export const keepsSlotsFree: Readonly<Record<WorkKind, boolean>> = {
  Fetch: true,
  Transcribe: false,
  Announce: true,
  AnnounceFirst: true,
  Summarize: false,
  Deliver: true,
  Notify: true,
  Isolate: false
}

/** Work of one kind that is due and that nobody holds. */
export interface DueWork extends Bound {
  readonly jobId: JobId
  /** In milliseconds. */
  readonly dueAt: number
}

/** What a worker has left for one kind of work. */
export interface KindRoom {
  readonly kind: WorkKind
  /** Slots. */
  readonly free: number
  /** How many pieces of this kind each workspace has under way. */
  readonly held: Readonly<Record<string, number>>
  readonly lanes: LaneRoom
  /** The workspace that was served last. The one behind it has the next turn. */
  readonly after: string
}

/** The earliest due first. The id decides between equals, so that every store answers alike. */
export const byDue: Order.Order<Pick<DueWork, "dueAt" | "jobId">> = Order.Struct({
  dueAt: Order.Number,
  jobId: Order.String
})

/** A piece that fits its lane, and when its turn comes. */
interface Turn<A> {
  readonly piece: A
  /** How many its workspace would then hold, this one included. */
  readonly rank: number
  readonly isPast: boolean
}

const byTurn: Order.Order<Turn<DueWork>> = Order.combineAll([
  Order.mapInput(Order.Number, ({ rank }: Turn<DueWork>) => rank),
  Order.mapInput(Order.Boolean, ({ isPast }: Turn<DueWork>) => isPast),
  Order.mapInput(Order.String, ({ piece }: Turn<DueWork>) => piece.workspaceId)
])

/**
 * What begins, in the order of the turns. Each lane offers its earliest pieces that find room, each
 * workspace the earliest of these. The workspace that holds least comes first, then the one that
 * was served longest ago.
 */
export const chooseWork = <A extends DueWork>(
  pieces: Iterable<A>,
  { after, free, held, kind, lanes }: KindRoom
): ReadonlyArray<A> => {
  const ranks = new Map(Object.entries(held))
  const turns = chooseFitting([...pieces].sort(byDue), lanes).map((piece): Turn<A> => {
    const { workspaceId } = piece
    const rank = (ranks.get(workspaceId) ?? 0) + 1
    ranks.set(workspaceId, rank)
    return { piece, rank, isPast: workspaceId <= after }
  })
  // Everything after the first refusal is refused too: ranks and slots taken only rise.
  return turns
    .sort(byTurn)
    .slice(0, free)
    .filter(({ rank }, taken) => !keepsSlotsFree[kind] || rank <= free - taken)
    .map(({ piece }) => piece)
}
