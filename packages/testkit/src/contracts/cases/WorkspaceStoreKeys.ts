/** Contract cases for `WorkspaceStore` about keys and workspaces. */
import { WorkspaceStore, type WorkspaceStoreError } from "@verbatim/core/ports"
import type { ApiKey, Workspace } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import {
  allAccounts,
  apiKey,
  apiKeyId,
  awkwardTexts,
  foundFirst,
  foundingMillis,
  keyHash,
  later,
  readLedger,
  upTo,
  workspace,
  workspaceId
} from "../../samples/index.ts"
import { atOnce, type Cases, workspaceCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"
import { keyCases } from "./KeyCases.ts"

const own = workspaceId(1)

const keyOf = (number: number): Effect.Effect<ApiKey | null, unknown, WorkspaceStore> =>
  WorkspaceStore.use((store) =>
    Effect.map(store.findKey(keyHash(number)), (found) =>
      Option.getOrNull(Option.map(found, ({ key }) => key))
    )
  )

const withStore = <A>(
  call: (store: WorkspaceStore["Service"]) => Effect.Effect<A, WorkspaceStoreError>
) => Effect.flatMap(WorkspaceStore, call)

const sharedCases = keyCases<ApiKey, WorkspaceStore>({
  kind: "a key",
  make: apiKey,
  add: (key) => withStore((store) => store.addKey(key)),
  find: keyOf,
  list: withStore((store) => store.keys(own)),
  revoke: (number, at) => withStore((store) => store.revokeKey(apiKeyId(number), at)),
  noteUse: (number, at) => withStore((store) => store.noteUse(apiKeyId(number), at))
}).map(({ effect, title }) => ({ title, effect: Effect.andThen(foundFirst, effect) }))

const ownCases: Cases<WorkspaceStore> = workspaceCases(WorkspaceStore, {
  *"returns a key together with its workspace's current state"(store) {
    const disabled = { ...workspace(1), _tag: "Disabled" as const, revision: 2 }
    yield* store.replace(disabled).pipe(Expect.gives("the workspace is changed", true))
    yield* store
      .findKey(keyHash(1))
      .pipe(Expect.gives("both are found", Option.some({ key: apiKey(1), workspace: disabled })))
  },
  *"keeps a key's name, holder, scopes, limits and expiry"(store) {
    const described = {
      ...apiKey(2),
      name: awkwardTexts.join(""),
      holder: awkwardTexts.join("-"),
      scopes: ["presets:read", "a scope of a newer program"],
      expiresAt: later(9),
      lastUsedAt: later(3),
      requestsPerSecond: 10,
      minutesPerDay: 10_000_000
    }
    yield* store.addKey(described)
    yield* keyOf(2).pipe(Expect.gives("the key is unchanged", described))
    yield* store.addKey({ ...apiKey(3), scopes: [] })
    yield* Expect.that("a key without scopes has none", (yield* keyOf(3))?.scopes).is([])
  },
  *"lists the keys of one workspace, oldest first"(store) {
    yield* store.create(workspace(2))
    const others = { ...apiKey(2), workspaceId: workspaceId(2) }
    yield* Effect.forEach([apiKey(5), others, apiKey(3), apiKey(12)], store.addKey)
    yield* Expect.that("the first workspace has its own", yield* store.keys(own)).is(
      [1, 3, 5, 12].map(apiKey)
    )
    yield* store.keys(workspaceId(2)).pipe(Expect.gives("the second has its own", [others]))
  },
  *"replaces a key with another key, and keeps both valid during the overlap"(store) {
    const rotation = { id: apiKeyId(1), until: later(60), successor: apiKey(2) }
    yield* store.rotateKey(rotation).pipe(Expect.gives("the key is replaced", true))
    yield* Expect.that("the old key expires, the new key does not", yield* store.keys(own)).is([
      { ...apiKey(1), expiresAt: later(60) },
      apiKey(2)
    ])
    const ending = (number: number) => ({ ...apiKey(number), expiresAt: later(60) })
    yield* store.rotateKey({ ...rotation, until: later(90), successor: ending(3) })
    yield* Expect.that("a later expiry changes nothing", (yield* keyOf(1))?.expiresAt).is(later(60))
    yield* store.rotateKey({ ...rotation, until: later(30), successor: ending(4) })
    yield* Expect.that("an earlier expiry takes effect", (yield* keyOf(1))?.expiresAt).is(later(30))
  },
  *"lets one of many concurrent rotations of a key win"(store) {
    const outcomes = yield* atOnce(upTo(8), (number) =>
      store.rotateKey({ id: apiKeyId(1), until: later(60), successor: apiKey(10 + number) })
    )
    const winner = 10 + (yield* Expect.oneWins("one rotation has won", outcomes))
    yield* Expect.that("only its key was added", yield* store.keys(own)).is([
      { ...apiKey(1), expiresAt: later(60) },
      apiKey(winner)
    ])
  },
  *"rotates a key once when the same rotation is repeated concurrently"(store) {
    // Keys are rotated one after another, because a store with several connections may open them
    // only during the calls for the first keys.
    const replaced = yield* Effect.forEach(upTo(8), (number) => {
      const successor = apiKey(number + 1)
      const rotation = { id: apiKeyId(number), until: later(60), successor }
      return atOnce(upTo(4), () => store.rotateKey(rotation))
    })
    yield* Expect.holds("every call succeeds", replaced.flat().every(Boolean))
    yield* store.revokeKey(apiKeyId(8), later(5))
    yield* store
      .rotateKey({ id: apiKeyId(8), until: later(60), successor: apiKey(9) })
      .pipe(Expect.gives("a repeat succeeds after the replaced key was revoked", true))
    yield* Expect.that(
      "all keys except the last have an expiry",
      (yield* store.keys(own)).map(({ expiresAt, id }) => [id, expiresAt])
    ).is(upTo(9).map((number) => [apiKeyId(number), number === 9 ? null : later(60)]))
  },
  *"refuses to rotate a key that is revoked, unknown, or from another workspace"(store) {
    yield* store.create(workspace(2))
    yield* store.addKey(apiKey(2))
    yield* store.revokeKey(apiKeyId(2), later(5))
    const before = yield* store.keys(own)
    const rotation = { until: later(60), successor: apiKey(3) }
    const stranger = { ...apiKey(4), workspaceId: workspaceId(2) }
    yield* Expect.that("each of these keys is refused, and so is a taken hash", [
      yield* store.rotateKey({ ...rotation, id: apiKeyId(2) }),
      yield* store.rotateKey({ ...rotation, id: apiKeyId(9) }),
      yield* store.rotateKey({ ...rotation, id: apiKeyId(1), successor: stranger }),
      yield* store.rotateKey({
        ...rotation,
        id: apiKeyId(1),
        successor: { ...apiKey(3), hash: keyHash(2) }
      })
    ]).is([false, false, false, false])
    yield* store.keys(own).pipe(Expect.gives("nothing was written", before))
    yield* store.keys(workspaceId(2)).pipe(Expect.gives("the other workspace has no key", []))
  },
  *"deletes only a workspace's keys that expired or were revoked before a given time"(store) {
    yield* store.create(workspace(2))
    const stays = [{ ...apiKey(4), expiresAt: later(50) }, apiKey(5)]
    const goes = [
      { ...apiKey(2), revokedAt: later(49) },
      { ...apiKey(3), expiresAt: later(49) }
    ]
    const others = { ...apiKey(6), workspaceId: workspaceId(2), revokedAt: later(1) }
    yield* Effect.forEach([...stays, ...goes, others], store.addKey)
    yield* store.forgetKeys(own, later(50))
    yield* store.keys(own).pipe(Expect.gives("the other keys remain", [apiKey(1), ...stays]))
    yield* store
      .keys(workspaceId(2))
      .pipe(Expect.gives("keys of other workspaces remain", [others]))
  }
})

export const keys: Cases<WorkspaceStore> = [...sharedCases, ...ownCases]

/** Creates a workspace with an external id. */
const named = (number: number, externalId: string): Workspace => ({
  ...workspace(number),
  externalId
})

const stored = (number: number) =>
  WorkspaceStore.use((store) =>
    Effect.map(store.account(workspaceId(number)), (found) =>
      Option.getOrNull(Option.map(found, (account) => account.workspace))
    )
  )

export const tenants: Cases<WorkspaceStore> = workspaceCases(WorkspaceStore, {
  *"creates another workspace with no keys and an empty ledger"(store) {
    yield* store.create(workspace(2)).pipe(Expect.gives("the workspace is returned", workspace(2)))
    const again = store.create({ ...workspace(2), name: "again" })
    yield* again.pipe(Expect.gives("a repeat returns the first", workspace(2)))
    yield* Expect.that(
      "both are there",
      (yield* allAccounts).map(({ balanceMillis, workspace }) => [workspace.id, balanceMillis])
    ).is([
      [workspaceId(1), foundingMillis],
      [workspaceId(2), 0]
    ])
    yield* Expect.that("the new workspace has no ledger lines and no keys", [
      yield* readLedger(store, workspaceId(2)),
      yield* store.keys(workspaceId(2))
    ]).is([[], []])
  },
  *"returns the same workspace to concurrent creations with the same external id"(store) {
    const externalId = awkwardTexts.join("")
    const given = yield* atOnce(upTo(8), (number) => store.create(named(10 + number, externalId)))
    const ids = (yield* allAccounts).map((account) => account.workspace.id)
    yield* Expect.that("there is one more", ids.length).is(2)
    yield* Expect.that(
      "all calls returned the same workspace",
      given.map(({ id }) => id)
    ).is(given.map(() => ids.at(-1) ?? workspaceId(1)))
  },
  *"lists workspaces page by page, in the order of their ids"(store) {
    yield* Effect.forEach([5, 2, 4, 1, 3], (number) => store.create(workspace(number)))
    const page = (after: number | null) =>
      Effect.map(
        store.accounts({ after: after === null ? null : workspaceId(after), limit: 2 }),
        (accounts) => accounts.map((account) => account.workspace.id)
      )
    yield* Expect.that("each page starts after the previous page", [
      yield* page(null),
      yield* page(2),
      yield* page(4),
      yield* page(5)
    ]).is([[1, 2].map(workspaceId), [3, 4].map(workspaceId), [workspaceId(5)], []])
  },
  *"lists exactly the workspaces whose deletion has begun"(store) {
    yield* Effect.forEach(upTo(5), (number) => store.create(workspace(number)))
    const standing = { 2: "Deleting", 3: "Disabled", 4: "Deleting", 5: "Deleting" } as const
    for (const [number, _tag] of Object.entries(standing)) {
      yield* store.replace({ ...workspace(Number(number)), _tag, revision: 2 })
    }
    yield* store.replace({ ...workspace(5), _tag: "Deleted", revision: 3 })
    const page = (after: number | null) =>
      Effect.map(
        store.deleting({ after: after === null ? null : workspaceId(after), limit: 1 }),
        (found) => found.map(({ id }) => id)
      )
    yield* Expect.that("page by page", [yield* page(null), yield* page(2), yield* page(4)]).is([
      [workspaceId(2)],
      [workspaceId(4)],
      []
    ])
  },
  *"changes a workspace only if it is unchanged since the writer read it"(store) {
    const limits = { unfinishedJobs: 1, minutesPerDay: 2, transcriptDays: 3, jobDays: 36_500 }
    const given = { ...limits, keywords: awkwardTexts }
    const next = { ...workspace(1), ...given, revision: 2, name: awkwardTexts.join(" ") }
    yield* Expect.that("a repeat succeeds too", [
      yield* store.replace(next),
      yield* store.replace(next)
    ]).is([true, true])
    yield* stored(1).pipe(Expect.gives("the workspace is changed", next))
    const late = { ...workspace(1), revision: 2, name: "late" }
    yield* store
      .replace(late)
      .pipe(Expect.gives("a writer that read the first version is refused", false))
    yield* stored(1).pipe(Expect.gives("the workspace is unchanged", next))
    yield* store
      .replace({ ...workspace(2), revision: 2 })
      .pipe(Expect.gives("an unknown one is reported", false))
    yield* Expect.that(
      "the balance is untouched",
      (yield* allAccounts).map(({ balanceMillis }) => balanceMillis)
    ).is([foundingMillis])
  },
  *"lets one of many concurrent changes to a workspace win"(store) {
    const outcomes = yield* atOnce(upTo(8), (number) =>
      store.replace({ ...workspace(1), revision: 2, name: `writer ${number}` })
    )
    const winner = yield* Expect.oneWins("one change has won", outcomes)
    yield* Expect.that("the stored workspace is the winner's", (yield* stored(1))?.name).is(
      `writer ${winner}`
    )
  },
  *"frees the external id of a deleted workspace"(store) {
    yield* store.create(named(2, "customer"))
    const deleting = { ...workspace(2), _tag: "Deleting" as const, revision: 2 }
    yield* store.replace(deleting).pipe(Expect.gives("the external id is freed", true))
    yield* store
      .create(named(3, "customer"))
      .pipe(Expect.gives("another workspace has the external id", named(3, "customer")))
    yield* stored(2).pipe(Expect.gives("the first still exists", deleting))
    yield* store
      .create(named(2, "customer"))
      .pipe(Expect.gives("the deleted workspace's own creation still returns it", deleting))
  }
})
