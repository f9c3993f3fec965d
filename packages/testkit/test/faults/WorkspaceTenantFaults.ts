import { WorkspaceStore } from "@verbatim/core/ports"
import type { Workspace } from "@verbatim/core/workspace"
import { Effect } from "effect"
import { doBefore, plantFaults, type Tables } from "./Fault.ts"

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
export const workspaceTenantFaults = plantFaults(WorkspaceStore, {
  "makes another workspace, which has nothing": {
    "gives a workspace what the first one has": ({ create }, { accounts }) => ({
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
    })
  },
  "makes a workspace once for its id": {
    "makes a workspace anew that comes again": ({ create }, { accounts }) => ({
      create: doBefore(create, ({ id }) => accounts.delete(id))
    })
  },
  "gives all who ask for one external id at once the same workspace": {
    "looks for an external id, and lets others take it before it does": (_, tables) => ({
      create: (workspace) =>
        Effect.gen(function* () {
          const same = withExternalId(tables, workspace.externalId)
          yield* Effect.yieldNow
          if (same !== undefined) return same
          yield* overwrite(tables, workspace)
          return workspace
        })
    }),
    "tells who asks later of a workspace that it did not make": ({ create }) => ({
      create: (workspace) => Effect.as(create(workspace), workspace)
    })
  },
  "makes many workspaces without an external id": {
    "takes no external id for one": ({ create }, tables) => ({
      create: (workspace) =>
        Effect.suspend(() => {
          const same = withExternalId(tables, workspace.externalId)
          return same === undefined ? create(workspace) : Effect.succeed(same)
        })
    })
  },
  "lists workspaces in pages, in the order of their ids": {
    "lists workspaces in the order in which they came": (_, { accounts }) => ({
      accounts: ({ after, limit }) =>
        Effect.sync(() =>
          [...accounts.values()]
            .filter(({ workspace }) => after === null || workspace.id > after)
            .slice(0, limit)
        )
    }),
    "begins a page with the last workspace of the one before": ({ accounts }, tables) => ({
      accounts: (page) =>
        Effect.map(accounts(page), (rest) => {
          const last = page.after === null ? undefined : tables.accounts.get(page.after)
          return last === undefined ? rest : [last, ...rest].slice(0, page.limit)
        })
    }),
    "lists one workspace more than are wanted": ({ accounts }) => ({
      accounts: ({ after, limit }) => accounts({ after, limit: limit + 1 })
    })
  },
  "changes a workspace that is as its writer saw it": {
    "writes a change over one that it did not see": (_, tables) => ({
      replace: (next) => Effect.as(overwrite(tables, next), true)
    }),
    "forgets the days that a workspace keeps its jobs": ({ replace }) => ({
      replace: (next) => replace({ ...next, jobDays: null })
    }),
    "refuses a change that comes again": ({ replace }, { accounts }) => ({
      replace: (next) =>
        Effect.suspend(() =>
          accounts.get(next.id)?.workspace.revision === next.revision
            ? Effect.succeed(false)
            : replace(next)
        )
    }),
    "takes what a workspace has when it changes": ({ replace }, { accounts }) => ({
      replace: (next) =>
        Effect.tap(replace(next), (isWritten) =>
          Effect.sync(() => {
            if (isWritten) accounts.set(next.id, { workspace: next, balanceMillis: 0 })
          })
        )
    })
  },
  "lets one of many that change a workspace at once win": {
    "looks at a workspace, and lets others change it before it does": (_, tables) => ({
      replace: (next) =>
        Effect.gen(function* () {
          const seen = tables.accounts.get(next.id)?.workspace.revision
          yield* Effect.yieldNow
          if (seen !== next.revision - 1) return false
          yield* overwrite(tables, next)
          return true
        })
    })
  },
  "frees the external id that a workspace gives up": {
    "keeps an external id for the first that had it": ({ create }) => {
      const owners = new Map<string, Workspace>()
      return {
        create: (workspace) =>
          Effect.suspend(() => {
            const owner = owners.get(workspace.externalId ?? workspace.id) ?? workspace
            owners.set(workspace.externalId ?? workspace.id, owner)
            return owner.id === workspace.id ? create(workspace) : Effect.succeed(owner)
          })
      }
    },
    "gives whoever asks again the workspace that has the external id since": (
      { create },
      tables
    ) => ({
      create: (workspace) =>
        Effect.suspend(() => {
          const { externalId } = workspace
          const same = externalId === null ? undefined : withExternalId(tables, externalId)
          return same === undefined ? create(workspace) : Effect.succeed(same)
        })
    })
  }
})
