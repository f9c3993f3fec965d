/** The errors of the operations on usage: they have the form of the preset errors. */
import { exampleUser, makeErrorSchemas, presetMeanings } from "../ErrorBody.ts"
import { busy } from "../workspace/WorkspaceErrors.ts"

/** What an operator is told who names no workspace. */
export const ownLedgerMissing = "An operator key has no ledger of its own: name a workspace"

const makeUsageError = makeErrorSchemas({ name: "UsageError", userId: exampleUser })

/** The schemas of the errors, by status. */
export const UsageErrors = {
  400: makeUsageError(400, {
    meaning: presetMeanings[400].meaning,
    messages: ["Invalid request parameters: to: must be after from"]
  }),
  401: makeUsageError(401, presetMeanings[401]),
  403: makeUsageError(403, {
    meaning: "The key lacks the scope, or its workspace is disabled.",
    messages: ["The key lacks the scope usage:read", "The workspace is disabled"]
  }),
  404: makeUsageError(404, {
    meaning:
      "There is no such workspace, or it is not that of the key; or an operator key asks for its " +
      "own ledger, which it has not.",
    messages: ["Workspace not found", ownLedgerMissing]
  }),
  429: makeUsageError(429, busy),
  500: makeUsageError(500, presetMeanings[500])
} as const
