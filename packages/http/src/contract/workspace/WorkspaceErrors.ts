/**
 * The errors of the operations on workspaces and keys: they have the form of the preset errors, and
 * meanings of their own.
 */
import { exampleUser, type Meaning, makeErrorSchemas, presetMeanings } from "../ErrorBody.ts"

/** What every operation that takes a key may answer. */
export const busy: Meaning = {
  meaning:
    "Too many requests of the key are under way, or as many came in a second as it or its " +
    "workspace may send; `Retry-After` says in how many seconds to come again.",
  messages: ["Too many requests at the same time", "Too many requests in a second"]
}

/** The errors that mean the same for operators and for those who manage their own keys. */
const makeShared = (makeError: ReturnType<typeof makeErrorSchemas>, brokenRule: string) =>
  ({
    400: makeError(400, {
      meaning: presetMeanings[400].meaning,
      messages: [`Invalid request parameters: ${brokenRule}`]
    }),
    401: makeError(401, presetMeanings[401]),
    429: makeError(429, busy),
    500: makeError(500, presetMeanings[500])
  }) as const

const keysFull = "The workspace has 1000 keys already"

/** Operators are users of no workspace. */
const makeWorkspaceError = makeErrorSchemas({ name: "WorkspaceError", userId: null })

/** The schemas of the errors of operators' operations, by status. */
export const WorkspaceErrors = {
  ...makeShared(makeWorkspaceError, "name: must not be empty"),
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
  })
} as const

/** The errors of what changes a workspace or its keys, besides those of every operation. */
export const changeErrors = [
  WorkspaceErrors[400],
  WorkspaceErrors[404],
  WorkspaceErrors[409],
  WorkspaceErrors[429]
] as const

const makeKeyError = makeErrorSchemas({ name: "KeyError", userId: exampleUser })

/** The schemas of the errors of the operations on the keys of one's own workspace, by status. */
export const KeyErrors = {
  ...makeShared(makeKeyError, "expires_at: must be in the future"),
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
  })
} as const
