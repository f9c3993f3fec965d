/** Tests the operators' operations on workspaces over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import {
  broken,
  dataOf,
  fetchJson,
  makeTenant,
  makeWorkspace,
  refusalOf
} from "./WorkspaceCalls.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const absent = "01900000-0000-7000-8000-000000000000"

const unlimited = { requests_per_second: null, unfinished_jobs: null, minutes_per_day: null }

/** Calls for a workspace with this id, which does not exist or is not a UUID. */
const aboutOne = (id: string) =>
  [
    { path: `/workspaces/${id}` },
    { path: `/workspaces/${id}`, method: "PATCH", json: { name: "x" } },
    { path: `/workspaces/${id}`, method: "DELETE" },
    { path: `/workspaces/${id}/credits`, json: { minutes: 1 } },
    { path: `/workspaces/${id}/keys` },
    { path: `/workspaces/${id}/keys`, json: { kind: "inference" } },
    { path: `/workspaces/${id}/keys/${absent}/rotate`, json: {} }
  ] as const

layer(Deployment.layer(), { excludeTestServices: true })("a workspace", (it) => {
  it.effect("is created with default settings, and can be found again", () =>
    Effect.gen(function* () {
      const made = yield* dataOf({ path: "/workspaces", json: { name: "A", external_id: "a-1" } })
      const { created_at, id, ...rest } = made
      assert.match(id, uuid)
      assert.match(created_at, instant)
      assert.deepStrictEqual(rest, {
        name: "A",
        external_id: "a-1",
        status: "active",
        limits: unlimited,
        retention: { media_days: null, transcript_days: null, job_days: null },
        keywords: []
      })
      const found = yield* dataOf({ path: `/workspaces/${id}` })
      assert.deepStrictEqual(found, { ...made, balance_minutes: "0.00" })
      assert.deepStrictEqual(yield* dataOf({ path: `/workspaces/${id}/keys` }), [])
    })
  )

  it.effect("can have an external id that no other workspace has", () =>
    Effect.gen(function* () {
      yield* makeWorkspace("first", "one-only")
      const other = { path: "/workspaces", json: { name: "second", external_id: "one-only" } }
      assert.deepStrictEqual(yield* refusalOf(other), [
        409,
        "Another workspace has this external_id"
      ])
      yield* makeWorkspace("none")
      yield* makeWorkspace("none again")
    })
  )

  it.effect("is created only once for an external id, which can be escaped in the path", () =>
    Effect.gen(function* () {
      const path = "/workspaces/by-external-id/host%20session%2F42%3B%C3%BC"
      const { id } = yield* dataOf({ path, method: "PUT" })
      const { external_id, name, ...again } = yield* dataOf({ path, method: "PUT" })
      assert.strictEqual(again.id, id)
      assert.deepStrictEqual([external_id, name], ["host session/42;ü", "host session/42;ü"])
    })
  )

  it.effect("can have an external id of 1 to 255 characters that every store accepts", () =>
    Effect.gen(function* () {
      const put = (text: string) => ({ path: `/workspaces/by-external-id/${text}`, method: "PUT" })
      const long = "%F0%9F%98%80".repeat(255)
      assert.strictEqual((yield* fetchJson(put(long))).status, 200)
      assert.deepStrictEqual(
        yield* refusalOf(put(`${long}a`)),
        broken("external_id: at most 255 characters")
      )
      assert.deepStrictEqual(
        yield* refusalOf(put("a%00b")),
        broken("external_id: must not contain NUL or a lone surrogate")
      )
      for (const text of ["%ED%A0%80", "%ff", "%", "%zz"]) {
        assert.deepStrictEqual(
          yield* refusalOf(put(text)),
          broken("external_id: must be UTF-8 where it is percent-encoded")
        )
      }
      assert.strictEqual((yield* fetchJson(put(""))).status, 405)
    })
  )

  it.effect("keeps every field that a change omits", () =>
    Effect.gen(function* () {
      const path = `/workspaces/${yield* makeWorkspace("old", "changed")}`
      const first = {
        name: "new",
        status: "disabled",
        retention: { media_days: 1, transcript_days: 30, job_days: 365 },
        keywords: ["Zoë Baker", "myocarditis"]
      }
      const json = { ...first, keywords: [...first.keywords, "Zoë Baker"] }
      assert.deepInclude(yield* dataOf({ path, method: "PATCH", json }), first)
      const next = { status: "active", retention: { media_days: null }, keywords: null }
      yield* dataOf({ path, method: "PATCH", json: next })
      assert.deepInclude(yield* dataOf({ path }), {
        ...{ name: "new", external_id: "changed", status: "active", keywords: [] },
        retention: { ...first.retention, media_days: null }
      })
    })
  )

  it.effect("frees its external id after its deletion, and then refuses all requests", () =>
    Effect.gen(function* () {
      const { id, management } = yield* makeTenant("gone", "given-up")
      const remove = dataOf({ path: `/workspaces/${id}`, method: "DELETE" })
      assert.deepInclude(yield* remove, { id, status: "deleting", external_id: null })
      assert.deepInclude(yield* remove, { id, status: "deleting" })
      assert.strictEqual((yield* fetchJson({ path: "/keys", key: management.token })).status, 403)
      const [, change, , , , issue, rotate] = aboutOne(id)
      for (const call of [change, issue, rotate]) {
        assert.deepStrictEqual(yield* refusalOf(call), [404, "Workspace not found"], call.path)
      }
      assert.notStrictEqual(yield* makeWorkspace("next", "given-up"), id)
      // A deleted workspace's data can still be read.
      assert.deepInclude(yield* dataOf({ path: `/workspaces/${id}` }), {
        name: "gone",
        balance_minutes: "600.00"
      })
      assert.lengthOf(yield* dataOf({ path: `/workspaces/${id}/keys` }), 2)
    })
  )

  for (const id of [absent, "1", "%00", "by-external-id"]) {
    it.effect(`is not found by ${id}`, () =>
      Effect.gen(function* () {
        for (const call of aboutOne(id)) {
          assert.deepStrictEqual(yield* refusalOf(call), [404, "Workspace not found"], call.path)
        }
        const revoke = { path: `/workspaces/${id}/keys/${absent}`, method: "DELETE" }
        assert.strictEqual((yield* fetchJson(revoke)).status, 404)
      })
    )
  }
})

layer(Deployment.layer(), { excludeTestServices: true })("the workspace list", (it) => {
  const refused: ReadonlyArray<readonly [string, string]> = [
    ["limit=101", "limit: at most 100"],
    ["cursor=", "cursor: must be the next_cursor of a page"],
    [`cursor=${absent}&cursor=${absent}`, "cursor: must be sent once"],
    ["cursor=x&limit=x", "cursor: must be the next_cursor of a page; limit: must be an integer"]
  ]
  for (const [query, problem] of refused) {
    it.effect(`refuses the query ${query}: ${problem}`, () =>
      Effect.gen(function* () {
        const { body, status } = yield* fetchJson({ path: `/workspaces?${query}` })
        const [code, message] = broken(problem)
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(body, {
          error: { code, message },
          gateway_metadata: null,
          user_id: null
        })
      })
    )
  }
})
