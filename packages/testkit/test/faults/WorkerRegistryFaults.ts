import { type Stores, WorkerRegistry } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { type Fault, replacing } from "./Fault.ts"

/** The survey, changed before it is answered. */
const surveying = (
  change: (
    survey: Effect.Success<WorkerRegistry["Service"]["survey"]>
  ) => Partial<Effect.Success<WorkerRegistry["Service"]["survey"]>>
) =>
  replacing(WorkerRegistry, ({ survey }) => ({
    survey: Effect.map(survey, (told) => ({ ...told, ...change(told) }))
  }))

export const workerRegistryFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "takes each sign for the start of a worker",
    foundBy: "keeps the last sign of a worker, and the time of its first one",
    layer: replacing(WorkerRegistry, ({ leave, sign }) => ({
      sign: (given) => Effect.andThen(leave(given.id), sign(given))
    }))
  },
  {
    fault: "shows workers in any order",
    foundBy: "shows every worker that signs, the oldest first",
    layer: surveying(({ workers }) => ({ workers: workers.toReversed() }))
  },
  {
    fault: "keeps a worker that leaves",
    foundBy: "forgets a worker that leaves, and no other",
    layer: replacing(WorkerRegistry, () => ({ leave: () => Effect.void }))
  },
  {
    fault: "counts held work as due",
    foundBy: "tells of each kind what is due, what comes later, and what is held",
    layer: surveying(({ debts }) => ({
      debts: debts.map((debt) => ({ ...debt, due: debt.due + debt.leased, leased: 0 }))
    }))
  },
  {
    fault: "does not tell since when work waits",
    foundBy: "tells of each kind what is due, what comes later, and what is held",
    layer: surveying(({ debts }) => ({
      debts: debts.map((debt) => ({ ...debt, dueSince: Option.none() }))
    }))
  }
]
