/** Commands to the stores of workspaces and keys, chosen at random from few identities. */

import { OperatorKeyStore, type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { createWorkspace, type Workspace } from "@verbatim/core/workspace"
import {
  apiKey,
  apiKeyId,
  credit,
  foundWorkspace,
  instant,
  keyHash,
  later,
  operatorKey,
  readLedger,
  userId,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type Step, seconds, step, to } from "./Step.ts"

type Asked = Effect.Effect<unknown, unknown, Stores>

const workspaces = (ask: (store: WorkspaceStore["Service"]) => Asked): Asked =>
  Effect.flatMap(WorkspaceStore, ask)

const operators = (ask: (store: OperatorKeyStore["Service"]) => Asked): Asked =>
  Effect.flatMap(OperatorKeyStore, ask)

/** The first workspace, with its key. */
export const founding: Step = { shown: "found 1", run: () => foundWorkspace(1) }

const workspace = (number: number, externalId: string | null): Workspace =>
  createWorkspace({
    id: workspaceId(number),
    name: `workspace ${number}`,
    externalId,
    firstUserId: userId(number),
    createdAt: instant
  })

const externalIds = fc.constantFrom(null, "x", "X")
const tags = fc.constantFrom("Active", "Disabled", "Deleting")

const ofTenants = [
  step("found", to(2), foundWorkspace),
  step("create", fc.tuple(to(3), externalIds), ([n, externalId]) =>
    workspaces((store) => store.create(workspace(n, externalId)))
  ),
  step("replace", fc.tuple(to(3), to(4), tags), ([n, revision, _tag]) =>
    workspaces((store) => store.replace({ ...workspace(n, null), revision, _tag }))
  ),
  step("accounts", fc.tuple(to(4), fc.integer({ min: 0, max: 3 })), ([n, limit]) =>
    workspaces((store) => store.accounts({ after: n === 4 ? null : workspaceId(n), limit }))
  ),
  step("account", to(3), (n) => workspaces((store) => store.account(workspaceId(n)))),
  step("credit", fc.tuple(to(3), to(3)), ([id, n]) =>
    // An id names one credit, with one workspace and one amount.
    workspaces((store) =>
      store.credit({ ...credit(id * 10 + n, id * 1_000), workspaceId: workspaceId(n) })
    )
  ),
  step("ledger", fc.tuple(to(3), to(3)), ([n, limit]) =>
    workspaces((store) => readLedger(store, workspaceId(n), limit))
  )
]

/** Keys with and without an end, two of which have one hash. */
const keyOf = (number: number) => ({
  ...apiKey(number),
  hash: keyHash(Math.min(number, 3)),
  expiresAt: number % 2 === 0 ? later(20_000) : null,
  scopes: number === 3 ? ["presets:read"] : null
})

const ofKeys = [
  step("addKey", to(4), (n) => workspaces((store) => store.addKey(keyOf(n)))),
  step("findKey", to(3), (n) => workspaces((store) => store.findKey(keyHash(n)))),
  step("keys", to(2), (n) => workspaces((store) => store.keys(workspaceId(n)))),
  step("rotateKey", fc.tuple(to(3), to(4), seconds, to(2)), ([n, next, second, owner]) =>
    workspaces((store) =>
      store.rotateKey({
        id: apiKeyId(n),
        until: later(second * 1_000),
        successor: { ...keyOf(next), workspaceId: workspaceId(owner) }
      })
    )
  ),
  step("revokeKey", fc.tuple(to(3), seconds), ([n, at]) =>
    workspaces((store) => store.revokeKey(apiKeyId(n), later(at * 1_000)))
  ),
  step("forgetKeys", fc.tuple(to(2), seconds), ([n, before]) =>
    workspaces((store) => store.forgetKeys(workspaceId(n), later(before * 1_000)))
  ),
  step("noteUse", fc.tuple(to(3), seconds), ([n, at]) =>
    workspaces((store) => store.noteUse(apiKeyId(n), later(at * 1_000)))
  )
]

const ofOperators = [
  // Two of them have one hash.
  step("operator add", to(3), (n) =>
    operators((store) => store.add({ ...operatorKey(n), hash: keyHash(Math.min(n, 2)) }))
  ),
  step("operator find", to(3), (n) => operators((store) => store.find(keyHash(n)))),
  step("operator keys", fc.constant(null), () => operators((store) => store.keys)),
  step("operator revoke", fc.tuple(to(3), seconds), ([n, at]) =>
    operators((store) => store.revoke(apiKeyId(n), later(at * 1_000)))
  ),
  step("operator noteUse", fc.tuple(to(3), seconds), ([n, at]) =>
    operators((store) => store.noteUse(apiKeyId(n), later(at * 1_000)))
  )
]

/** Any of them; each group comes as often as another. */
export const ofWorkspaces = [fc.oneof(...ofTenants), fc.oneof(...ofKeys), fc.oneof(...ofOperators)]

/** What is asked of them after the last command. */
export const looksAtWorkspaces: ReadonlyArray<Step> = [
  {
    shown: "all accounts",
    run: () => workspaces((store) => store.accounts({ after: null, limit: 9 }))
  },
  { shown: "all keys", run: () => workspaces((store) => store.keys(workspaceId(1))) },
  { shown: "all operator keys", run: () => operators((store) => store.keys) }
]
