import { assert, describe, it } from "@effect/vitest"
import { upTo, workspaceId } from "@verbatim/testkit/samples"
import { DateTime, Effect, Layer } from "effect"
import type { WorkspaceId } from "#src/domain/workspace/Workspace"
import type { WorkspaceChange } from "#src/domain/workspace/WorkspaceChange"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { deployment, Interference, made } from "./WorkspaceDeployment.ts"

const changed = (id: WorkspaceId, change: WorkspaceChange) =>
  Effect.flatMap(Workspaces, (workspaces) => workspaces.change(id, change))

const names = Effect.flatMap(Workspaces, (workspaces) =>
  Effect.map(workspaces.accounts({ after: null, limit: 99 }), (accounts) =>
    accounts.map(({ workspace }) => workspace.name)
  )
)

/** A workspace that had 10 minutes and was then removed. */
const removed = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const { id } = yield* made("one")
  yield* workspaces.credit(id, { minutes: 10 })
  return yield* workspaces.remove(id)
})

/** Calls that are all refused, because the workspace does not exist. */
const assertMissing = (
  ...attempts: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, Workspaces>>
) =>
  Effect.map(Effect.forEach(attempts, Effect.flip), (refused) =>
    assert.deepStrictEqual(
      refused.map(({ _tag }) => _tag),
      refused.map(() => "WorkspaceNotFound")
    )
  )

describe("a workspace", () => {
  it.effect(
    "is created once even if two processes create it for the same external id concurrently",
    () =>
      Effect.gen(function* () {
        const one = yield* Workspaces
        const other = yield* Effect.provide(Workspaces, Layer.fresh(Workspaces.layer), {
          local: true
        })
        assert.notStrictEqual(one, other)
        const asked = upTo(16).map((number) =>
          (number % 2 === 0 ? one : other).ensure(`customer ${number % 4 < 2 ? "a" : "b"}`)
        )
        const given = yield* Effect.all(asked, { concurrency: "unbounded" })
        assert.strictEqual(new Set(given.map(({ id }) => id)).size, 2)
        assert.deepStrictEqual((yield* names).toSorted(), ["customer a", "customer b"])
        const [again] = given
        assert.deepStrictEqual(yield* one.ensure(again?.externalId ?? ""), again)
      }).pipe(Effect.provide(deployment))
  )

  it.effect("is refused if another workspace has its external id", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      yield* workspaces.create({ name: "one", externalId: "customer" })
      const refused = yield* Effect.flip(
        workspaces.create({ name: "other", externalId: "customer" })
      )
      assert.strictEqual(refused._tag === "ExternalIdTaken" && refused.externalId, "customer")
      yield* made("other")
      yield* made("other")
      assert.deepStrictEqual(yield* names, ["one", "other", "other"])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is not found before it is created", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const id = workspaceId(1)
      yield* assertMissing(
        workspaces.account(id),
        workspaces.change(id, {}),
        workspaces.remove(id),
        workspaces.credit(id, { minutes: 1 }),
        workspaces.addWebhookSecret(id)
      )
    }).pipe(Effect.provide(deployment))
  )
})

describe("a change to a workspace that others change too", () => {
  /** Renames the workspace before each write, up to the given number of writes. */
  const disturbedBy = Effect.fnUntraced(function* (times: number, id: WorkspaceId) {
    const interference = yield* Interference
    const store = yield* WorkspaceStore
    let left = times
    const rename = Effect.gen(function* () {
      const { workspace } = yield* Effect.flatMap(store.account(id), Effect.fromOption)
      const { revision } = workspace
      yield* store.replace({ ...workspace, name: `theirs ${left}`, revision: revision + 1 })
    })
    interference.beforeReplace = Effect.suspend(() => {
      if (left <= 0) return Effect.void
      left -= 1
      // The writes of the interfering caller also run this hook, so the hook is disabled for them.
      const before = interference.beforeReplace
      interference.beforeReplace = Effect.void
      return Effect.tap(Effect.orDie(rename), () =>
        Effect.sync(() => {
          interference.beforeReplace = before
        })
      )
    })
  })

  it.effect("is decided again, and both changes are kept", () =>
    Effect.gen(function* () {
      const { id } = yield* made("one")
      yield* disturbedBy(8, id)
      const disabled = yield* changed(id, { status: "disabled" })
      assert.deepInclude(disabled, { _tag: "Disabled", name: "theirs 0", revision: 10 })
      assert.deepStrictEqual((yield* (yield* Workspaces).account(id)).workspace, disabled)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("fails after many repeated decisions, and nothing is written", () =>
    Effect.gen(function* () {
      const { id } = yield* made("one")
      yield* disturbedBy(9, id)
      const refused = yield* Effect.flip(changed(id, { status: "disabled" }))
      assert.strictEqual(refused._tag, "WorkspaceContended")
      const { workspace } = yield* (yield* Workspaces).account(id)
      assert.deepInclude(workspace, { _tag: "Active", name: "theirs 0", revision: 10 })
    }).pipe(Effect.provide(deployment))
  )
})

describe("a removed workspace", () => {
  it.effect("is deleted once, and frees its external id", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const first = yield* workspaces.ensure("customer")
      const gone = yield* workspaces.remove(first.id)
      assert.deepStrictEqual(gone, {
        ...first,
        _tag: "Deleting",
        revision: 2,
        externalId: null,
        statusUpdatedAt: yield* DateTime.now
      })
      assert.deepStrictEqual(yield* workspaces.remove(first.id), gone)
      const second = yield* workspaces.ensure("customer")
      assert.notStrictEqual(second.id, first.id)
      assert.deepStrictEqual(yield* names, ["customer", "customer"])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("gets a credit once, whether the credit's id is in upper or lower case", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { id } = yield* made("one")
      const creditId = "0199cafe-0000-7000-8000-00000000beef"
      for (const written of [creditId, creditId.toUpperCase()]) {
        const balance = yield* workspaces.credit(id, { minutes: 5, creditId: written })
        assert.strictEqual(balance, 300_000)
      }
    }).pipe(Effect.provide(deployment))
  )

  it.effect("accepts neither changes nor credits", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { id } = yield* removed
      yield* assertMissing(
        changed(id, { name: "other" }),
        changed(id, { status: "active" }),
        workspaces.credit(id, { minutes: 1 }),
        workspaces.addWebhookSecret(id)
      )
    }).pipe(Effect.provide(deployment))
  )
})
