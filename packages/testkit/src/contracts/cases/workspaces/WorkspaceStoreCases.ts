/**
 * The promises of a `WorkspaceStore` about founding and keys.
 */

import { WorkspaceStore } from "@verbatim/core/ports"
import type { ApiKey } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import { apiKeyId, keyHash, upTo, workspaceId } from "../../../samples/Ids.ts"
import { awkwardTexts } from "../../../samples/SampleText.ts"
import {
  apiKey,
  credit,
  foundingMillis,
  foundWorkspace,
  later,
  withWorkspace,
  workspace
} from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case, type Contract } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { ledgers } from "./WorkspaceStoreLedgers.ts"
import { secrets } from "./WorkspaceStoreSecrets.ts"

const foundings: ReadonlyArray<Case<WorkspaceStore>> = [
  {
    title: "begins empty",
    effect: Effect.gen(function* () {
      const store = yield* WorkspaceStore
      yield* store.accounts.pipe(Expect.gives("there are no accounts", []))
      yield* store.keys.pipe(Expect.gives("there are no keys", []))
      yield* Expect.that("there is no first workspace", {
        actual: yield* store.account(workspaceId(1)),
        expected: Option.none()
      })
    })
  },
  {
    title: "founds the first workspace with its keys and its credit",
    effect: Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const keys = [apiKey(1), { ...apiKey(2), kind: "inference" as const }]
      const isFounded = yield* store.found({
        workspace: workspace(1),
        keys,
        credit: credit(1, foundingMillis)
      })
      yield* Expect.holds("it says so", isFounded)
      const account = { workspace: workspace(1), balanceMillis: foundingMillis }
      yield* Expect.that("the account is there", {
        actual: yield* store.account(workspaceId(1)),
        expected: Option.some(account)
      })
      yield* store.accounts.pipe(Expect.gives("it is the only one", [account]))
      yield* store.keys.pipe(Expect.gives("its keys are there", keys))
      yield* Expect.that("the credit is in the ledger", {
        actual: (yield* store.ledger(workspaceId(1))).map(({ millis }) => millis),
        expected: [foundingMillis]
      })
    })
  },
  {
    title: "founds nothing when there is a workspace, and writes nothing",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      const before = [yield* store.accounts, yield* store.keys]
      yield* foundWorkspace(2).pipe(Expect.gives("another one is refused", false))
      yield* foundWorkspace(1).pipe(Expect.gives("the same one is there already", true))
      yield* Expect.that("accounts and keys are as they were", {
        actual: [yield* store.accounts, yield* store.keys],
        expected: before
      })
      yield* store.findKey(keyHash(2)).pipe(Expect.gives("the key is unknown", Option.none()))
      yield* store.ledger(workspaceId(2)).pipe(Expect.gives("the credit is in no ledger", []))
    })
  },
  {
    title: "lets one of many that found at once win, with its own keys and credit",
    effect: Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const outcomes = yield* atOnce(upTo(8), foundWorkspace)
      yield* Expect.that("one has won", {
        actual: outcomes.filter((isFounded) => isFounded).length,
        expected: 1
      })
      const winner = outcomes.indexOf(true) + 1
      yield* Expect.that("the account is the winner's", {
        actual: (yield* store.accounts).map(({ balanceMillis, workspace }) => [
          workspace.id,
          balanceMillis
        ]),
        expected: [[workspaceId(winner), foundingMillis]]
      })
      yield* Expect.that("the key is the winner's", {
        actual: (yield* store.keys).map(({ id }) => id),
        expected: [apiKeyId(winner)]
      })
    })
  },
  {
    title: "keeps every text of a workspace and a key as it is",
    effect: Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const name = awkwardTexts.join("")
      yield* store.found({
        workspace: { ...workspace(1), name },
        keys: [{ ...apiKey(1), hint: name }],
        credit: credit(1, 1)
      })
      yield* Expect.that("the name is the one given", {
        actual: (yield* store.accounts).map((each) => each.workspace.name),
        expected: [name]
      })
      yield* Expect.that("the hint is the one given", {
        actual: (yield* store.keys).map(({ hint }) => hint),
        expected: [name]
      })
    })
  }
]

