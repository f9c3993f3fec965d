/** The errors of the operations on usage: they have the form of the preset errors. */
import { exampleUser, makeErrorSchemas } from "../ErrorBody.ts"
import { makeShared } from "../workspace/WorkspaceErrors.ts"

/** What an operator is told who names no workspace. */
export const ownLedgerMissing = "An operator key has no ledger of its own: name a workspace"

/** The schemas of the errors, by status. */
export const UsageErrors = makeErrorSchemas(
  { name: "UsageError", userId: exampleUser },
  {
    ...makeShared("to: must be after from"),
    403: {
      meaning: "The key lacks the scope, or its workspace is disabled.",
      messages: ["The key lacks the scope usage:read", "The workspace is disabled"]
    },
    404: {
      meaning:
        "There is no such workspace, or it is not that of the key; or an operator key asks for its " +
        "own ledger, which it has not.",
      messages: ["Workspace not found", ownLedgerMissing]
    }
  }
)
