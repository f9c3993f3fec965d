import { MemoryDatabase, MemoryWorkQueue } from "@verbatim/adapters/memory"
import { laneOf } from "@verbatim/core/job"
import { type Stores, WorkQueue } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import { workspaceId } from "#src/samples/Ids"
import { type Fault, replacing, type Tables } from "./Fault.ts"

type Row = Tables["work"] extends Map<infer _, infer A> ? A : never

/** Shows a claim other rows; what it leases is leased in the real rows. */
const showing = <A, E>(
  { work }: Tables,
  change: (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>,
  effect: Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const before = new Map(work)
    work.clear()
    for (const row of change([...before.values()])) work.set(row.jobId, row)
    return Effect.tap(effect, () =>
      Effect.sync(() => {
        const after = new Map(work)
        work.clear()
        for (const [id, row] of before) {
          work.set(id, { ...row, lease: after.get(id)?.lease ?? row.lease })
        }
      })
    )
  })

/** All rows as those of one workspace. */
const ofOne = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.map((row) => ({ ...row, work: { ...row.work, workspaceId: workspaceId(1) } }))

/** The first few of the workspaces that have something. */
const firstOnes = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const owners = [...new Set(rows.map(({ work }) => work.workspaceId))].sort().slice(0, 32)
  return rows.filter(({ work }) => owners.includes(work.workspaceId))
}

/** The memory adapter that claims from other rows. */
const claimingFrom = (change: (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>) =>
  replacing(WorkQueue, ({ claim }, tables) => ({
    claim: (request) => showing(tables, change, claim(request))
  }))

const aLongQueue = 128

export const workQueueTurnFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "serves whoever has waited longest",
    foundBy: "goes round the workspaces, whoever has waited longest",
    layer: claimingFrom(ofOne)
  },
  {
    fault: "forgets whom it served last",
    foundBy: "gives the next place to the workspace behind the one served last",
    layer: replacing(WorkQueue, (_, tables) => ({
      claim: (request) =>
        Effect.flatMap(WorkQueue, (queue) => queue.claim(request)).pipe(
          Effect.provide(Layer.fresh(MemoryWorkQueue.layer), { local: true }),
          Effect.provideService(MemoryDatabase, tables)
        )
    }))
  },
  {
    fault: "does not count what is under way",
    foundBy: "gives places to those who have less under way",
    layer: replacing(WorkQueue, ({ claim }) => ({
      claim: (request) => claim({ ...request, held: {} })
    }))
  },
  {
    fault: "lets one workspace take all places",
    foundBy: "leaves places for others where attempts wait for hosts, and nowhere else",
    layer: replacing(WorkQueue, ({ claim }) => ({
      claim: (request) => {
        const doubled = Object.entries(request.kinds).map(([kind, places]) => [kind, 2 * places])
        return claim({ ...request, kinds: Object.fromEntries(doubled) })
      }
    }))
  },
  {
    fault: "takes the lanes of all workspaces for one",
    foundBy: "keeps the lanes of workspaces apart",
    layer: claimingFrom(ofOne)
  },
  {
    fault: "looks at the first workspaces of a long queue, and never behind them",
    foundBy: "serves every workspace in turn, however long the queue is",
    layer: claimingFrom(firstOnes)
  },
  {
    fault: "stays with the workspaces that have nothing for it",
    foundBy: "comes round to a workspace past any number that have nothing for it",
    layer: claimingFrom(firstOnes)
  },
  {
    fault: "knows no lanes in a long queue",
    foundBy: "keeps to the limits of lanes, however long the queue is",
    layer: replacing(WorkQueue, ({ claim }, { work }) => ({
      claim: (request) => {
        const { max, taken } = request.lanes
        const isLong = work.size > aLongQueue
        return claim({ ...request, lanes: isLong ? { max: 1_000, taken: {} } : { max, taken } })
      }
    }))
  },
  {
    fault: "sees nothing behind a full lane in a long queue",
    foundBy: "keeps to the limits of lanes, however long the queue is",
    layer: replacing(WorkQueue, ({ claim }, tables) => ({
      claim: (request) => {
        const isFull = ({ work }: Row) =>
          (request.lanes.taken[laneOf(work) ?? ""] ?? 0) >= request.lanes.max
        const first = (rows: ReadonlyArray<Row>) => {
          const seen = rows.slice(0, aLongQueue)
          return seen.every(isFull) ? [] : rows
        }
        return showing(tables, first, claim(request))
      }
    }))
  },
  {
    fault: "tells of no more when there is room left",
    foundBy: "tells of more while it has not looked at all that is due",
    layer: replacing(WorkQueue, ({ claim }, tables) => ({
      claim: (request) =>
        showing(
          tables,
          firstOnes,
          Effect.map(claim(request), (given) => ({ ...given, hasMore: false }))
        )
    }))
  }
]
