import { WorkerRegistry } from "@verbatim/core/ports"
import { Effect } from "effect"
import { plantFaults, type Replacement } from "./Fault.ts"

type Survey = Effect.Success<WorkerRegistry["Service"]["survey"]>

/** The survey, changed before it is answered. */
const surveying =
  (change: (survey: Survey) => Partial<Survey>): Replacement<WorkerRegistry["Service"]> =>
  ({ survey }) => ({
    survey: Effect.map(survey, (told) => ({ ...told, ...change(told) }))
  })

type Lanes = Survey["debts"][number]["lanes"]

/** The lanes of each kind, changed before they are shown. */
const lanesOf = (change: (lanes: Lanes) => Lanes) =>
  surveying(({ debts }) => ({
    debts: debts.map((debt) => ({ ...debt, lanes: change(debt.lanes) }))
  }))

export const workerRegistryFaults = plantFaults(WorkerRegistry, {
  "keeps the last sign of a worker, and the time of its first one": {
    "takes each sign for the start of a worker": ({ leave, sign }) => ({
      sign: (given) => Effect.andThen(leave(given.id), sign(given))
    })
  },
  "shows every worker that signs, the oldest first": {
    "shows workers in any order": surveying(({ workers }) => ({ workers: workers.toReversed() }))
  },
  "forgets a worker that leaves, and no other": {
    "keeps a worker that leaves": () => ({ leave: () => Effect.void })
  },
  "tells of each kind what is due, what comes later, and what is held": {
    "counts held work as due": surveying(({ debts }) => ({
      debts: debts.map((debt) => ({ ...debt, due: debt.due + debt.leased, leased: 0 }))
    }))
  },
  "tells in which lanes of whom it is, those with most that is due first": {
    "takes lanes of two workspaces for one": lanesOf((lanes) =>
      [...Map.groupBy(lanes, ({ lane }) => lane).values()].flatMap((same) => same.slice(0, 1))
    )
  },
  "shows the first of many lanes, and says how many there are": {
    "shows one lane too many": lanesOf((lanes) => [...lanes, ...lanes.slice(0, 1)])
  }
})
