import type { LedgerLine, LedgerReason } from "@verbatim/core/job"
import { JobStore, type LedgerQuery, type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import { type Fault, plantFaults } from "./Fault.ts"

type Ledger = WorkspaceStore["Service"]["ledger"]

/** A ledger whose lines are told in another way. */
const telling =
  (ledger: Ledger, tell: (reason: LedgerReason, query: LedgerQuery) => LedgerReason): Ledger =>
  (query) =>
    Effect.map(ledger(query), (lines) =>
      lines.map((line) => ({ ...line, reason: tell(line.reason, query) }))
    )

/** A page of the whole ledger after it was changed. */
const ofWhole =
  (ledger: Ledger, change: (all: ReadonlyArray<LedgerLine>) => ReadonlyArray<LedgerLine>): Ledger =>
  ({ limit, ...query }) =>
    Effect.map(ledger({ ...query, limit: 1_000 }), (all) => change(all).slice(0, limit))

const byInstant = (one: LedgerLine, other: LedgerLine): number =>
  DateTime.toEpochMillis(other.at) - DateTime.toEpochMillis(one.at)

/** Faults in ledgers of credits. */
export const ledgerFaults: ReadonlyArray<Fault<Stores>> = plantFaults(WorkspaceStore, {
  "tells what each line is, the last booked first, whatever instant it bears": {
    "lists the oldest line first": ({ ledger }) => ({
      ledger: ofWhole(ledger, (all) => all.toReversed())
    }),
    "lists lines by their instants": ({ ledger }) => ({
      ledger: ofWhole(ledger, (all) => all.toSorted(byInstant))
    }),
    "calls a credit by another name than whoever gave it": ({ ledger }) => ({
      ledger: telling(ledger, (reason, { workspaceId }) =>
        reason._tag === "Credit"
          ? { ...reason, creditId: `${workspaceId} ${reason.creditId}` }
          : reason
      )
    }),
    "gives the lines of all workspaces": (_, { ledger }) => ({
      ledger: ({ limit }) => Effect.sync(() => [...ledger.values()].reverse().slice(0, limit))
    }),
    "gives all lines, however few are asked for": ({ ledger }) => ({
      ledger: (query) => ledger({ ...query, limit: 1_000 })
    })
  },
  "pages a ledger, each line once, whatever is booked meanwhile": {
    "begins each page with the last line of the page before": ({ ledger }) => ({
      ledger: ({ before, ...query }) =>
        ledger({ ...query, before: before === null ? null : before + 1 })
    }),
    "begins each page after as many lines as were read": ({ ledger }) => {
      let read = 0
      return {
        ledger: (query) =>
          Effect.map(ledger({ ...query, before: null, limit: 1_000 }), (all) => {
            if (query.before === null) read = 0
            read += query.limit
            return all.slice(read - query.limit, read)
          })
      }
    },
    "leaves out a line between two pages": ({ ledger }) => ({
      ledger: ({ before, ...query }) =>
        Effect.map(ledger({ ...query, before, limit: query.limit + 1 }), (page) =>
          before === null ? page.slice(0, query.limit) : page.slice(1)
        )
    })
  }
})

/** Faults in what ledgers tell of charges. */
export const chargeFaults: ReadonlyArray<Fault<Stores>> = [
  ...plantFaults(WorkspaceStore, {
    "tells the job of each charge and the key that asked for it, also when the job is gone": {
      "tells no key": ({ ledger }) => ({
        ledger: telling(ledger, (reason) =>
          reason._tag === "Charge" ? { ...reason, keyId: null } : reason
        )
      }),
      "gives a zero that is below zero": ({ ledger }) => ({
        ledger: ofWhole(ledger, (all) =>
          all.map((line) => ({ ...line, millis: line.millis === 0 ? -0 : line.millis }))
        )
      }),
      "leaves out what cost nothing": ({ ledger }) => ({
        ledger: ofWhole(ledger, (all) => all.filter(({ millis }) => millis !== 0))
      }),
      "tells only of jobs that are there": ({ ledger }, { jobs }) => ({
        ledger: ofWhole(ledger, (all) =>
          all.filter(({ reason }) => reason._tag === "Credit" || jobs.has(reason.jobId))
        )
      })
    }
  }),
  ...plantFaults(JobStore, {
    "tells the job of each charge and the key that asked for it, also when the job is gone": {
      "charges in nobody's name": ({ commit }) => ({
        commit: (change) => {
          const { keyId: _, ...next } = change.next
          return commit({ ...change, next })
        }
      }),
      "books no line for what costs nothing": ({ commit }) => ({
        commit: (change) =>
          commit({
            ...change,
            chargeMillis: Option.filter(change.chargeMillis, (millis) => millis > 0)
          })
      })
    }
  })
]
