/** Limits over HTTP: how they are given, changed and shown. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { ask, dataOf, makeTenant } from "./WorkspaceCalls.ts"

const unlimited = { requests_per_second: null, unfinished_jobs: null, minutes_per_day: null }

layer(Deployment.layer(), { excludeTestServices: true })("a workspace", (it) => {
  it.effect("has limits that are set, changed and taken away one by one", () =>
    Effect.gen(function* () {
      const order = { name: "limited", limits: { unfinished_jobs: 3 } }
      const { id, limits } = yield* dataOf({ path: "/workspaces", json: order })
      assert.deepStrictEqual(limits, { ...unlimited, unfinished_jobs: 3 })
      const path = `/workspaces/${id}`
      const change = (limits: object) =>
        Effect.map(dataOf({ path, method: "PATCH", json: { limits } }), (data) => data.limits)
      assert.deepStrictEqual(yield* change({ minutes_per_day: 60 }), {
        ...unlimited,
        unfinished_jobs: 3,
        minutes_per_day: 60
      })
      assert.deepStrictEqual(yield* change({ unfinished_jobs: null }), {
        ...unlimited,
        minutes_per_day: 60
      })
      yield* dataOf({ path, method: "PATCH", json: { name: "still limited" } })
      assert.deepInclude((yield* dataOf({ path })).limits, { minutes_per_day: 60 })
      const { data } = (yield* ask({ path: "/workspaces" })).body
      const listed = data.find((each: { readonly id: string }) => each.id === id)
      assert.deepStrictEqual(listed.limits, { ...unlimited, minutes_per_day: 60 })
    })
  )
})

layer(Deployment.layer(), { excludeTestServices: true })("a key", (it) => {
  it.effect("has limits of its own, and so has what takes its place", () =>
    Effect.gen(function* () {
      const { id, management } = yield* makeTenant("limited")
      const managers = [
        { path: `/workspaces/${id}/keys`, key: Deployment.operatorKey },
        { path: "/keys", key: management.token }
      ]
      const limits = { requests_per_second: 5, minutes_per_day: 60 }
      const shown = { ...limits, unfinished_jobs: null }
      for (const { key, path } of managers) {
        const issued = yield* dataOf({ path, key, json: { kind: "inference", limits } })
        assert.deepStrictEqual(issued.limits, shown)
        const rotation = { path: `${path}/${issued.id}/rotate`, key, json: {} }
        const { id: next, limits: same } = yield* dataOf(rotation)
        assert.deepStrictEqual(same, shown)
        const keys: ReadonlyArray<{ readonly id: string; readonly limits: object }> = yield* dataOf(
          { path, key }
        )
        for (const each of keys.filter((each) => [issued.id, next].includes(each.id))) {
          assert.deepStrictEqual(each.limits, shown)
        }
      }
    })
  )
})
