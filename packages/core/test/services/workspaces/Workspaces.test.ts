import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { WorkspaceId } from "#src/domain/workspace/Workspace"
import type { WorkspaceChange } from "#src/domain/workspace/WorkspaceChange"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { deployment, Interference, made } from "./WorkspaceDeployment.ts"

const changed = (id: WorkspaceId, change: WorkspaceChange) =>
  Effect.flatMap(Workspaces, (workspaces) => workspaces.change(id, change))

/** Creates a workspace with 10 minutes and removes it. */
const removed = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const { id } = yield* made("one")
  yield* workspaces.credit(id, { minutes: 10 })
  return yield* workspaces.remove(id)
})

/** Asserts that all calls are refused because their workspace does not exist. */
const assertMissing = (
  ...attempts: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }, Workspaces>>
) =>
  Effect.map(Effect.forEach(attempts, Effect.flip), (refused) =>
    assert.deepStrictEqual(
      refused.map(({ _tag }) => _tag),
      refused.map(() => "WorkspaceNotFound")
    )
  )

describe("a change to a workspace that conflicts with other changes", () => {
  /** Renames the workspace before each write, but at most this many times. */
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
      // The interfering caller's own write also runs this hook, which is disabled during that
      // write.
      const before = interference.beforeReplace
      interference.beforeReplace = Effect.void
      return Effect.tap(Effect.orDie(rename), () =>
        Effect.sync(() => {
          interference.beforeReplace = before
        })
      )
    })
  })

  it.effect("is retried up to eight times, and then fails without a write", () =>
    Effect.gen(function* () {
      const { account } = yield* Workspaces
      const { id } = yield* made("one")
      yield* disturbedBy(8, id)
      const disabled = yield* changed(id, { status: "disabled" })
      assert.deepInclude(disabled, { _tag: "Disabled", name: "theirs 0", revision: 10 })
      assert.deepStrictEqual((yield* account(id)).workspace, disabled)
      yield* disturbedBy(9, id)
      const refused = yield* Effect.flip(changed(id, { status: "active" }))
      assert.strictEqual(refused._tag, "WorkspaceContended")
      assert.deepInclude((yield* account(id)).workspace, { _tag: "Disabled", name: "theirs 0" })
    }).pipe(Effect.provide(deployment))
  )
})

describe("a credit to a workspace", () => {
  it.effect("is booked once, even if its id is sent again in upper case", () =>
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
})

describe("a removed workspace", () => {
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
