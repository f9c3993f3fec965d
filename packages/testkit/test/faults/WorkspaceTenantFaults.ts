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
    "lists one workspace more than are wanted": ({ accounts }) => ({
      accounts: ({ after, limit }) => accounts({ after, limit: limit + 1 })
    })
  },
  "changes a workspace that is as its writer saw it": {
    "writes a change over one that it did not see": (_, tables) => ({
      replace: (next) => Effect.as(overwrite(tables, next), true)
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
    }
  }
})
