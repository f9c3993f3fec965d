/** Tests ledgers over HTTP, for operators and for the workspace itself. */
import { assert, layer } from "@effect/vitest"
import { JobStore, WorkspaceStore } from "@verbatim/core/ports"
import { WorkspaceId } from "@verbatim/core/workspace"
import { credit, jobId, later } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { broken, chargeJob, fetchJson, makeTenant, refusalOf } from "./WorkspaceCalls.ts"

const none = { job_id: null, key_id: null, credit_id: null }

layer(Deployment.layer(), { excludeTestServices: true })("a ledger", (it) => {
  it.effect("contains all charges and credits, newest first, for keys of both kinds", () =>
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const { id, inference, management } = yield* makeTenant("ledger")
      const workspaceId = WorkspaceId.make(id)
      const { number } = yield* chargeJob(id, { key: inference.id, at: later(1), millis: 61_234 })
      yield* store.credit({ ...credit(70, -1_200), at: later(2), workspaceId })
      yield* (yield* JobStore).remove(workspaceId, jobId(number))
      const { body } = yield* fetchJson({ path: `/workspaces/${id}/ledger` })
      const [taken, charged, given, ...others] = body.data
      assert.isEmpty(others)
      assert.deepStrictEqual(taken, {
        ...none,
        at: "2025-01-02T03:04:05.680Z",
        minutes: "-0.02",
        millis: -1_200,
        credit_id: credit(70, 0).id
      })
      assert.deepStrictEqual(charged, {
        ...none,
        at: "2025-01-02T03:04:05.679Z",
        minutes: "-1.02",
        millis: -61_234,
        job_id: jobId(number),
        key_id: inference.id
      })
      assert.deepInclude(given, { ...none, minutes: "600.00", credit_id: given.credit_id })
      assert.isString(given.credit_id)
      const page = `/workspaces/${id}/ledger?limit=2`
      const start = yield* fetchJson({ path: page })
      const rest = yield* fetchJson({ path: `${page}&cursor=${start.body.next_cursor}` })
      assert.deepStrictEqual([...start.body.data, ...rest.body.data], body.data)
      assert.deepStrictEqual([start.body.data.length, rest.body.next_cursor], [2, null])
      for (const { token } of [inference, management]) {
        for (const path of ["/ledger", `/workspaces/${id}/ledger`]) {
          assert.deepStrictEqual((yield* fetchJson({ path, key: token })).body, body)
        }
      }
    })
  )

  it.effect(
    "is not found if it belongs to another workspace, an unknown workspace or an operator",
    () =>
      Effect.gen(function* () {
        const own = yield* makeTenant("own")
        const other = yield* makeTenant("foreign")
        const unknown = "01900000-0000-7000-8000-0000000000ff"
        const missing = [404, "Workspace not found"]
        const rows = [
          [`/workspaces/${other.id}/ledger`, own.management.token, missing],
          [`/workspaces/${unknown}/ledger`, own.management.token, missing],
          [`/workspaces/${unknown}/ledger`, Deployment.operatorKey, missing],
          ["/workspaces/1/ledger", Deployment.operatorKey, missing],
          [
            "/ledger",
            Deployment.operatorKey,
            [404, "An operator key has no ledger: name a workspace"]
          ]
        ] as const
        for (const [path, key, refusal] of rows) {
          assert.deepStrictEqual(yield* refusalOf({ path, key }), [...refusal])
        }
      })
  )

  const cursorRule = "cursor: must be the next_cursor of a page"
  const rows = [
    ["limit=0", "limit: at least 1"],
    ["cursor=", cursorRule],
    ["cursor=01", cursorRule],
    ["cursor=9007199254740993", cursorRule],
    ["cursor=x&limit=0", "limit: at least 1"]
  ] as const
  for (const [query, problem] of rows) {
    it.effect(`refuses the query ${query}: ${problem}`, () =>
      Effect.gen(function* () {
        const { id, management } = yield* makeTenant("rules")
        const calls = [
          { path: `/workspaces/${id}/ledger?${query}` },
          { path: `/ledger?${query}`, key: management.token }
        ]
        for (const each of calls) assert.deepStrictEqual(yield* refusalOf(each), broken(problem))
      })
    )
  }
})
