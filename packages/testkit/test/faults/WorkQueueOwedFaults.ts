import { recordOfKinds } from "@verbatim/core/attempt"
import { type OwedWork, type Stores, WorkQueue } from "@verbatim/core/ports"
import { DateTime, Duration, Effect } from "effect"
import { type Fault, replacing } from "./Fault.ts"

/** The memory adapter that tells something else of each kind. */
const telling = (change: (owed: OwedWork) => OwedWork) =>
  replacing(WorkQueue, ({ owed }) => ({
    owed: Effect.map(owed, (kinds) => recordOfKinds((kind) => change(kinds[kind])))
  }))

const counts = "counts what is owed of each kind: what waits, what is held, what is due later"
const ages = "tells how long the oldest work has been due that nobody holds"
const held = "counts work as held until its lease ends, lapses or is given back"

export const workQueueOwedFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "counts what is due later among what waits",
    foundBy: counts,
    layer: telling((owed) => ({ ...owed, waiting: owed.waiting + owed.later }))
  },
  {
    fault: "counts what is held among what waits",
    foundBy: counts,
    layer: telling((owed) => ({ ...owed, waiting: owed.waiting + owed.held }))
  },
  {
    fault: "adds up all kinds",
    foundBy: counts,
    layer: replacing(WorkQueue, ({ owed }) => ({
      owed: Effect.map(owed, ({ Transcribe }) => recordOfKinds(() => Transcribe))
    }))
  },
  {
    fault: "takes a lease that has lapsed for one that holds",
    foundBy: held,
    layer: replacing(WorkQueue, ({ owed }, { work }) => ({
      owed: Effect.map(owed, (kinds) => {
        const rows = [...work.values()].filter(({ lease }) => lease !== null)
        return recordOfKinds((kind) => {
          const count = rows.filter((row) => row.work.kind === kind).length
          const { held: fresh, waiting, ...rest } = kinds[kind]
          return { ...rest, held: count, waiting: waiting + fresh - count }
        })
      })
    }))
  },
  {
    fault: "knows no age",
    foundBy: ages,
    layer: telling((owed) => ({ ...owed, age: Duration.zero }))
  },
  {
    fault: "tells the age of the oldest work, held or not",
    foundBy: ages,
    layer: replacing(WorkQueue, ({ owed }, { work }) => ({
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
    }))
  }
]