const keyOf = (number: number): Effect.Effect<ApiKey | null, unknown, WorkspaceStore> =>
  Effect.flatMap(WorkspaceStore, (store) =>
    Effect.map(store.findKey(keyHash(number)), Option.getOrNull)
  )

const keys: ReadonlyArray<Case<WorkspaceStore>> = [
  {
    title: "adds a key once, however often it comes",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      const key = apiKey(2)
      yield* Expect.that("each time it is there", {
        actual: yield* atOnce(upTo(8), () => store.addKey(key)),
        expected: upTo(8).map(() => true)
      })
      yield* store.revokeKey(key.id, later(9))
      yield* Expect.holds("also when it was revoked since", yield* store.addKey(key))
      yield* Expect.that("it is there once, and revoked", {
        actual: (yield* store.keys).map(({ id, revokedAt }) => [id, revokedAt]),
        expected: [
          [apiKeyId(1), null],
          [apiKeyId(2), later(9)]
        ]
      })
    })
  },
  {
    title: "finds a key by its hash",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      const added = { ...apiKey(2), kind: "inference" as const }
      yield* store.addKey(added).pipe(Expect.gives("it is added", true))
      yield* Expect.that("each hash has its own key, an unknown one has none", {
        actual: [yield* keyOf(1), yield* keyOf(2), yield* keyOf(3)],
        expected: [apiKey(1), added, null]
      })
    })
  },
  {
    title: "adds no key whose hash is there, and leaves the first as it is",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      const second = { ...apiKey(2), hash: keyHash(1) }
      yield* store.addKey(second).pipe(Expect.gives("it is refused", false))
      yield* keyOf(1).pipe(Expect.gives("the first is found", apiKey(1)))
      yield* store.revokeKey(apiKeyId(1), later(5))
      yield* store.addKey(second).pipe(Expect.gives("a revoked hash is refused as well", false))
      yield* keyOf(1).pipe(Expect.gives("and stays revoked", null))
    })
  },
  {
    title: "lets one of many that add one hash win",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      const outcomes = yield* atOnce(upTo(8), (number) =>
        store.addKey({ ...apiKey(10 + number), hash: keyHash(2) })
      )
      yield* Expect.that("one has won", {
        actual: outcomes.filter((isAdded) => isAdded).length,
        expected: 1
      })
      yield* Expect.that("the key is the winner's", {
        actual: (yield* keyOf(2))?.id,
        expected: apiKeyId(10 + outcomes.indexOf(true) + 1)
      })
    })
  },
  {
    title: "revokes a key for good, at the first instant",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* store.addKey(apiKey(2))
      yield* Expect.that("an unknown key is told", {
        actual: yield* store.revokeKey(apiKeyId(3), later(1)),
        expected: false
      })
      yield* Expect.that("a known one is revoked, twice without harm", {
        actual: [
          yield* store.revokeKey(apiKeyId(1), later(1)),
          yield* store.revokeKey(apiKeyId(1), later(2))
        ],
        expected: [true, true]
      })
      yield* Expect.that("it is no longer found, and the other one is", {
        actual: [yield* keyOf(1), yield* keyOf(2)],
        expected: [null, apiKey(2)]
      })
      yield* Expect.that("the list shows it with the first instant", {
        actual: yield* store.keys,
        expected: [{ ...apiKey(1), revokedAt: later(1) }, apiKey(2)]
      })
    })
  },
  {
    title: "lists all keys, oldest first",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* Effect.forEach([5, 3, 12, 4], (number) => store.addKey(apiKey(number)))
      yield* Expect.that("they stand in the order of their instants", {
        actual: yield* store.keys,
        expected: [1, 3, 4, 5, 12].map(apiKey)
      })
    })
  }
]

/** All of them. */
export const contract: Contract<WorkspaceStore> = {
  port: "WorkspaceStore",
  cases: [...foundings, ...keys, ...secrets, ...ledgers]
}
