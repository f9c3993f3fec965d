import { type Stores, WorkspaceStore } from "@verbatim/core/ports"
import type { Workspace } from "@verbatim/core/workspace"
import { Effect } from "effect"
import { doBefore, type Fault, replacing, type Tables } from "./Fault.ts"

/** Writes a workspace, whatever is there. */
const overwrite = ({ accounts }: Tables, workspace: Workspace) =>
  Effect.sync(() => {
    const balanceMillis = accounts.get(workspace.id)?.balanceMillis ?? 0
    accounts.set(workspace.id, { workspace, balanceMillis })
  })

/** The workspace with an external id, or with none. */
const withExternalId = ({ accounts }: Tables, externalId: string | null) =>
  [...accounts.values()].find(({ workspace }) => workspace.externalId === externalId)?.workspace

/** Faults in how workspaces come, and how they change. */
export const workspaceTenantFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "gives a workspace what the first one has",
    foundBy: "makes another workspace, which has nothing",
    layer: replacing(WorkspaceStore, ({ create }, { accounts }) => ({
      create: (workspace) =>
        Effect.tap(create(workspace), ({ id }) =>
          Effect.sync(() => {
            const [first] = accounts.values()
            const account = accounts.get(id)
            if (first && account) {
              accounts.set(id, { ...account, balanceMillis: first.balanceMillis })
            }
          })
        )
    }))
  },
  {
    fault: "makes a workspace anew that comes again",
    foundBy: "makes a workspace once for its id",
    layer: replacing(WorkspaceStore, ({ create }, { accounts }) => ({
      create: doBefore(create, ({ id }) => accounts.delete(id))
    }))
  },
  {
    fault: "looks for an external id, and lets others take it before it does",
    foundBy: "gives all who ask for one external id at once the same workspace",
    layer: replacing(WorkspaceStore, (_, tables) => ({
      create: (workspace) =>
        Effect.gen(function* () {
          const same = withExternalId(tables, workspace.externalId)
          yield* Effect.yieldNow
          if (same !== undefined) return same
          yield* overwrite(tables, workspace)
          return workspace
        })
    }))
  },
  {
    fault: "tells who asks later of a workspace that it did not make",
    foundBy: "gives all who ask for one external id at once the same workspace",
    layer: replacing(WorkspaceStore, ({ create }) => ({
      create: (workspace) => Effect.as(create(workspace), workspace)
    }))
  },
  {
    fault: "takes no external id for one",
    foundBy: "makes many workspaces without an external id",
    layer: replacing(WorkspaceStore, ({ create }, tables) => ({
      create: (workspace) =>
        Effect.suspend(() => {
          const same = withExternalId(tables, workspace.externalId)
          return same === undefined ? create(workspace) : Effect.succeed(same)
        })
    }))
  },
  {
    fault: "lists workspaces in the order in which they came",
    foundBy: "lists workspaces in pages, in the order of their ids",
    layer: replacing(WorkspaceStore, (_, { accounts }) => ({
      accounts: ({ after, limit }) =>
        Effect.sync(() =>
          [...accounts.values()]
            .filter(({ workspace }) => after === null || workspace.id > after)
            .slice(0, limit)
        )
    }))
  },
  {
    fault: "begins a page with the last workspace of the one before",
    foundBy: "lists workspaces in pages, in the order of their ids",
    layer: replacing(WorkspaceStore, ({ accounts }, tables) => ({
      accounts: (page) =>
        Effect.map(accounts(page), (rest) => {
          const last = page.after === null ? undefined : tables.accounts.get(page.after)
          return last === undefined ? rest : [last, ...rest].slice(0, page.limit)
        })
    }))
  },
  {
    fault: "lists one workspace more than are wanted",
    foundBy: "lists workspaces in pages, in the order of their ids",
    layer: replacing(WorkspaceStore, ({ accounts }) => ({
      accounts: ({ after, limit }) => accounts({ after, limit: limit + 1 })
    }))
  },
  {
    fault: "writes a change over one that it did not see",
    foundBy: "changes a workspace that is as its writer saw it",
    layer: replacing(WorkspaceStore, (_, tables) => ({
      replace: (next) => Effect.as(overwrite(tables, next), true)
    }))
  },
  {
    fault: "forgets the days that a workspace keeps its jobs",
    foundBy: "changes a workspace that is as its writer saw it",
    layer: replacing(WorkspaceStore, ({ replace }) => ({
      replace: (next) => replace({ ...next, jobDays: null })
    }))
  },
  {
    fault: "refuses a change that comes again",
    foundBy: "changes a workspace that is as its writer saw it",
    layer: replacing(WorkspaceStore, ({ replace }, { accounts }) => ({
      replace: (next) =>
        Effect.suspend(() =>
          accounts.get(next.id)?.workspace.revision === next.revision
            ? Effect.succeed(false)
            : replace(next)
        )
    }))
  },
  {
    fault: "takes what a workspace has when it changes",
    foundBy: "changes a workspace that is as its writer saw it",
    layer: replacing(WorkspaceStore, ({ replace }, { accounts }) => ({
      replace: (next) =>
        Effect.tap(replace(next), (isWritten) =>
          Effect.sync(() => {
            if (isWritten) accounts.set(next.id, { workspace: next, balanceMillis: 0 })
          })
        )
    }))
  },
  {
    fault: "looks at a workspace, and lets others change it before it does",
    foundBy: "lets one of many that change a workspace at once win",
    layer: replacing(WorkspaceStore, (_, tables) => ({
      replace: (next) =>
        Effect.gen(function* () {
          const seen = tables.accounts.get(next.id)?.workspace.revision
          yield* Effect.yieldNow
          if (seen !== next.revision - 1) return false
          yield* overwrite(tables, next)
          return true
        })
    }))
  },
  {
    fault: "keeps an external id for the first that had it",
    foundBy: "frees the external id that a workspace gives up",
    layer: replacing(WorkspaceStore, ({ create }) => {
      const owners = new Map<string, Workspace>()
      return {
        create: (workspace) =>
          Effect.suspend(() => {
            const owner = owners.get(workspace.externalId ?? workspace.id) ?? workspace
            owners.set(workspace.externalId ?? workspace.id, owner)
            return owner.id === workspace.id ? create(workspace) : Effect.succeed(owner)
          })
      }
    })
  },
  {
    fault: "gives whoever asks again the workspace that has the external id since",
    foundBy: "frees the external id that a workspace gives up",
    layer: replacing(WorkspaceStore, ({ create }, tables) => ({
      create: (workspace) =>
        Effect.suspend(() => {
          const { externalId } = workspace
          const same = externalId === null ? undefined : withExternalId(tables, externalId)
          return same === undefined ? create(workspace) : Effect.succeed(same)
        })
    }))
  }
]
