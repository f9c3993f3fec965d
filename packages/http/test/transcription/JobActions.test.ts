/** Tests over HTTP that one request acts on many jobs, and that a request can be repeated. */
import { assert, it, layer } from "@effect/vitest"
import type { JobId } from "@verbatim/core/attempt"
import { WorkspaceId } from "@verbatim/core/workspace"
import { jobId } from "@verbatim/testkit/samples"
import { Effect, Fiber } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { actOnJobs } from "../../src/serve/transcription/JobActions.ts"
import * as Deployment from "../Deployment.ts"
import { fetchJson, issueKey, makeTenant } from "../workspace/WorkspaceCalls.ts"
import { states, store, storeFailedJob } from "./JobStates.ts"

const notFailed = "The transcription has not failed"

/** Any filter that matches all jobs. */
const all = "created_after=2000-01-01"

interface Order {
  readonly action: string
  readonly ids?: ReadonlyArray<string>
}

/** Creates a workspace, and a function that acts on its jobs. */
const makeActor = Effect.fnUntraced(function* (name: string) {
  const tenant = yield* makeTenant(name)
  const act = (query: string, json: Order, key = tenant.inference.token) =>
    Effect.map(
      fetchJson({ path: `/transcriptions/actions?${query}`, json, key }),
      ({ body, status }) => ({ ...body, status })
    )
  const idsOf = (query: string) =>
    Effect.map(
      fetchJson({ path: `/transcriptions?${query}`, key: tenant.inference.token }),
      ({ body }): ReadonlyArray<string> => body.data.map(({ id }: { id: string }) => id)
    )
  const storeMany = (from: number, to: number) =>
    Effect.forEach(
      Array.from({ length: to - from + 1 }, (_, index) => from + index),
      (number) => storeFailedJob(number, WorkspaceId.make(tenant.id))
    )
  return { act, idsOf, storeMany, tenant }
})

