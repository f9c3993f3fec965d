/**
 * How much a worker may take on: attempts side by side of each kind, and of those in one lane.
 */
import { Context } from "effect"
import type { LaneRoom } from "../job/Lane.ts"
import { Task, type Work } from "../job/Work.ts"
import type { Room } from "../ports/WorkQueue.ts"

/** How many attempts of each kind run side by side in one process. */
export type Concurrency = Readonly<Record<Task, number>>

/**
 * Downloads from one origin, or webhooks to one, at the same time in one process. A slow one holds
 * no more.
 */
export const LaneMax: Context.Reference<number> = Context.Reference(
  "@verbatim/core/worker/LaneMax",
  { defaultValue: () => 4 }
)

/** A count of what is taken. */
export interface Slots {
  readonly take: (work: Work) => void
  readonly give: (work: Work) => void
  /** What more may begin, of the kinds of which something may. */
  readonly room: () => Room
  readonly running: () => Concurrency
}

/** Empty slots. */
export const make = (concurrency: Concurrency, laneMax: LaneRoom["max"]): Slots => {
  const kinds: Record<Task, number> = { Fetch: 0, Transcribe: 0, Summarize: 0, Deliver: 0 }
  const lanes = new Map<string, number>()
  const move = ({ kind, lane }: Work, by: 1 | -1) => {
    if (kind === "Isolate") return
    kinds[kind] += by
    if (lane === "") return
    const count = (lanes.get(lane) ?? 0) + by
    if (count === 0) lanes.delete(lane)
    else lanes.set(lane, count)
  }
  return {
    take: (work) => move(work, 1),
    give: (work) => move(work, -1),
    room: () => ({
      kinds: Object.fromEntries(
        Task.literals
          .map((kind) => [kind, concurrency[kind] - kinds[kind]] as const)
          .filter(([, free]) => free > 0)
      ),
      lanes: { max: laneMax, taken: Object.fromEntries(lanes) }
    }),
    running: () => ({ ...kinds })
  }
}
