/**
 * The promises of a `WorkspaceStore` about workspaces: made once, changed one after the other.
 */

import { WorkspaceStore } from "@verbatim/core/ports"
import type { Workspace } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import { upTo, workspaceId } from "../../../samples/Ids.ts"
import { awkwardTexts } from "../../../samples/SampleText.ts"
import { allAccounts, foundingMillis, workspace } from "../../../samples/SampleWorkspace.ts"
import { readLedger } from "../../../samples/Stored.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** A workspace that a host has a name for. */
const named = (number: number, externalId: string): Workspace => ({
  ...workspace(number),
  externalId
})

const stored = (number: number) =>
  Effect.flatMap(WorkspaceStore, (store) =>
    Effect.map(store.account(workspaceId(number)), (found) =>
      Option.getOrNull(Option.map(found, (account) => account.workspace))
    )
  )

/** How workspaces come, and how they change. */
export const tenants: ReadonlyArray<Case<WorkspaceStore>> = workspaceCases(WorkspaceStore, {
  *"makes another workspace, which has nothing"(store) {
    yield* store.create(workspace(2)).pipe(Expect.gives("it is told", workspace(2)))
    yield* Expect.that(
      "both are there",
      (yield* allAccounts).map(({ balanceMillis, workspace }) => [workspace.id, balanceMillis])
    ).is([
      [workspaceId(1), foundingMillis],
      [workspaceId(2), 0]
    ])
    yield* Expect.that("its ledger and its keys are empty", [
      yield* readLedger(store, workspaceId(2)),
      yield* store.keys(workspaceId(2))
    ]).is([[], []])
  },
  *"makes a workspace once for its id"(store) {
    yield* store.create(workspace(2))
    yield* store
      .create({ ...workspace(2), name: "again" })
      .pipe(Expect.gives("a repeat gets the first", workspace(2)))
  },
  *"gives all who ask for one external id at once the same workspace"(store) {
    const externalId = awkwardTexts.join("")
    const given = yield* atOnce(upTo(8), (number) => store.create(named(10 + number, externalId)))
    const ids = (yield* allAccounts).map((account) => account.workspace.id)
    yield* Expect.that("there is one more", ids.length).is(2)
    yield* Expect.that(
      "which all were given",
      given.map(({ id }) => id)
    ).is(given.map(() => ids.at(-1) ?? workspaceId(1)))
  },
  *"makes many workspaces without an external id"(store) {
    yield* atOnce(upTo(8), (number) => store.create(workspace(number)))
    yield* Expect.that(
      "all are there",
      (yield* allAccounts).map((account) => account.workspace)
    ).is(upTo(8).map(workspace))
  },
  *"lists workspaces in pages, in the order of their ids"(store) {
    yield* Effect.forEach([5, 2, 4, 1, 3], (number) => store.create(workspace(number)))
    const page = (after: number | null) =>
      Effect.map(
        store.accounts({ after: after === null ? null : workspaceId(after), limit: 2 }),
        (accounts) => accounts.map((account) => account.workspace.id)
      )
    yield* Expect.that("each page begins behind the one before", [
      yield* page(null),
      yield* page(2),
      yield* page(4),
      yield* page(5)
    ]).is([[1, 2].map(workspaceId), [3, 4].map(workspaceId), [workspaceId(5)], []])
  },
  *"lists the workspaces whose deletion has begun, and no others"(store) {
    yield* Effect.forEach(upTo(5), (number) => store.create(workspace(number)))
    const standing = { 2: "Deleting", 3: "Disabled", 4: "Deleting", 5: "Deleting" } as const
    for (const [number, _tag] of Object.entries(standing)) {
      yield* store.replace({ ...workspace(Number(number)), _tag, revision: 2 })
    }
    yield* store.replace({ ...workspace(5), _tag: "Deleted", revision: 3 })
    const page = (after: number | null) =>
      Effect.map(
        store.deleting({ after: after === null ? null : workspaceId(after), limit: 1 }),
        (found) => found.map(({ id }) => id)
      )
    yield* Expect.that("page by page", [yield* page(null), yield* page(2), yield* page(4)]).is([
      [workspaceId(2)],
      [workspaceId(4)],
      []
    ])
  },
  *"changes a workspace that is as its writer saw it"(store) {
    const limits = { unfinishedJobs: 1, minutesPerDay: 2, transcriptDays: 3, jobDays: 36_500 }
    const given = { ...limits, keywords: awkwardTexts }
    const next = { ...workspace(1), ...given, revision: 2, name: awkwardTexts.join(" ") }
    yield* Expect.that("also when it comes again", [
      yield* store.replace(next),
      yield* store.replace(next)
    ]).is([true, true])
    yield* stored(1).pipe(Expect.gives("it is changed", next))
    const late = { ...workspace(1), revision: 2, name: "late" }
    yield* store.replace(late).pipe(Expect.gives("a writer who saw the first is late", false))
    yield* stored(1).pipe(Expect.gives("it is as it was", next))
    yield* store
      .replace({ ...workspace(2), revision: 2 })
      .pipe(Expect.gives("an unknown one is told", false))
    yield* Expect.that(
      "the balance is untouched",
      (yield* allAccounts).map(({ balanceMillis }) => balanceMillis)
    ).is([foundingMillis])
  },
  *"lets one of many that change a workspace at once win"(store) {
    const outcomes = yield* atOnce(upTo(8), (number) =>
      store.replace({ ...workspace(1), revision: 2, name: `writer ${number}` })
    )
    yield* Expect.that("one has won", outcomes.filter((isWritten) => isWritten).length).is(1)
    yield* Expect.that("and it is the winner's", (yield* stored(1))?.name).is(
      `writer ${outcomes.indexOf(true) + 1}`
    )
  },
  *"frees the external id that a workspace gives up"(store) {
    yield* store.create(named(2, "customer"))
    const deleting = { ...workspace(2), _tag: "Deleting" as const, revision: 2 }
    yield* store.replace(deleting).pipe(Expect.gives("it is given up", true))
    yield* store
      .create(named(3, "customer"))
      .pipe(Expect.gives("another one has it", named(3, "customer")))
    yield* stored(2).pipe(Expect.gives("the first is there still", deleting))
    yield* store
      .create(named(2, "customer"))
      .pipe(Expect.gives("and whoever made it is given it, not the other", deleting))
  }
})
