/**
 * The promises of a `WorkspaceStore` about webhook secrets: each belongs to one workspace.
 */

import { WorkspaceStore } from "@verbatim/core/ports"
import type { WebhookSecret, WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Redacted } from "effect"
import { upTo, webhookSecretId, workspaceId } from "../../../samples/Ids.ts"
import { later, webhookSecret, withWorkspace } from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const own = workspaceId(1)
const other = workspaceId(2)

/** With the text, because comparing wrapped values ignores it. */
const open = ({ secret, ...rest }: WebhookSecret) => ({ ...rest, text: Redacted.value(secret) })

const secretsOf = (id: WorkspaceId) =>
  Effect.flatMap(WorkspaceStore, (store) =>
    Effect.map(store.webhookSecrets(id), (secrets) => secrets.map(open))
  )

/** What workspaces sign with. */
export const secrets: ReadonlyArray<Case<WorkspaceStore>> = [
  {
    title: "keeps webhook secrets as they are, oldest first",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* secretsOf(own).pipe(Expect.gives("at first there are none", []))
      yield* Expect.that("they are added", {
        actual: yield* Effect.forEach([3, 1, 2], (number) =>
          store.addWebhookSecret(webhookSecret(number))
        ),
        expected: [true, true, true]
      })
      yield* Expect.that("they stand in the order of their instants", {
        actual: yield* secretsOf(own),
        expected: [1, 2, 3].map((number) => open(webhookSecret(number)))
      })
    })
  },
  {
    title: "gives the secrets of a workspace to no other",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* store.addWebhookSecret(webhookSecret(1))
      yield* secretsOf(other).pipe(Expect.gives("another workspace has none", []))
      yield* Expect.that("another workspace cannot remove it", {
        actual: yield* store.removeWebhookSecret(other, webhookSecretId(1)),
        expected: false
      })
      yield* secretsOf(own).pipe(Expect.gives("it stays", [open(webhookSecret(1))]))
    })
  },
  {
    title: "adds no webhook secret to a workspace that does not exist",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* Expect.that("it is refused", {
        actual: yield* store.addWebhookSecret({ ...webhookSecret(1), workspaceId: other }),
        expected: false
      })
      yield* Expect.that("nothing was written", {
        actual: [yield* secretsOf(own), yield* secretsOf(other)],
        expected: [[], []]
      })
    })
  },
  {
    title: "adds a webhook secret once for its id, and leaves the first as it is",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      const again = { ...webhookSecret(2), id: webhookSecretId(1), createdAt: later(9) }
      yield* Expect.that("a repeat is no failure", {
        actual: [
          yield* store.addWebhookSecret(webhookSecret(1)),
          yield* store.addWebhookSecret(webhookSecret(1)),
          yield* store.addWebhookSecret(again)
        ],
        expected: [true, true, true]
      })
      yield* secretsOf(own).pipe(Expect.gives("one counts", [open(webhookSecret(1))]))
    })
  },
  {
    title: "removes one webhook secret and leaves the others",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* atOnce(upTo(8), (number) => store.addWebhookSecret(webhookSecret(number)))
      const outcomes = yield* atOnce(upTo(4), () =>
        store.removeWebhookSecret(own, webhookSecretId(3))
      )
      yield* Expect.that("one of many removals at once has removed it", {
        actual: outcomes.filter((isRemoved) => isRemoved).length,
        expected: 1
      })
      yield* Expect.that("the others are there", {
        actual: (yield* secretsOf(own)).map(({ id }) => id),
        expected: [1, 2, 4, 5, 6, 7, 8].map(webhookSecretId)
      })
    })
  }
]
