/** Pending work over HTTP, by kind and by lane, for operators. */
import { assert, layer } from "@effect/vitest"
import { insertJob, makePendingJob, workspaceId } from "@verbatim/testkit/samples"
import { DateTime, Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { dataOf, fetchJson } from "../workspace/WorkspaceCalls.ts"

const dueAt = DateTime.makeUnsafe("2025-01-02T03:04:05.678Z")

const since = "2025-01-02T03:04:05.678Z"

layer(Deployment.layer(), { excludeTestServices: true })("pending work", (it) => {
  it.effect("is counted by kind and by lane", () =>
    Effect.gen(function* () {
      yield* insertJob(makePendingJob(1, { kind: "Transcribe", dueAt }))
      const receiver = "https://hooks.example.com/in"
      yield* insertJob(makePendingJob(2, { kind: "Deliver", dueAt, receiver }))
      const { backlog } = yield* dataOf({ path: "/work" })
      const counts = { due: 1, later: 0, leased: 0, due_since: since }
      const lane = "https://hooks.example.com"
      assert.deepStrictEqual(backlog, [
        {
          kind: "Deliver",
          ...counts,
          lane_count: 1,
          lanes: [{ workspace_id: workspaceId(1), lane, ...counts }]
        },
        { kind: "Transcribe", ...counts, lane_count: 0, lanes: [] }
      ])
    })
  )

  it.effect("has a history that only operators can read", () =>
    Effect.gen(function* () {
      const [{ at, ...backlog }, ...others] = yield* dataOf({ path: "/work/history" })
      // The server takes a sample when it starts, when there are at most two jobs and no worker.
      assert.oneOf(backlog.due, [0, 1, 2])
      assert.deepStrictEqual(backlog, { due: backlog.due, later: 0, leased: 0 })
      assert.strictEqual(new Date(at).toISOString(), at)
      assert.isEmpty(others)
      const { status } = yield* fetchJson({
        path: "/work/history",
        key: Deployment.keys.management
      })
      assert.strictEqual(status, 403)
    })
  )
})
