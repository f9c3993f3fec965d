/**
 * The promises of a `WorkspaceStore` about webhook secrets: each belongs to one workspace.
 */

import { WorkspaceStore } from "@verbatim/core/ports"
import type { WebhookSecret, WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Redacted } from "effect"
import { upTo, webhookSecretId, workspaceId } from "../../../samples/Ids.ts"
import { later, webhookSecret } from "../../../samples/SampleWorkspace.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
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
export const secrets: ReadonlyArray<Case<WorkspaceStore>> = workspaceCases(WorkspaceStore, {
  *"keeps webhook secrets as they are, oldest first"(store) {
    yield* secretsOf(own).pipe(Expect.gives("at first there are none", []))
    yield* Expect.that(
      "they are added",
      yield* Effect.forEach([3, 1, 2], (number) => store.addWebhookSecret(webhookSecret(number)))
    ).is([true, true, true])
    yield* Expect.that("they stand in the order of their instants", yield* secretsOf(own)).is(
      [1, 2, 3].map((number) => open(webhookSecret(number)))
    )
  },
  *"gives the secrets of a workspace to no other"(store) {
    yield* store.addWebhookSecret(webhookSecret(1))
    yield* secretsOf(other).pipe(Expect.gives("another workspace has none", []))
    yield* Expect.that(
      "another workspace cannot remove it",
      yield* store.removeWebhookSecret(other, webhookSecretId(1))
    ).is(false)
    yield* secretsOf(own).pipe(Expect.gives("it stays", [open(webhookSecret(1))]))
  },
  *"adds no webhook secret to a workspace that does not exist"(store) {
    yield* Expect.that(
      "it is refused",
      yield* store.addWebhookSecret({ ...webhookSecret(1), workspaceId: other })
    ).is(false)
    yield* Expect.that("nothing was written", [yield* secretsOf(own), yield* secretsOf(other)]).is([
      [],
      []
    ])
  },
  *"adds a webhook secret once for its id, and leaves the first as it is"(store) {
    const again = { ...webhookSecret(2), id: webhookSecretId(1), createdAt: later(9) }
    yield* Expect.that("a repeat is no failure", [
      yield* store.addWebhookSecret(webhookSecret(1)),
      yield* store.addWebhookSecret(webhookSecret(1)),
      yield* store.addWebhookSecret(again)
    ]).is([true, true, true])
    yield* secretsOf(own).pipe(Expect.gives("one counts", [open(webhookSecret(1))]))
  },
  *"removes one webhook secret and leaves the others"(store) {
    yield* atOnce(upTo(8), (number) => store.addWebhookSecret(webhookSecret(number)))
    const outcomes = yield* atOnce(upTo(4), () =>
      store.removeWebhookSecret(own, webhookSecretId(3))
    )
    yield* Expect.that(
      "one of many removals at once has removed it",
      outcomes.filter((isRemoved) => isRemoved).length
    ).is(1)
    yield* Expect.that(
      "the others are there",
      (yield* secretsOf(own)).map(({ id }) => id)
    ).is([1, 2, 4, 5, 6, 7, 8].map(webhookSecretId))
  }
})
