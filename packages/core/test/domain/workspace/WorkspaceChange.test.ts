import { assert, describe, it } from "@effect/vitest"
import { instant, later, userId, workspaceId } from "@verbatim/testkit/samples"
import { DateTime, Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import {
  createWorkspace,
  deletionMin,
  edges,
  isTerminal,
  State,
  type Workspace
} from "#src/domain/workspace/Workspace"
import {
  applyWorkspaceChange,
  beginDeletion,
  endDeletion,
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

const at = later(5)

const apply = (from: Workspace, change: WorkspaceChange) =>
  applyWorkspaceChange(from, { at, change })

const changed = (from: Workspace, change: WorkspaceChange) => Result.getOrThrow(apply(from, change))

const disabled = changed(active, { status: "disabled" })
const deleting = beginDeletion(active, at)

/** The earliest time at which the deletion of `deleting` can end. */
const over = DateTime.addDuration(at, deletionMin)
const deleted = endDeletion(deleting, over)

/** Returns a state, and all states that are one edge away from it. */
const around = ({ _tag }: Workspace): ReadonlyArray<string> => [
  _tag,
  ...Object.values<string>(edges[_tag])
]

describe("a change to a workspace", () => {
  it("sets limits and retention periods, and keeps the values of omitted fields", () => {
    const limited = changed(active, { unfinishedJobs: 3, jobDays: 90 })
    assert.deepStrictEqual(limited, { ...active, unfinishedJobs: 3, jobDays: 90, revision: 2 })
    assert.deepStrictEqual(changed(limited, { unfinishedJobs: null, minutesPerDay: 60 }), {
      ...active,
      jobDays: 90,
      minutesPerDay: 60,
      revision: 3
    })
    assert.strictEqual(changed(limited, { jobDays: 90 }), limited)
    assert.isTrue(Result.isFailure(apply(deleting, { jobDays: 90 })))
  })

  it("is refused once deletion has begun", () => {
    assert.isTrue(isTerminal(deleted))
    for (const gone of [deleting, deleted]) {
      for (const change of [{ name: "other" }, { status: "active" }, { status: "disabled" }]) {
        const refused = apply(gone, change as WorkspaceChange)
        assert.isTrue(Result.isFailure(refused), JSON.stringify(change))
      }
    }
  })

  it("accepts names that are neither empty nor too long", () => {
    const isName = Schema.is(WorkspaceChange)
    assert.isTrue(isName({ name: "😀".repeat(nameMax) }))
    assert.isFalse(isName({ name: "" }))
    assert.isFalse(isName({ name: "a".repeat(nameMax + 1) }))
    assert.isFalse(isName({ status: "deleted" }))
  })

  it.prop(
    "follows the edges of the state machine, and is idempotent",
    [Arbitrary.schema(State), Arbitrary.schema(WorkspaceChange)],
    ([from, change]) => {
      const first = apply(from, change)
      if (Result.isFailure(first)) return true
      const to = first.success
      assert.include(around(from), to._tag)
      assert.strictEqual(to.name, change.name ?? from.name)
      assert.strictEqual(statusOf[to._tag], change.status ?? statusOf[from._tag])
      // A store writes a workspace only with its next revision, and only if it has changed.
      assert.strictEqual(to.revision, to === from ? from.revision : from.revision + 1)
      const isMoved = to._tag !== from._tag
      assert.deepStrictEqual(to.statusUpdatedAt, isMoved ? at : from.statusUpdatedAt)
      const { _tag, name, revision, statusUpdatedAt, ...rest } = from
      const { name: given, status, ...settings } = change
      assert.deepInclude(to, { ...rest, ...settings })
      assert.strictEqual(changed(to, change), to)
      return true
    }
  )
})

describe("the deletion of a workspace", () => {
  it("frees the workspace's external id, and keeps all other fields", () => {
    const owned = { ...active, externalId: "customer" }
    assert.deepStrictEqual(beginDeletion(owned, at), {
      ...active,
      _tag: "Deleting",
      revision: 2,
      statusUpdatedAt: at
    })
  })

  it("begins only once", () => {
    assert.strictEqual(beginDeletion(deleting, over), deleting)
    assert.strictEqual(beginDeletion(deleted, over), deleted)
    assert.strictEqual(beginDeletion(disabled, at)._tag, "Deleting")
  })

  it("ends when no request from before the deletion can still be running", () => {
    const before = DateTime.subtract(over, { milliseconds: 1 })
    assert.strictEqual(endDeletion(deleting, before), deleting)
    assert.deepInclude(deleted, { _tag: "Deleted", revision: 3, statusUpdatedAt: over })
    for (const other of [active, disabled, deleted]) {
      assert.strictEqual(endDeletion(other, later(1e12)), other)
    }
  })
})
