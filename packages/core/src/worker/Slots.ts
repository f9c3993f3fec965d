/**
 * How much a worker may take on: attempts side by side of each kind, and of those in one lane.
 */
import { type Work, WorkKind } from "../job/Work.ts"

/** How many attempts of each kind run side by side in one process. */
export type Concurrency = Readonly<Record<WorkKind, number>>

/** Downloads from one origin, or webhooks to one, at the same time. A slow one holds no more. */
export const laneMax = 4

/** A count of what is taken. */
export interface Slots {
  readonly take: (work: Work) => void
  readonly give: (work: Work) => void
  /** How many more attempts of a kind may begin. */
  readonly free: (kind: WorkKind) => number
  /** Whether one more piece of work may begin in its lane. */
  readonly isLaneFree: (work: Work) => boolean
  /** Lanes that take no more for now. */
  readonly busyLanes: () => ReadonlyArray<string>
  readonly running: () => Concurrency
}

/** Empty slots. */
export const make = (concurrency: Concurrency): Slots => {
  const kinds: Record<WorkKind, number> = { Fetch: 0, Transcribe: 0, Summarize: 0, Deliver: 0 }
  const lanes = new Map<string, number>()
  const move = ({ kind, lane }: Work, by: 1 | -1) => {
    kinds[kind] += by
    if (lane === "") return
    const count = (lanes.get(lane) ?? 0) + by
    if (count === 0) lanes.delete(lane)
    else lanes.set(lane, count)
  }
  return {
    take: (work) => move(work, 1),
    give: (work) => move(work, -1),
    free: (kind) => Math.max(0, concurrency[kind] - kinds[kind]),
    isLaneFree: ({ lane }) => (lanes.get(lane) ?? 0) < laneMax,
    busyLanes: () => [...lanes].flatMap(([lane, count]) => (count >= laneMax ? [lane] : [])),
    running: () => ({ ...kinds })
  }
}

/** The kinds of which at least one more attempt may begin. */
export const openKinds = (slots: Slots): ReadonlyArray<WorkKind> =>
  WorkKind.literals.filter((kind) => slots.free(kind) > 0)
