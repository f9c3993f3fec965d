/** What a host does with workspaces. */
import { Workspaces } from "@verbatim/core/services"
import { Effect } from "effect"
import type { Owner } from "../view/Job.ts"
import { judgingAll } from "./Arguments.ts"
import { workspaceCalls } from "./Calls.ts"
import type { Run } from "./Host.ts"
import { type LedgerPage, type LedgerWanted, ledgerOf } from "./Ledger.ts"
import {
  type Owners,
  type UsageRow,
  type UsageWanted,
  usageOf,
  type WorkspaceReference
} from "./Workspaces.ts"

/** A credit. */
export interface Credit {
  /** May be negative. */
  readonly minutes: number
  /** A UUID: the same one counts once. Without it each call is a credit of its own. */
  readonly creditId?: string
}

/** Workspaces of a host. */
export interface WorkspaceMethods {
  /** The workspace of that name, made where there is none, once for all who ask. */
  readonly ensure: (name: string) => Promise<Owner>
  /** Names and terms that it expects in each recording, after those of a request. */
  readonly keywords: (workspace: WorkspaceReference) => Promise<ReadonlyArray<string>>
  /** Gives it these keywords instead of those that it has; resolves with them, each once. */
  readonly setKeywords: (
    workspace: WorkspaceReference,
    keywords: ReadonlyArray<string>
  ) => Promise<ReadonlyArray<string>>
  /** What it has left, in whole milliseconds of audio. */
  readonly balance: (workspace: WorkspaceReference) => Promise<number>
  /** Adds minutes; resolves with what is left. */
  readonly credit: (workspace: WorkspaceReference, credit: Credit) => Promise<number>
  /** What was charged and credited within a time, of a year at most. */
  readonly usage: (
    workspace: WorkspaceReference,
    wanted: UsageWanted
  ) => Promise<ReadonlyArray<UsageRow>>
  /** Each charge and each credit, the newest first, page by page. */
  readonly ledger: (workspace: WorkspaceReference, wanted?: LedgerWanted) => Promise<LedgerPage>
  /** Deletes it with what it has, in steps. Its ledger stays. */
  readonly remove: (workspace: WorkspaceReference) => Promise<void>
}

/** Makes the methods. */
export const makeWorkspaces = ({
  owners,
  run
}: {
  readonly owners: Owners
  readonly run: Run
}): WorkspaceMethods =>
  judgingAll<WorkspaceMethods>(workspaceCalls, {
    ensure: (name) => run(Effect.map(owners.find({ workspace: name }), ({ owner }) => owner)),
    keywords: (workspace) =>
      run(
        Effect.gen(function* () {
          const { principal } = yield* owners.find({ workspace })
          const account = yield* (yield* Workspaces).account(principal.workspaceId)
          return account.workspace.keywords
        })
      ),
    setKeywords: (workspace, keywords) =>
      run(
        Effect.gen(function* () {
          const { principal } = yield* owners.find({ workspace })
          const change = { keywords: [...new Set(keywords)] }
          return (yield* (yield* Workspaces).change(principal.workspaceId, change)).keywords
        })
      ),
    balance: (workspace) =>
      run(
        Effect.gen(function* () {
          const { principal } = yield* owners.find({ workspace })
          return yield* (yield* Workspaces).balance(principal.workspaceId)
        })
      ),
    credit: (workspace, credit) =>
      run(
        Effect.gen(function* () {
          const { creditId, minutes } = credit
          const { principal } = yield* owners.find({ workspace })
          return yield* (yield* Workspaces).credit(principal.workspaceId, { creditId, minutes })
        })
      ),
    usage: (workspace, wanted) =>
      run(
        Effect.flatMap(owners.find({ workspace }), ({ principal }) => usageOf(principal, wanted))
      ),
    ledger: (workspace, wanted) =>
      run(
        Effect.flatMap(owners.find({ workspace }), ({ principal }) => ledgerOf(principal, wanted))
      ),
    remove: (workspace) =>
      run(
        Effect.gen(function* () {
          const { principal } = yield* owners.find({ workspace })
          yield* (yield* Workspaces).remove(principal.workspaceId)
          yield* owners.forget(principal.workspaceId)
        })
      )
  })
