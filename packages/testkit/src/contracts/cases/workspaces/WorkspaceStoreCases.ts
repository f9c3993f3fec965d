/**
 * The promises of a `WorkspaceStore`, those about founding first.
 */

import { WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { apiKeyId, keyHash, upTo, workspaceId } from "../../../samples/Ids.ts"
import { awkwardTexts } from "../../../samples/SampleText.ts"
import {
  allAccounts,
  apiKey,
  credit,
  foundingMillis,
  foundWorkspace,
  workspace
} from "../../../samples/SampleWorkspace.ts"
import { readLedger } from "../../../samples/Stored.ts"
import { atOnce, type Case, type Contract, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { keys } from "./WorkspaceStoreKeys.ts"
import { ledgers } from "./WorkspaceStoreLedgers.ts"
import { secrets } from "./WorkspaceStoreSecrets.ts"
import { tenants } from "./WorkspaceStoreTenants.ts"

const foundings: ReadonlyArray<Case<WorkspaceStore>> = workspaceCases(WorkspaceStore, {
  *"begins empty"(store) {
    yield* allAccounts.pipe(Expect.gives("there are no accounts", []))
    yield* store.keys(workspaceId(1)).pipe(Expect.gives("there are no keys", []))
    yield* Expect.that("there is no first workspace", yield* store.account(workspaceId(1))).is(
      Option.none()
    )
  },
  *"founds the first workspace with its keys and its credit"(store) {
    const keys = [apiKey(1), { ...apiKey(2), kind: "inference" as const }]
    const isFounded = yield* store.found({
      workspace: workspace(1),
      keys,
      credit: credit(1, foundingMillis)
    })
    yield* Expect.holds("it says so", isFounded)
    const account = { workspace: workspace(1), balanceMillis: foundingMillis }
    yield* Expect.that("the account is there", yield* store.account(workspaceId(1))).is(
      Option.some(account)
    )
    yield* allAccounts.pipe(Expect.gives("it is the only one", [account]))
    yield* store.keys(workspaceId(1)).pipe(Expect.gives("its keys are there", keys))
    yield* Expect.that(
      "the credit is in the ledger",
      (yield* readLedger(store, workspaceId(1))).map(({ millis }) => millis)
    ).is([foundingMillis])
  },
  *"founds nothing when there is a workspace, and writes nothing"(store) {
    const look = Effect.all([
      allAccounts,
      Effect.forEach([1, 2], (number) => store.keys(workspaceId(number)))
    ])
    const before = yield* look
    yield* foundWorkspace(2).pipe(Expect.gives("another one is refused", false))
    yield* foundWorkspace(1).pipe(Expect.gives("the same one is there already", true))
    yield* Expect.that("accounts and keys are as they were", yield* look).is(before)
    yield* store.findKey(keyHash(2)).pipe(Expect.gives("the key is unknown", Option.none()))
    yield* readLedger(store, workspaceId(2)).pipe(Expect.gives("the credit is in no ledger", []))
  },
  *"lets one of many that found at once win, with its own keys and credit"(store) {
    const outcomes = yield* atOnce(upTo(8), foundWorkspace)
    yield* Expect.that("one has won", outcomes.filter((isFounded) => isFounded).length).is(1)
    const winner = outcomes.indexOf(true) + 1
    yield* Expect.that(
      "the account is the winner's",
      (yield* allAccounts).map(({ balanceMillis, workspace }) => [workspace.id, balanceMillis])
    ).is([[workspaceId(winner), foundingMillis]])
    yield* Expect.that(
      "the key is the winner's",
      (yield* store.keys(workspaceId(winner))).map(({ id }) => id)
    ).is([apiKeyId(winner)])
  },
  *"keeps every text of a workspace and a key as it is"(store) {
    const name = awkwardTexts.join("")
    yield* store.found({
      workspace: { ...workspace(1), name },
      keys: [{ ...apiKey(1), hint: name }],
      credit: credit(1, 1)
    })
    yield* Expect.that(
      "the name is the one given",
      (yield* allAccounts).map((each) => each.workspace.name)
    ).is([name])
    yield* Expect.that(
      "the hint is the one given",
      (yield* store.keys(workspaceId(1))).map(({ hint }) => hint)
    ).is([name])
  }
})

/** All of them. */
export const contract: Contract<WorkspaceStore> = {
  port: "WorkspaceStore",
  cases: [...foundings, ...tenants, ...keys, ...secrets, ...ledgers]
}
