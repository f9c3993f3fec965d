/** Contract cases for `WorkspaceStore`: the first workspace, credits and webhook secrets. */

import type { LedgerLine } from "@verbatim/core/job"
import { WorkspaceStore } from "@verbatim/core/ports"
import type { WebhookSecret, WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option, Redacted } from "effect"
import {
  allAccounts,
  apiKey,
  apiKeyId,
  balances,
  credit,
  creditId,
  foundFirst,
  foundingMillis,
  foundWorkspace,
  instant,
  keyHash,
  later,
  readLedger,
  upTo,
  webhookSecret,
  webhookSecretId,
  workspace,
  workspaceId
} from "../../samples/index.ts"
import { atOnce, type Cases, type Contract, listCases, workspaceCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"
import { keys, tenants } from "./WorkspaceStoreKeys.ts"

const foundings: Cases<WorkspaceStore> = listCases(WorkspaceStore, {
  *"creates the first workspace with its keys and credit"(store) {
    yield* allAccounts.pipe(Expect.gives("there are no accounts at first", []))
    yield* store.account(workspaceId(1)).pipe(Expect.gives("there is no workspace", Option.none()))
    const keys = [apiKey(1), { ...apiKey(2), kind: "inference" as const }]
    const isFounded = yield* store.found({
      workspace: workspace(1),
      keys,
      credit: credit(1, foundingMillis)
    })
    yield* Expect.holds("the store reports the creation", isFounded)
    const account = { workspace: workspace(1), balanceMillis: foundingMillis }
    yield* Expect.that("the account is there", yield* store.account(workspaceId(1))).is(
      Option.some(account)
    )
    yield* allAccounts.pipe(Expect.gives("the workspace is the only one", [account]))
    yield* store.keys(workspaceId(1)).pipe(Expect.gives("the workspace's keys exist", keys))
    yield* Expect.that(
      "the credit is in the ledger",
      (yield* readLedger(store, workspaceId(1))).map(({ millis }) => millis)
    ).is([foundingMillis])
  },
  *"refuses to create a first workspace when one exists, and writes nothing"(store) {
    yield* foundFirst
    const look = Effect.all([
      allAccounts,
      Effect.forEach([1, 2], (number) => store.keys(workspaceId(number)))
    ])
    const before = yield* look
    yield* foundWorkspace(2).pipe(Expect.gives("another first workspace is refused", false))
    yield* foundWorkspace(1).pipe(Expect.gives("a repeat succeeds", true))
    yield* Expect.that("accounts and keys are unchanged", yield* look).is(before)
    yield* store.findKey(keyHash(2)).pipe(Expect.gives("the key is unknown", Option.none()))
    yield* readLedger(store, workspaceId(2)).pipe(Expect.gives("the credit is in no ledger", []))
  },
  *"lets one of many concurrent calls create the first workspace, with that call's keys and credit"(
    store
  ) {
    const outcomes = yield* atOnce(upTo(8), foundWorkspace)
    const winner = yield* Expect.oneWins("one creation has won", outcomes)
    yield* Expect.that(
      "the account is the winner's",
      (yield* allAccounts).map(({ balanceMillis, workspace }) => [workspace.id, balanceMillis])
    ).is([[workspaceId(winner), foundingMillis]])
    yield* Expect.that(
      "the key is the winner's",
      (yield* store.keys(workspaceId(winner))).map(({ id }) => id)
    ).is([apiKeyId(winner)])
  }
})

const more = (millis: number) => ({
  balance: foundingMillis + millis,
  sum: foundingMillis + millis
})

const addSecond = WorkspaceStore.use((store) => store.create(workspace(2)))

/** The ledger line for a credit. */
const line = (number: number, millis: number, at = instant) => ({
  at,
  millis,
  reason: { _tag: "Credit" as const, creditId: creditId(number) }
})

/** Reads a ledger page by page, and adds a credit to each of two workspaces after every page. */
const readWhileBooking = Effect.fnUntraced(function* (
  limit: number,
  first: number
): Effect.fn.Return<ReadonlyArray<LedgerLine>, unknown, WorkspaceStore> {
  const store = yield* WorkspaceStore
  const pages: Array<ReadonlyArray<LedgerLine>> = []
  for (let before: number | null = null; ; ) {
    const page: ReadonlyArray<LedgerLine> = yield* store.ledger({
      workspaceId: workspaceId(1),
      before,
      limit
    })
    pages.push(page)
    const number = first + pages.length
    yield* store.credit(credit(number, 7))
    yield* store.credit({ ...credit(number, 9), workspaceId: workspaceId(2) })
    // A store that repeats lines would otherwise make this loop endless.
    if (page.length < limit || pages.length > 50) return pages.flat()
    before = page.at(-1)?.ordinal ?? null
  }
})

const ledgers: Cases<WorkspaceStore> = workspaceCases(WorkspaceStore, {
  *"adds a credit to the balance and the ledger, and returns the new balance"(store) {
    yield* Expect.that(
      "each answer is the balance after the credit",
      yield* Effect.forEach(
        [credit(2, 60_000), credit(3, -100), credit(4, -foundingMillis - 60_000)],
        store.credit
      )
    ).is([foundingMillis + 60_000, foundingMillis + 59_900, -100].map(Option.some))
    yield* Expect.that(
      "the ledger has a line for each, oldest first",
      (yield* readLedger(store, workspaceId(1))).map(({ millis }) => millis)
    ).is([foundingMillis, 60_000, -100, -foundingMillis - 60_000])
    yield* balances.pipe(
      Expect.gives("the ledger sums to the balance", { balance: -100, sum: -100 })
    )
  },
  *"lists the most recently booked ledger line first, regardless of the lines' timestamps"(store) {
    yield* addSecond
    yield* store.credit({ ...credit(2, 5), at: later(2_000) })
    yield* store.credit({ ...credit(2, 70), workspaceId: workspaceId(2) })
    yield* store.credit({ ...credit(3, -9), at: later(1_000) })
    const lines = (id: number, limit: number) =>
      Effect.map(store.ledger({ workspaceId: workspaceId(id), before: null, limit }), (all) =>
        all.map(({ ordinal: _, ...shown }) => shown)
      )
    const newest = [line(3, -9, later(1_000)), line(2, 5, later(2_000))]
    yield* lines(1, 2).pipe(Expect.gives("the newest two", newest))
    yield* lines(1, 4).pipe(
      Expect.gives("all of the workspace's lines", [...newest, line(1, foundingMillis)])
    )
    yield* lines(2, 4).pipe(Expect.gives("the other workspace's line", [line(2, 70)]))
  },
  *"returns each ledger line once, page by page, while credits are booked"(store) {
    yield* addSecond
    for (const number of upTo(7)) {
      yield* store.credit(credit(1 + number, number))
      yield* store.credit({ ...credit(1 + number, 100), workspaceId: workspaceId(2) })
    }
    for (const limit of [1, 2, 3, 100]) {
      const all = yield* store.ledger({ workspaceId: workspaceId(1), before: null, limit: 100 })
      yield* readWhileBooking(limit, limit * 1_000).pipe(
        Expect.gives(`all that was there, ${limit} at a time`, all)
      )
    }
  },
  *"books a credit once per id and workspace, however often the call is repeated"(store) {
    yield* addSecond
    const own = credit(2, 5)
    const other = { ...own, workspaceId: workspaceId(2), millis: 70 }
    yield* Expect.that(
      "each credit is booked once, in any order of retries",
      yield* Effect.forEach([own, other, own, other, own], store.credit)
    ).is(
      [5, 70, 5, 70, 5].map((millis) =>
        Option.some(millis === 70 ? millis : foundingMillis + millis)
      )
    )
    const founding = { ...credit(2, 7), id: creditId(1) }
    yield* Expect.that(
      "a repeat of the founding credit changes nothing",
      yield* store.credit(founding)
    ).is(Option.some(foundingMillis + 5))
    const both = upTo(16).map((number) => ({
      ...(number % 2 === 0 ? own : other),
      id: creditId(3)
    }))
    yield* atOnce(both, store.credit)
    yield* balances.pipe(
      Expect.gives("one of many concurrent credits with the same id counts", more(10))
    )
    yield* Expect.that(
      "one credit to the other workspace counts",
      (yield* readLedger(store, workspaceId(2))).map(({ millis }) => millis)
    ).is([70, 70])
  },
  *"refuses a credit for an unknown workspace, and leaves the credit's id unused"(store) {
    const stray = { ...credit(2, 5), workspaceId: workspaceId(2) }
    yield* store.credit(stray).pipe(Expect.gives("there is no balance", Option.none()))
    yield* readLedger(store, workspaceId(2)).pipe(Expect.gives("there is no ledger", []))
    yield* Expect.that("the refused credit's id is unused", yield* store.credit(credit(2, 5))).is(
      Option.some(foundingMillis + 5)
    )
  },
  *"books every one of many concurrent credits"(store) {
    yield* atOnce(upTo(64), (number) => store.credit(credit(100 + number, number)))
    yield* balances.pipe(Expect.gives("all credits are booked", more((64 * 65) / 2)))
  },
  *"keeps large balances exact"(store) {
    // An odd number that is too large for 32 bits and for single precision.
    const millis = 4_503_599_627_370_495
    yield* Expect.that("the balance is exact", yield* store.credit(credit(2, millis))).is(
      Option.some(foundingMillis + millis)
    )
    yield* balances.pipe(Expect.gives("the sum is exact", more(millis)))
  }
})

const own = workspaceId(1)
const other = workspaceId(2)

/** A comparison would ignore the values of redacted secrets. */
const open = ({ secret, ...rest }: WebhookSecret) => ({ ...rest, text: Redacted.value(secret) })

const secretsOf = (id: WorkspaceId) =>
  WorkspaceStore.use((store) =>
    Effect.map(store.webhookSecrets(id), (secrets) => secrets.map(open))
  )

const secrets: Cases<WorkspaceStore> = workspaceCases(WorkspaceStore, {
  *"lists webhook secrets unchanged, oldest first"(store) {
    yield* secretsOf(own).pipe(Expect.gives("at first there are none", []))
    const added = Effect.forEach([3, 1, 2], (number) =>
      store.addWebhookSecret(webhookSecret(number))
    )
    yield* added.pipe(Expect.gives("the secrets are added", [true, true, true]))
    yield* Expect.that("the secrets are ordered by their timestamps", yield* secretsOf(own)).is(
      [1, 2, 3].map((number) => open(webhookSecret(number)))
    )
  },
  *"hides a workspace's secrets from other workspaces"(store) {
    yield* store.addWebhookSecret(webhookSecret(1))
    yield* secretsOf(other).pipe(Expect.gives("another workspace has no secrets", []))
    yield* store
      .removeWebhookSecret(other, webhookSecretId(1))
      .pipe(Expect.gives("another workspace cannot remove the secret", false))
    yield* secretsOf(own).pipe(Expect.gives("the secret stays", [open(webhookSecret(1))]))
  },
  *"refuses a webhook secret for an unknown workspace"(store) {
    yield* store
      .addWebhookSecret({ ...webhookSecret(1), workspaceId: other })
      .pipe(Expect.gives("the secret is refused", false))
    yield* Expect.that("nothing was written", [yield* secretsOf(own), yield* secretsOf(other)]).is([
      [],
      []
    ])
  },
  *"adds only the first of several webhook secrets with the same id"(store) {
    const again = { ...webhookSecret(2), id: webhookSecretId(1), createdAt: later(9) }
    yield* Expect.that("a repeat succeeds", [
      yield* store.addWebhookSecret(webhookSecret(1)),
      yield* store.addWebhookSecret(webhookSecret(1)),
      yield* store.addWebhookSecret(again)
    ]).is([true, true, true])
    yield* secretsOf(own).pipe(
      Expect.gives("only the first secret counts", [open(webhookSecret(1))])
    )
  },
  *"removes one webhook secret and leaves the others"(store) {
    yield* atOnce(upTo(8), (number) => store.addWebhookSecret(webhookSecret(number)))
    const outcomes = yield* atOnce(upTo(4), () =>
      store.removeWebhookSecret(own, webhookSecretId(3))
    )
    yield* Expect.oneWins("one of many concurrent removals reports the removal", outcomes)
    yield* Expect.that(
      "the other secrets remain",
      (yield* secretsOf(own)).map(({ id }) => id)
    ).is([1, 2, 4, 5, 6, 7, 8].map(webhookSecretId))
  }
})

export const contract: Contract<WorkspaceStore> = {
  port: "WorkspaceStore",
  cases: [...foundings, ...tenants, ...keys, ...secrets, ...ledgers]
}
