import { JobStore, type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { DateTime, Effect } from "effect"
import { type Fault, plantFaults } from "./Fault.ts"

const jobFaults = plantFaults(JobStore, {
  "keeps the key that asked for a job, and charges in its name": {
    "forgets who asked for a job": ({ commit, insert }) => ({
      insert: (creation) => {
        const { keyId: _, ...job } = creation.job
        return insert({ ...creation, job })
      },
      commit: (change) => {
        const { keyId: _, ...next } = change.next
        return commit({ ...change, next })
      }
    })
  }
})

const sumFaults = plantFaults(WorkspaceStore, {
  "sums a time from its first instant up to and without its last": {
    "counts the last instant of a time too": ({ usage }) => ({
      usage: (query) => usage({ ...query, to: DateTime.add(query.to, { milliseconds: 1 }) })
    })
  },
  "sums one workspace and one key where they are named": {
    "sums all workspaces where one is named": ({ usage }) => ({
      usage: (query) => usage({ ...query, workspaceId: null })
    })
  },
  "sums each line once, whatever the rows are about and however they are paged": {
    "leaves out what no key asked for": ({ usage }) => ({
      usage: (query) =>
        Effect.map(usage(query), (rows) =>
          rows.filter(({ keyId }) => query.by !== "key" || keyId !== null)
        )
    })
  },
  "sums what is larger than 32 bits exactly": {
    "sums in 32-bit floats": ({ usage }) => ({
      usage: (query) =>
        Effect.map(usage(query), (rows) =>
          rows.map((row) => ({ ...row, chargedMillis: Math.fround(row.chargedMillis) }))
        )
    })
  }
})

export const usageFaults: ReadonlyArray<Fault<Stores>> = [...jobFaults, ...sumFaults]
