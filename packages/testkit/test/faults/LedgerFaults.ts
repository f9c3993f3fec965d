import type { LedgerLine } from "@verbatim/core/job"
import { JobStore, type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { Effect } from "effect"
import { type Fault, plantFaults } from "./Fault.ts"

type Ledger = WorkspaceStore["Service"]["ledger"]

/** A page of the whole ledger after it was changed. */
const ofWhole =
  (ledger: Ledger, change: (all: ReadonlyArray<LedgerLine>) => ReadonlyArray<LedgerLine>): Ledger =>
  ({ limit, ...query }) =>
    Effect.map(ledger({ ...query, limit: 1_000 }), (all) => change(all).slice(0, limit))

/** Faults in ledgers of credits. */
export const ledgerFaults: ReadonlyArray<Fault<Stores>> = plantFaults(WorkspaceStore, {
  "tells what each line is, the last booked first, whatever instant it bears": {
    "lists the oldest line first": ({ ledger }) => ({
      ledger: ofWhole(ledger, (all) => all.toReversed())
    })
  },
  "pages a ledger, each line once, whatever is booked meanwhile": {
    "begins each page with the last line of the page before": ({ ledger }) => ({
      ledger: ({ before, ...query }) =>
        ledger({ ...query, before: before === null ? null : before + 1 })
    })
  }
})

/** Faults in what ledgers tell of charges. */
export const chargeFaults: ReadonlyArray<Fault<Stores>> = [
  ...plantFaults(WorkspaceStore, {
    "tells the job of each charge and the key that asked for it, also when the job is gone": {
      "leaves out what cost nothing": ({ ledger }) => ({
        ledger: ofWhole(ledger, (all) => all.filter(({ millis }) => millis !== 0))
      })
    }
  }),
  ...plantFaults(JobStore, {})
]
