/**
 * Which due work begins: the workspaces take turns, so that nobody waits for somebody else's
 * backlog. Every store chooses like this, however it finds the work.
 */
import { Order } from "effect"
import type { JobId } from "../attempt/JobId.ts"
import type { WorkKind } from "../attempt/Work.ts"
import { type Bound, chooseFitting, type LaneRoom } from "./Lane.ts"

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
