import { MemoryDatabase, MemoryWorkQueue } from "@verbatim/adapters/memory"
import { WorkQueue } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import { workspaceId } from "#src/samples/Ids"
import { plantFaults, type Replacement, type Tables } from "./Fault.ts"

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
const claimingFrom =
  (change: (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>): Replacement<WorkQueue["Service"]> =>
  ({ claim }, tables) => ({
    claim: (request) => showing(tables, change, claim(request))
  })

const aLongQueue = 128

export const workQueueTurnFaults = plantFaults(WorkQueue, {
  "goes round the workspaces, whoever has waited longest": {
    "serves whoever has waited longest": claimingFrom(ofOne)
  },
  "gives the next slot to the workspace behind the one served last": {
    "forgets whom it served last": (_, tables) => ({
      claim: (request) =>
        Effect.flatMap(WorkQueue, (queue) => queue.claim(request)).pipe(
          Effect.provide(Layer.fresh(MemoryWorkQueue.layer), { local: true }),
          Effect.provideService(MemoryDatabase, tables)
        )
    })
  },
  "gives slots to those who have less under way": {
    "does not count what is under way": ({ claim }) => ({
      claim: (request) => claim({ ...request, held: {} })
    })
  },
  "leaves slots for others where attempts wait for hosts, and nowhere else": {
    "lets one workspace take all places": ({ claim }) => ({
      claim: (request) => {
        const doubled = Object.entries(request.kinds).map(([kind, places]) => [kind, 2 * places])
        return claim({ ...request, kinds: Object.fromEntries(doubled) })
      }
    })
  },
  "keeps the lanes of workspaces apart": {
    "takes the lanes of all workspaces for one": claimingFrom(ofOne)
  },
  "serves every workspace in turn, however long the queue is": {
    "looks at the first workspaces of a long queue, and never behind them": claimingFrom(firstOnes)
  },
  "comes round to a workspace past any number that have nothing for it": {
    "stays with the workspaces that have nothing for it": claimingFrom(firstOnes)
  },
  "keeps to the limits of lanes, however long the queue is": {
    "knows no lanes in a long queue": ({ claim }, { work }) => ({
      claim: (request) => {
        const { max, taken } = request.lanes
        const isLong = work.size > aLongQueue
        return claim({ ...request, lanes: isLong ? { max: 1_000, taken: {} } : { max, taken } })
      }
    })
  },
  "tells of more while it has not looked at all that is due": {
    "tells of no more when there is room left": ({ claim }, tables) => ({
      claim: (request) =>
        showing(
          tables,
          firstOnes,
          Effect.map(claim(request), (given) => ({ ...given, hasMore: false }))
        )
    })
  }
})
