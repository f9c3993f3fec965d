/** Tests usage over HTTP, for operators and for workspaces themselves. */
import { assert, layer } from "@effect/vitest"
import { WorkspaceStore } from "@verbatim/core/ports"
import { dayMillis, dayOf, WorkspaceId } from "@verbatim/core/workspace"
import { credit } from "@verbatim/testkit/samples"
import { DateTime, Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { broken, chargeJob, dataOf, fetchJson, makeTenant, refusalOf } from "./WorkspaceCalls.ts"

/** A day long before any other entry. */
const day = dayOf(DateTime.makeUnsafe("2025-01-02T00:00:00Z"))

const on = (offset: number) => DateTime.makeUnsafe((day + offset) * dayMillis + 1)

/** Charges a job of a workspace. */
const charge = (
  workspace: string,
  { offset, ...given }: { readonly key: string; readonly offset: number; readonly millis: number }
) => chargeJob(workspace, { ...given, at: on(offset) })

const time = "from=2025-01-02&to=2025-01-05"

const sums = {
  day: null,
  workspace_id: null,
  key_id: null,
  jobs: 0,
  charged_minutes: "0.00",
  charged_millis: 0,
  credited_minutes: "0.00",
  credited_millis: 0,
  recognised: 0,
  reused: 0,
  engine_millis: 0
}

layer(Deployment.layer(), { excludeTestServices: true })("usage", (it) => {
  it.effect("is visible to the workspace itself", () =>
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const { id, inference, management } = yield* makeTenant("used")
      const other = yield* makeTenant("other")
      yield* charge(id, { key: inference.id, offset: 0, millis: 61_234 })
      yield* charge(id, { key: management.id, offset: 2, millis: 60_000 })
      yield* charge(id, { key: inference.id, offset: 3, millis: 1 })
      yield* charge(other.id, { key: other.inference.id, offset: 1, millis: 5 })
      const workspaceId = WorkspaceId.make(id)
      yield* store.credit({ ...credit(50, 600_000), at: on(2), workspaceId })

      const { body } = yield* fetchJson({ path: `/usage?${time}`, key: inference.token })
      assert.deepStrictEqual(body, {
        from: "2025-01-02T00:00:00.000Z",
        to: "2025-01-05T00:00:00.000Z",
        data: [
          {
            ...sums,
            day: "2025-01-02",
            jobs: 1,
            charged_minutes: "1.02",
            charged_millis: 61_234
          },
          {
            ...sums,
            day: "2025-01-04",
            jobs: 1,
            charged_minutes: "1.00",
            charged_millis: 60_000,
            credited_minutes: "10.00",
            credited_millis: 600_000
          }
        ],
        next_cursor: null
      })
      const [one, ...others] = yield* dataOf({
        path: `/usage?${time}&by=workspace&workspace_id=${id}`,
        key: inference.token
      })
      assert.isEmpty(others)
      assert.deepInclude(one, { workspace_id: id, jobs: 2, charged_millis: 121_234 })
      const foreign = { path: `/usage?workspace_id=${other.id}`, key: inference.token }
      assert.deepStrictEqual(yield* refusalOf(foreign), [404, "Workspace not found"])
    })
  )

  const aDay = "2030-01-02"
  const rule = `must be a day such as ${aDay}, or an instant such as ${aDay}T03:04:05Z`
  const rows = [
    ["from=2025-02-30", `from: ${rule}`],
    ["to=tomorrow", `to: ${rule}`],
    ["to=9999-12-31T23:59:59-23:59", `to: ${rule}`],
    ["to=0000-01-02", "to: at least 30 days after the year 0 begins, unless from is sent"],
    ["from=2025-01-02&to=2025-01-02", "to: must be after from"],
    ["from=2024-01-01&to=2025-01-02", "to: at most 366 days after from"],
    ["by=week", "by: must be one of day, key, workspace"],
    ["workspace_id=1", "workspace_id: must be a UUID"],
    ["limit=0", "limit: at least 1"],
    ["limit=1001", "limit: at most 1000"],
    ["by=key&cursor=20000", "cursor: must be the next_cursor of a page"],
    ["from=x&limit=0", `from: ${rule}; limit: at least 1`]
  ] as const
  for (const [query, problem] of rows) {
    it.effect(`refuses the query ${query}: ${problem}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* refusalOf({ path: `/usage?${query}` }), broken(problem))
      })
    )
  }
})
