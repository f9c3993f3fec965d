/**
 * The errors of the operations on workspaces and keys: they have the form of the preset errors, and
 * meanings of their own.
 */
import { exampleUser, type Meaning, makeErrorSchemas, presetMeanings } from "../ErrorBody.ts"

const malformed = presetMeanings[400].meaning

/** What every operation that takes a key may answer. */
export const busy: Meaning = {
  meaning:
    "Too many requests of the key are under way; `Retry-After` says in how many seconds to come " +
    "again.",
  messages: ["Too many requests at the same time"]
}

const keysFull = "The workspace has 1000 keys already"

/** Operators are users of no workspace. */
const makeWorkspaceError = makeErrorSchemas({ name: "WorkspaceError", userId: null })

/** The schemas of the errors of operators' operations, by status. */
export const WorkspaceErrors = {
  400: makeWorkspaceError(400, {
    meaning: malformed,
    messages: ["Invalid request parameters: name: must not be empty"]
  }),
  401: makeWorkspaceError(401, presetMeanings[401]),
  403: makeWorkspaceError(403, {
    meaning: "The key may not do this: it takes an operator key.",
    messages: ["Only operator keys can perform this operation"]
  }),
  404: makeWorkspaceError(404, {
    meaning: "There is no such workspace or key.",
    messages: ["Workspace not found", "Key not found"]
  }),
  409: makeWorkspaceError(409, {
    meaning:
      "Another workspace has the external id, somebody else changed the workspace at the same " +
      "time, or it has as many keys as it may.",
    messages: [
      "Another workspace has this external_id",
      "Resource conflict. Please try again later.",
      keysFull
    ]
  }),
  429: makeWorkspaceError(429, busy),
  500: makeWorkspaceError(500, presetMeanings[500])
} as const

const makeKeyError = makeErrorSchemas({ name: "KeyError", userId: exampleUser })

/** The schemas of the errors of the operations on the keys of one's own workspace, by status. */
export const KeyErrors = {
  400: makeKeyError(400, {
    meaning: malformed,
    messages: ["Invalid request parameters: expires_at: must be in the future"]
  }),
  401: makeKeyError(401, presetMeanings[401]),
  403: makeKeyError(403, {
    meaning:
      "The key may not do this: it takes a management key without a list of scopes; or the " +
      "workspace of the key is disabled.",
    messages: [
      "Only management keys can perform this operation",
      "A key with a list of scopes cannot manage keys",
      "The workspace is disabled"
    ]
  }),
  404: makeKeyError(404, {
    meaning: "The workspace has no such key, or is being deleted.",
    messages: ["Key not found", "Workspace not found"]
  }),
  409: makeKeyError(409, {
    meaning: "The workspace has as many keys as it may.",
    messages: [keysFull]
  }),
  429: makeKeyError(429, busy),
  500: makeKeyError(500, presetMeanings[500])
} as const
