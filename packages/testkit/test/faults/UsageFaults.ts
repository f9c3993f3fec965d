import { JobStore, type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { DateTime, Effect } from "effect"
import { type Fault, replacing } from "./Fault.ts"

const eachOnce = "sums each line once, whatever the rows are about and however they are paged"

export const usageFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "forgets who asked for a job",
    foundBy: "keeps the key that asked for a job, and charges in its name",
    layer: replacing(JobStore, ({ commit, insert }) => ({
      insert: (creation) => {
        const { keyId: _, ...job } = creation.job
        return insert({ ...creation, job })
      },
      commit: (change) => {
        const { keyId: _, ...next } = change.next
        return commit({ ...change, next })
      }
    }))
  },
  {
    fault: "counts the last instant of a time too",
    foundBy: "sums a time from its first instant up to and without its last",
    layer: replacing(WorkspaceStore, ({ usage }) => ({
      usage: (query) => usage({ ...query, to: DateTime.add(query.to, { milliseconds: 1 }) })
    }))
  },
  {
    fault: "sums all workspaces where one is named",
    foundBy: "sums one workspace and one key where they are named",
    layer: replacing(WorkspaceStore, ({ usage }) => ({
      usage: (query) => usage({ ...query, workspaceId: null })
    }))
  },
  {
    fault: "leaves out what no key asked for",
    foundBy: eachOnce,
    layer: replacing(WorkspaceStore, ({ usage }) => ({
      usage: (query) =>
        Effect.map(usage(query), (rows) =>
          rows.filter(({ keyId }) => query.by !== "key" || keyId !== null)
        )
    }))
  },
  {
    fault: "begins each page with the last row of the page before",
    foundBy: eachOnce,
    layer: replacing(WorkspaceStore, ({ usage }) => ({
      usage: (query) =>
        Effect.map(usage({ ...query, after: null, limit: 1_000 }), (rows) =>
          rows
            .filter(({ day, workspaceId }) => {
              if (query.after === null) return true
              if (query.by === "day") return (day ?? 0) >= (query.after.day ?? 0)
              return (workspaceId ?? "") >= (query.after.workspaceId ?? "")
            })
            .slice(0, query.limit)
        )
    }))
  },
  {
    fault: "sums in 32-bit floats",
    foundBy: "sums what is larger than 32 bits exactly",
    layer: replacing(WorkspaceStore, ({ usage }) => ({
      usage: (query) =>
        Effect.map(usage(query), (rows) =>
          rows.map((row) => ({ ...row, chargedMillis: Math.fround(row.chargedMillis) }))
        )
    }))
  }
]
