import { JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { plantFaults } from "./Fault.ts"

/** What may be wrong with peaks. */
export const peakFaults = plantFaults(JobStore, {
  "keeps the peaks that come with a transcript, of one piece or many": {
    "keeps no peaks": () => ({ peaks: () => Effect.succeedNone }),
    "cuts the last pair": ({ peaks }) => ({
      peaks: (id) =>
        Effect.map(
          peaks(id),
          Option.map((found) => ({ ...found, values: found.values.slice(0, -2) }))
        )
    })
  },
  "has no peaks once their transcript is forgotten or their job deleted": {
    "keeps peaks that are forgotten": (store) => ({
      commit: (commit) =>
        store.commit({
          next: commit.next,
          events: commit.events,
          at: commit.at,
          token: commit.token,
          work: commit.work,
          isLeaseKept: commit.isLeaseKept,
          transcript: commit.transcript,
          chargeMillis: commit.chargeMillis,
          body: commit.body,
          ...(commit.peaks === undefined ? {} : { peaks: commit.peaks })
        })
    })
  }
})
