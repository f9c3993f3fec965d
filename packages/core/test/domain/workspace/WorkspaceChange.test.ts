import { assert, describe, it } from "@effect/vitest"
import { instant, userId, workspaceId } from "@verbatim/testkit/samples"
import { Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import {
  createWorkspace,
  Event,
  edges,
  isTerminal,
  State,
  transition,
  type Workspace
} from "#src/domain/workspace/Workspace"
import {
  applyWorkspaceChange,
  beginDeletion,
  nameMax,
  statusOf,
  WorkspaceChange
} from "#src/domain/workspace/WorkspaceChange"

const active = createWorkspace({
  id: workspaceId(1),
  name: "default",
  externalId: null,
  firstUserId: userId(1),
  createdAt: instant
})

const changed = (from: Workspace, change: WorkspaceChange) =>
  Result.getOrThrow(applyWorkspaceChange(from, change))

const disabled = changed(active, { status: "disabled" })
const deleting = beginDeletion(active)

/** The states that one edge leads to, and the state itself. */
const around = ({ _tag }: Workspace): ReadonlyArray<string> => [
  _tag,
  ...Object.values<string>(edges[_tag])
]

describe("a change of a workspace", () => {
  it("disables it, and enables it again", () => {
    assert.deepStrictEqual(disabled, { ...active, _tag: "Disabled", revision: 2 })
    assert.deepStrictEqual(changed(disabled, { status: "active" }), { ...active, revision: 3 })
  })

  it("renames and disables at once, as one change", () => {
    assert.deepStrictEqual(changed(active, { name: "other", status: "disabled" }), {
      ...active,
      _tag: "Disabled",
      name: "other",
      revision: 2
    })
  })

  it("that changes nothing gives the same workspace", () => {
    assert.strictEqual(changed(active, {}), active)
    assert.strictEqual(changed(active, { name: active.name, status: "active" }), active)
    assert.strictEqual(changed(deleting, { name: active.name }), deleting)
  })

  it("is refused once its deletion has begun", () => {
    const deleted = Result.getOrThrow(transition(deleting, Event.cases.Emptied.make({})))
    assert.isTrue(isTerminal(deleted))
    for (const gone of [deleting, deleted]) {
      for (const change of [{ name: "other" }, { status: "active" }, { status: "disabled" }]) {
        const refused = applyWorkspaceChange(gone, change as WorkspaceChange)
        assert.isTrue(Result.isFailure(refused), JSON.stringify(change))
      }
    }
  })

  it("takes names that are not empty, and not too long", () => {
    const isName = Schema.is(WorkspaceChange)
    assert.isTrue(isName({ name: "😀".repeat(nameMax) }))
    assert.isFalse(isName({ name: "" }))
    assert.isFalse(isName({ name: "a".repeat(nameMax + 1) }))
    assert.isFalse(isName({ status: "deleted" }))
  })

  it.prop(
    "never leaves the edges of the machine, and twice is once",
    [Arbitrary.schema(State), Arbitrary.schema(WorkspaceChange)],
    ([from, change]) => {
      const first = applyWorkspaceChange(from, change)
      if (Result.isFailure(first)) return true
      const to = first.success
      assert.include(around(from), to._tag)
      assert.strictEqual(to.name, change.name ?? from.name)
      assert.strictEqual(statusOf[to._tag], change.status ?? statusOf[from._tag])
      // The store writes what is one revision further, and what is the same it need not write.
      assert.strictEqual(to.revision, to === from ? from.revision : from.revision + 1)
      const { _tag, name, revision, ...rest } = from
      assert.deepInclude(to, rest)
      assert.strictEqual(changed(to, change), to)
      return true
    }
  )
})

describe("the deletion of a workspace", () => {
  it("frees its external id, and keeps everything else", () => {
    const owned = { ...active, externalId: "customer" }
    assert.deepStrictEqual(beginDeletion(owned), { ...active, _tag: "Deleting", revision: 2 })
  })

  it("begins once", () => {
    assert.strictEqual(beginDeletion(deleting), deleting)
    const deleted = Result.getOrThrow(transition(deleting, Event.cases.Emptied.make({})))
    assert.strictEqual(beginDeletion(deleted), deleted)
    assert.strictEqual(beginDeletion(disabled)._tag, "Deleting")
  })
})
