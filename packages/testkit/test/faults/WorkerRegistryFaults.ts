import { WorkerRegistry } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { plantFaults, type Replacement } from "./Fault.ts"

type Survey = Effect.Success<WorkerRegistry["Service"]["survey"]>

/** The survey, changed before it is answered. */
const surveying =
  (change: (survey: Survey) => Partial<Survey>): Replacement<WorkerRegistry["Service"]> =>
  ({ survey }) => ({
    survey: Effect.map(survey, (told) => ({ ...told, ...change(told) }))
  })

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
    })),
    "does not tell since when work waits": surveying(({ debts }) => ({
      debts: debts.map((debt) => ({ ...debt, dueSince: Option.none() }))
    }))
  }
})
