import { JobStore } from "@verbatim/core/ports"
import { Effect } from "effect"
import { plantFaults } from "./Fault.ts"

/** What may be wrong with peaks. */
export const peakFaults = plantFaults(JobStore, {
  "keeps the peaks that come with a transcript, of one piece or many": {
    "keeps no peaks": () => ({ peaks: () => Effect.succeedNone })
  }
})
