import { recordOfKinds } from "@verbatim/core/attempt"
import { type OwedWork, WorkQueue } from "@verbatim/core/ports"
import { DateTime, Duration, Effect } from "effect"
import { plantFaults, type Replacement } from "./Fault.ts"

/** The memory adapter that tells something else of each kind. */
const telling =
  (change: (owed: OwedWork) => OwedWork): Replacement<WorkQueue["Service"]> =>
  ({ owed }) => ({
    owed: Effect.map(owed, (kinds) => recordOfKinds((kind) => change(kinds[kind])))
  })

export const workQueueOwedFaults = plantFaults(WorkQueue, {
  "counts what is owed of each kind: what waits, what is held, what is due later": {
    "counts what is due later among what waits": telling((owed) => ({
      ...owed,
      waiting: owed.waiting + owed.later
    })),
    "counts what is held among what waits": telling((owed) => ({
      ...owed,
      waiting: owed.waiting + owed.held
    })),
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
    "knows no age": telling((owed) => ({ ...owed, age: Duration.zero })),
    "tells the age of the oldest work, held or not": ({ owed }, { work }) => ({
      owed: Effect.flatMap(Effect.all([owed, DateTime.now]), ([kinds, now]) =>
        Effect.succeed(
          recordOfKinds((kind) => {
            const due = [...work.values()].filter((row) => row.work.kind === kind)
            const millis = due.map(
              (row) => now.epochMilliseconds - row.work.dueAt.epochMilliseconds
            )
            return { ...kinds[kind], age: Duration.millis(Math.max(0, ...millis)) }
          })
        )
      )
    })
  }
})
