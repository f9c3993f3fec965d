/**
 * What the operations on workspaces and keys answer, as schemas.
 */
import { Schema } from "effect"
import * as examples from "./WorkspaceExamples.ts"
import { AccountView, BalanceView, KeyView, WorkspaceView } from "./WorkspaceViews.ts"

/** One workspace. */
export const WorkspaceAnswer = Schema.Struct({
  data: WorkspaceView.annotate({ identifier: "Workspace" })
}).annotate({
  identifier: "WorkspaceAnswer",
  description: "The workspace.",
  examples: [{ data: examples.workspace }]
})

const Account = AccountView.annotate({ identifier: "Account" })

const account = { ...examples.workspace, ...examples.balance }

/** One workspace with what it has left. */
export const AccountAnswer = Schema.Struct({ data: Account }).annotate({
  identifier: "AccountAnswer",
  description: "The workspace with what it has left.",
  examples: [{ data: account }]
})

/** A page of workspaces. */
export const AccountPage = Schema.Struct({
  data: Schema.Array(Account),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The `cursor` of the next page; null on the last one."
  })
}).annotate({
  identifier: "AccountPage",
  description: "The workspaces of the page.",
  examples: [{ data: [account], next_cursor: null }]
})

/** What a workspace has after a credit. */
export const BalanceAnswer = Schema.Struct({ data: BalanceView }).annotate({
  identifier: "BalanceAnswer",
  description: "What the workspace has now.",
  examples: [{ data: examples.balance }]
})

const Key = KeyView.annotate({ identifier: "Key" })

/** All keys of a workspace. */
export const KeyPage = Schema.Struct({
  data: Schema.Array(Key),
  next_cursor: Schema.Null.annotate({ description: "Null: all keys are on one page." })
}).annotate({
  identifier: "KeyPage",
  description: "The keys, revoked ones too.",
  examples: [{ data: [examples.key], next_cursor: null }]
})

/** A new key with its token. */
export const IssuedKeyAnswer = Schema.Struct({
  data: Schema.Struct({
    ...KeyView.fields,
    token: Schema.String.annotate({
      description:
        "What is sent as `Authorization: Bearer <token>`. It is told here and never again."
    })
  }).annotate({ identifier: "IssuedKey" })
}).annotate({
  identifier: "IssuedKeyAnswer",
  description: "The new key with its token.",
  examples: [{ data: { ...examples.key, token: examples.token } }]
})
