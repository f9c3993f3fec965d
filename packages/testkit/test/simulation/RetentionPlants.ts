/** Faults of stores that keep old jobs too long, too short, or by half. */
import { JobStore, RetentionStore } from "@verbatim/core/ports"
import { DateTime, Duration, Effect } from "effect"
import { replacing } from "../faults/Fault.ts"
import { atStoredRevision, removeCharges } from "../faults/OtherStoreFaults.ts"
import type { Plant } from "./Plants.ts"

export const retentionPlants: ReadonlyArray<Plant> = [
  {
    fault: "the time of keepers is a day ahead",
    breaks: ["nothing of a job goes before its time"],
    options: {
      adapters: replacing(JobStore, (store) => ({
        now: Effect.map(store.now, (now) => DateTime.addDuration(now, Duration.days(1)))
      }))
    },
    seed: 2
  },
  {
    fault: "an old job is removed whatever became of it meanwhile",
    breaks: ["nothing of a job goes before its time"],
    options: {
      adapters: replacing(RetentionStore, ({ remove }, tables) => ({
        remove: (id, given) =>
          Effect.suspend(() => remove(id, atStoredRevision(tables, given))).pipe(
            Effect.delay(Duration.seconds(25))
          )
      }))
    },
    seed: 105
  },
  {
    fault: "a summary outlives the transcript",
    breaks: ["no job goes by half"],
    options: {
      adapters: replacing(JobStore, ({ commit }) => ({
        commit: (change) =>
          commit(
            change.forgotten === undefined ? change : { ...change, forgotten: { history: [] } }
          )
      }))
    },
    seed: 41
  },
  {
    fault: "no old job is ever found",
    breaks: ["what is over goes within two hours"],
    options: { adapters: replacing(RetentionStore, () => ({ ended: () => Effect.succeed([]) })) },
    seed: 2
  },
  {
    fault: "the turn stays with a process that died",
    breaks: ["what is over goes within two hours"],
    options: {
      adapters: replacing(RetentionStore, ({ takeTurn }) => ({
        takeTurn: (turn) => takeTurn({ ...turn, hold: Duration.days(400) }),
        passTurn: () => Effect.void
      }))
    },
    seed: 2
  },
  {
    fault: "charges go with their jobs",
    breaks: ["the ledger stays"],
    options: { adapters: replacing(RetentionStore, removeCharges) },
    seed: 2
  }
]