layer(Deployment.layer(), { excludeTestServices: true })("an action on many jobs", (it) => {
  it.effect("goes through all pages once, without the jobs that are submitted later", () =>
    Effect.gen(function* () {
      const { act, idsOf, storeMany } = yield* makeActor("Pages")
      yield* storeMany(1_001, 1_250)
      const failed = "status=FAILED&limit=100"
      const first = yield* act(failed, { action: "retry" })
      assert.deepStrictEqual(first, {
        status: 200,
        done: 100,
        refused: [],
        next_cursor: jobId(1_151)
      })
      yield* storeMany(1_300, 1_300)
      const second = yield* act(`${failed}&cursor=${first.next_cursor}`, { action: "retry" })
      assert.deepInclude(second, { done: 100, refused: [], next_cursor: jobId(1_051) })
      // The jobs of the second page no longer match, so a repeat acts on the rest.
      const repeat = yield* act(`${failed}&cursor=${first.next_cursor}`, { action: "retry" })
      assert.deepInclude(repeat, { done: 50, refused: [], next_cursor: null })
      const last = yield* act(`${failed}&cursor=${second.next_cursor}`, { action: "retry" })
      assert.deepInclude(last, { done: 0, refused: [], next_cursor: null })
      assert.deepStrictEqual(yield* idsOf("status=FAILED"), [jobId(1_300)])
      // These jobs still match, so a repeat leaves them unchanged and says so.
      const again = yield* act(`${all}&limit=2`, { action: "retry" })
      assert.deepInclude(again, {
        done: 1,
        refused: [{ status: 409, detail: notFailed, ids: [jobId(1_250)] }],
        next_cursor: jobId(1_250)
      })
    })
  )

  it.effect("does the same as the operation on each job", () =>
    Effect.gen(function* () {
      const { act, idsOf, tenant } = yield* makeActor("States")
      yield* store(WorkspaceId.make(tenant.id))
      const withDelivery = (state: string) => states.filter(({ delivery }) => delivery === state)
      const { done, refused } = yield* act(all, { action: "redeliver" })
      const finished = [...withDelivery("Delivered"), ...withDelivery("Failed")]
      assert.strictEqual(done, finished.length)
      const reasons = new Map<string, number>(
        refused.map(({ detail, ids }: { detail: string; ids: ReadonlyArray<string> }) => [
          detail,
          ids.length
        ])
      )
      const noCallback = "The transcription has no 'callback_url'"
      assert.strictEqual(reasons.get(noCallback), withDelivery("-").length)
      const open = ["ACCEPTED", "IN_QUEUE", "IN_PROGRESS"]
      const isOpen = ({ shown }: (typeof states)[number]) => open.includes(shown.status ?? "")
      const count = states.filter(isOpen).length
      assert.deepInclude(yield* act(all, { action: "cancel" }), { done: count, next_cursor: null })
      assert.lengthOf(yield* idsOf(""), states.length - count)
      assert.deepInclude(yield* act(all, { action: "delete" }), {
        done: states.length - count,
        refused: []
      })
      assert.deepStrictEqual(yield* idsOf(""), [])
    })
  )

  it.effect("changes only chosen jobs, and none of another workspace", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* makeActor("Mine"), yield* makeActor("Other")]
      yield* mine.storeMany(1_401, 1_403)
      yield* other.storeMany(1_411, 1_412)
      const ids = [jobId(1_401), jobId(1_411), jobId(1_403), jobId(1_401)]
      const answer = yield* mine.act("", { action: "delete", ids })
      assert.deepStrictEqual(answer, {
        status: 200,
        done: 2,
        refused: [{ status: 404, detail: "Request not found", ids: [jobId(1_411)] }],
        next_cursor: null
      })
      assert.deepStrictEqual(yield* mine.idsOf(""), [jobId(1_402)])
      const rest = yield* other.act(`cursor=${jobId(1_412)}`, {
        action: "retry",
        ids: [jobId(1_412), jobId(1_411)]
      })
      assert.deepInclude(rest, { done: 1, refused: [] })
      assert.deepStrictEqual(yield* other.idsOf("status=FAILED"), [jobId(1_412)])
    })
  )

  it.effect("needs the scopes to write, and to read the list that it acts on", () =>
    Effect.gen(function* () {
      const { act, storeMany, tenant } = yield* makeActor("Scopes")
      yield* storeMany(1_501, 1_501)
      const keyWith = (scope: string) =>
        issueKey(tenant.id, { kind: "inference", scopes: [`transcriptions:${scope}`] })
      const [reading, writing] = [yield* keyWith("read"), yield* keyWith("write")]
      const lacks = (scope: string) => ({
        status: 403,
        detail: `Forbidden: The key lacks the scope transcriptions:${scope}`
      })
      const retry = { action: "retry" }
      assert.deepStrictEqual(yield* act(all, retry, reading.token), lacks("write"))
      assert.deepStrictEqual(yield* act(all, retry, writing.token), lacks("read"))
      const chosen = { ...retry, ids: [jobId(1_501)] }
      assert.deepInclude(yield* act("", chosen, writing.token), { status: 200, done: 1 })
      assert.strictEqual((yield* act("", chosen, Deployment.operatorKey)).status, 403)
    })
  )

  const invalid = (problem: string) => `Invalid request parameters: ${problem}`
  const unfiltered = "Send a filter or 'ids'"
  const twoWays = "Send either 'ids' or a query, not both"
  const strange = "Invalid 'cursor' value. Must be the next_cursor of a page"
  const unknown = "unknown parameter"
  const many = Array.from({ length: 101 }, (_, index) => jobId(index + 1))
  const rows: ReadonlyArray<readonly [query: string, order: object, detail: string]> = [
    ["", { action: "delete" }, unfiltered],
    ["limit=10", { action: "delete" }, unfiltered],
    // A misspelt filter is not a filter.
    ["state=FAILED", { action: "delete" }, invalid(`state: ${unknown}`)],
    ["status=", { action: "delete" }, "Invalid 'status' value. Must not be empty"],
    [`${all}&q=`, { action: "delete" }, "Invalid 'q' value. Must not be empty"],
    [`${all}&cursor=`, { action: "delete" }, "Invalid 'cursor' value. Must not be empty"],
    // A list ignores parameters that it does not have.
    [
      "status=FAILED&creatd_after=2026-01-01",
      { action: "delete" },
      invalid(`creatd_after: ${unknown}`)
    ],
    ["status=FAILED&workspace_id=x", { action: "delete" }, invalid(`workspace_id: ${unknown}`)],
    [all, { action: "delete", ids: [jobId(1)] }, twoWays],
    ["limit=1", { action: "delete", ids: [jobId(1), jobId(2)] }, twoWays],
    [`cursor=${jobId(2)}`, { action: "delete", ids: [jobId(1)] }, strange],
    [`cursor=${jobId(1)}&cursor=${jobId(1)}`, { action: "delete", ids: [jobId(1)] }, strange],
    [
      "limit=101&status=FAILED",
      { action: "retry" },
      "Invalid 'limit' value. Must be an integer from 1 to 100"
    ],
    [all, { action: "stop" }, invalid("action: must be one of retry, redeliver, cancel, delete")],
    [all, {}, invalid("action: required")],
    [all, { action: "retry", filter: {} }, invalid("filter: unknown property")],
    ["", { action: "retry", ids: [] }, invalid("ids: at least 1 id")],
    ["", { action: "retry", ids: ["x"] }, invalid("ids[0]: must be a UUID")],
    ["", { action: "retry", ids: many }, invalid("ids: at most 100 ids")]
  ]
  for (const [query, order, detail] of rows) {
    it.effect(`is refused: ${query} ${JSON.stringify(order).slice(0, 60)}`, () =>
      Effect.gen(function* () {
        const { body, status } = yield* fetchJson({
          path: `/transcriptions/actions?${query}`,
          json: order,
          key: Deployment.keys.inference
        })
        assert.deepStrictEqual([status, body], [400, { detail }])
      })
    )
  }
})

it.effect("starts no action after ten seconds, and continues in the next request", () =>
  Effect.gen(function* () {
    const ids = Array.from({ length: 10 }, (_, index): JobId => jobId(index + 1))
    const changed: Array<string> = []
    const act = (id: string) =>
      Effect.andThen(
        Effect.sleep("6 seconds"),
        Effect.sync(() => changed.push(id))
      )
    const request = (cursor: string | undefined) =>
      actOnJobs({
        request: HttpServerRequest.fromWeb(
          new Request("http://localhost/", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ action: "retry", ids })
          })
        ),
        query: { cursor },
        list: Effect.die("not read"),
        actions: { retry: act, redeliver: act, cancel: act, delete: act }
      }).pipe(Effect.provideService(HttpServerRequest.ParsedSearchParams, {}))
    const run = Effect.fnUntraced(function* (cursor: string | undefined) {
      const fiber = yield* Effect.forkChild(request(cursor))
      yield* TestClock.adjust("20 seconds")
      return yield* Fiber.join(fiber)
    })
    const first = yield* run(undefined)
    assert.deepStrictEqual(first, { done: 8, refused: [], next_cursor: jobId(8) })
    const second = yield* run(jobId(8))
    assert.deepStrictEqual(second, { done: 2, refused: [], next_cursor: null })
    assert.deepStrictEqual(changed, ids)
  })
)
