import { recordOfKinds } from "@verbatim/core/attempt"
import { type OwedWork, WorkQueue } from "@verbatim/core/ports"
import { Duration, Effect } from "effect"
import { plantFaults, type Replacement } from "./Fault.ts"

/** The memory adapter that tells something else of each kind. */
const telling =
  (change: (owed: OwedWork) => OwedWork): Replacement<WorkQueue["Service"]> =>
  ({ owed }) => ({
    owed: Effect.map(owed, (kinds) => recordOfKinds((kind) => change(kinds[kind])))
  })

export const workQueueOwedFaults = plantFaults(WorkQueue, {
  "counts what is owed of each kind: what waits, what is held, what is due later": {
    "adds up all kinds": ({ owed }) => ({
      owed: Effect.map(owed, ({ Transcribe }) => recordOfKinds(() => Transcribe))
    })
  },
  "counts work as held until its lease ends, lapses or is given back": {
    "takes a lease that has lapsed for one that holds": ({ owed }, { work }) => ({
      owed: Effect.map(owed, (kinds) => {
        const rows = [...work.values()].filter(({ lease }) => lease !== null)
        return recordOfKinds((kind) => {
          const count = rows.filter((row) => row.work.kind === kind).length
          const { held: fresh, waiting, ...rest } = kinds[kind]
          return { ...rest, held: count, waiting: waiting + fresh - count }
        })
      })
    })
  },
  "tells how long the oldest work has been due that nobody holds": {
    "knows no age": telling((owed) => ({ ...owed, age: Duration.zero }))
  }
})
