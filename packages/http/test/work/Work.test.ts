/**
 * Tests over HTTP that operators can see pending work, by kind and by lane, and the jobs of all
 * workspaces.
 */
import { assert, layer } from "@effect/vitest"
import type { JobPage, WorkspaceJobPage } from "@verbatim/core/job"
import { WorkspaceId } from "@verbatim/core/workspace"
import {
  attemptStarted,
  commitJob,
  givenUp,
  insertJob,
  jobId,
  makeOldJob,
  makePendingJob,
  makeUploadJob,
  workspaceId
} from "@verbatim/testkit/samples"
import { DateTime, Effect } from "effect"
import * as Deployment from "../Deployment.ts"
import { states, store, storeFailedJob } from "../transcription/JobStates.ts"
import { dataOf, fetchJson, makeTenant, refusalOf } from "../workspace/WorkspaceCalls.ts"

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
      // The server takes its first sample at startup, when there are at most two jobs and no
      // worker.
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

layer(Deployment.layer(), { excludeTestServices: true })("ended jobs", (it) => {
  it.effect("are counted for each hour of the last day", () =>
    Effect.gen(function* () {
      yield* insertJob(makeOldJob(1, { at: yield* DateTime.now }))
      const { at, hours } = yield* dataOf({ path: "/work" })
      const current = DateTime.startOf(DateTime.makeUnsafe(at), "hour")
      const from = Array.from({ length: 24 }, (_, index) =>
        DateTime.formatIso(DateTime.subtract(current, { hours: 23 - index }))
      )
      const expected = from.map((from, index) => ({
        from,
        completed: index < 23 ? 0 : 1,
        failed: 0
      }))
      assert.deepStrictEqual(hours, expected)
    })
  )
})

/** Reads all pages of a list, with a few jobs per page. */
const listAll = Effect.fnUntraced(function* (path: string, key = Deployment.operatorKey) {
  const all: Array<WorkspaceJobPage["data"][number]> = []
  let cursor: string | null = ""
  while (cursor !== null) {
    const call = { path: `${path}&limit=5&cursor=${cursor}`, key }
    const page: WorkspaceJobPage = (yield* fetchJson(call)).body
    all.push(...page.data)
    cursor = page.next_cursor
  }
  return all
})

const detail = "401 Incorrect API key provided: sk-proj-a1b2c3d4e5f6g7h8."

layer(Deployment.layer(), { excludeTestServices: true })("the jobs of all workspaces", (it) => {
  it.effect("are listed for operators, with their workspace and cause but without texts", () =>
    Effect.gen(function* () {
      const [many, one] = [yield* makeTenant("Many"), yield* makeTenant("One")]
      yield* store(WorkspaceId.make(many.id))
      const job = yield* insertJob(makeUploadJob(99, { workspaceId: WorkspaceId.make(one.id) }))
      const running = yield* commitJob(job, { events: [attemptStarted()] })
      yield* commitJob(running, { events: [givenUp({ _tag: "EngineUnavailable", detail })] })

      const own = yield* listAll("/transcriptions?", many.management.token)
      assert.lengthOf(own, states.length)
      assert.include(JSON.stringify(own), '"summary":')
      const all = yield* listAll("/work/jobs?")
      const [first, ...others] = all
      assert.deepInclude(first, {
        id: jobId(99),
        workspace_id: WorkspaceId.make(one.id),
        workspace_name: "One",
        balance_minutes: "600.00",
        error: "The engine is not available",
        cause: "401 Incorrect API key provided: [key]."
      })
      const workspace = { workspace_id: WorkspaceId.make(many.id), workspace_name: "Many" }
      const withoutTexts = (own as JobPage["data"]).map(({ summary, ...rest }) => rest)
      assert.deepStrictEqual(
        others,
        withoutTexts.map((each) => ({ ...workspace, ...each })) as typeof others
      )

      const isFailed = ({ status }: { readonly status: string }) => status === "FAILED"
      assert.deepStrictEqual(yield* listAll("/work/jobs?status=FAILED"), all.filter(isFailed))
      const upperCase = one.id.toUpperCase()
      for (const id of [one.id, upperCase]) {
        assert.deepStrictEqual(yield* listAll(`/work/jobs?workspace_id=${id}`), [first])
      }
      for (const path of [`/workspaces/${upperCase}`, `/usage?workspace_id=${upperCase}`]) {
        assert.strictEqual((yield* fetchJson({ path })).status, 200)
      }
      for (const { token } of [one.management, one.inference]) {
        const refusal = yield* refusalOf({ path: "/work/jobs", key: token })
        assert.deepStrictEqual(refusal, [403, "Only operator keys can perform this operation"])
      }
    })
  )

  const rows = [
    ["workspace_id=1", 400, "Invalid 'workspace_id' value. Must be the id of a workspace"],
    ["q=hello", 400, "Invalid 'q' value. An operator cannot search transcripts"],
    ["limit=101", 400, "Invalid 'limit' value. Must be an integer from 1 to 100"],
    ["cursor=a&cursor=b", 400, "Invalid 'cursor' value. Must be the next_cursor of a page"],
    [`workspace_id=${jobId(1)}`, 404, "Workspace not found"]
  ] as const
  for (const [query, status, message] of rows) {
    it.effect(`are refused for the query ${query}`, () =>
      Effect.gen(function* () {
        const refusal = yield* refusalOf({ path: `/work/jobs?${query}` })
        assert.deepStrictEqual(refusal, [status, message])
      })
    )
  }
})

/** Stores a failed job, and returns its path. */
const storeFailed = (number: number, workspace: string) =>
  Effect.map(storeFailedJob(number, WorkspaceId.make(workspace)), ({ id }) => `/work/jobs/${id}`)

const post = (path: string, key = Deployment.operatorKey) => ({ path, method: "POST", key })

const notFailed = [409, "The transcription has not failed"]

layer(Deployment.layer(), { excludeTestServices: true })("operators' actions", (it) => {
  it.effect("can change a job of any workspace, without effect on other jobs", () =>
    Effect.gen(function* () {
      const [a, b] = [yield* makeTenant("A"), yield* makeTenant("B")]
      const [first, second] = [yield* storeFailed(101, a.id), yield* storeFailed(102, b.id)]
      const retried = yield* dataOf(post(`${first}/retry`))
      assert.deepInclude(retried, {
        workspace_id: a.id,
        workspace_name: "A",
        status: "ACCEPTED",
        balance_minutes: "600.00"
      })
      assert.deepStrictEqual(yield* refusalOf(post(`${first}/retry`)), notFailed)
      const delivered = yield* dataOf(post(`${second}/webhook`))
      assert.deepInclude(delivered, { workspace_name: "B", webhook_status: "PENDING" })
      const pending = [409, "The webhook is still pending"]
      assert.deepStrictEqual(yield* refusalOf(post(`${second}/webhook`)), pending)
      const remove = (path: string, status: string) =>
        refusalOf({ path: `${path}?if_status=${status}`, method: "DELETE" })
      const changed = [409, "The status of the transcription is ACCEPTED"]
      assert.deepStrictEqual(yield* remove(first, "ENDED"), changed)
      assert.deepStrictEqual(yield* remove(second, "ENDED"), [204, undefined])
      assert.deepStrictEqual(yield* remove(first, "UNTRANSCRIBED"), [204, undefined])
      assert.deepStrictEqual(yield* remove(first, "ENDED"), [404, "Job not found"])
      assert.strictEqual((yield* remove(first, "x"))[0], 404)
      assert.deepStrictEqual(yield* listAll("/work/jobs?"), [])
    })
  )

  it.effect("are refused to every key of a workspace, even for the workspace's own jobs", () =>
    Effect.gen(function* () {
      const [a, b] = [yield* makeTenant("A"), yield* makeTenant("B")]
      const path = yield* storeFailed(103, a.id)
      const refused = [403, "Only operator keys can perform this operation"]
      for (const { token } of [a.management, a.inference, b.management, b.inference]) {
        for (const call of [
          post(`${path}/retry`, token),
          post(`${path}/webhook`, token),
          { path, method: "DELETE", key: token }
        ]) {
          assert.deepStrictEqual(yield* refusalOf(call), refused)
        }
      }
      const [job] = yield* listAll(`/work/jobs?workspace_id=${a.id}`)
      assert.deepInclude(job, { status: "FAILED", webhook_status: "DELIVERED" })
    })
  )

  it.effect("can change many jobs of one workspace or of all", () =>
    Effect.gen(function* () {
      const [a, b] = [yield* makeTenant("A"), yield* makeTenant("B")]
      const act = (query: string, action: string, key = Deployment.operatorKey) =>
        fetchJson({ path: `/work/jobs/actions${query}`, json: { action }, key })
      // An earlier test has left jobs.
      yield* act("?created_before=2100-01-01", "delete")
      const paths = [yield* storeFailed(111, a.id), yield* storeFailed(112, b.id)]
      const { token } = a.management
      const refused = yield* act("?status=FAILED", "retry", token)
      assert.deepInclude(refused.body.error, {
        message: "Only operator keys can perform this operation"
      })
      const ofOne = yield* act(`?workspace_id=${b.id}`, "retry")
      assert.deepStrictEqual(ofOne.body, { done: 1, refused: [], next_cursor: null })
      const all = yield* act("?created_after=2000-01-01", "retry")
      const left = { status: 409, detail: notFailed[1], ids: [jobId(112)] }
      assert.deepStrictEqual(all.body, { done: 1, refused: [left], next_cursor: null })
      // Without texts to search, this would delete all failed jobs.
      assert.deepStrictEqual((yield* act("?status=FAILED&q=hello", "delete")).status, 400)
      assert.deepStrictEqual((yield* act(`?workspace_id=${jobId(1)}`, "delete")).status, 404)
      const cancelled = yield* act("?status=ACCEPTED", "cancel")
      assert.deepStrictEqual(cancelled.body, { done: 2, refused: [], next_cursor: null })
      for (const path of paths) {
        assert.deepStrictEqual(yield* refusalOf(post(`${path}/retry`)), [404, "Job not found"])
      }
    })
  )

  it.effect("show no texts and no links, and stop when the workspace is deleted", () =>
    Effect.gen(function* () {
      const many = yield* makeTenant("Many")
      yield* store(WorkspaceId.make(many.id))
      const summarised = states.find(
        ({ delivery, summary }) => delivery === "Delivered" && summary === "Completed"
      )
      const path = `/work/jobs/${summarised?.id}`
      const shown = yield* dataOf(post(`${path}/webhook`))
      assert.deepInclude(shown, { webhook_status: "PENDING", summary_status: "COMPLETED" })
      assert.notMatch(JSON.stringify(shown), /"(?:summary|output|media_url|receiver)":/)
      const without = `/work/jobs/${states.find(({ delivery }) => delivery === "-")?.id}/webhook`
      const missing = [400, "The transcription has no 'callback_url'"]
      assert.deepStrictEqual(yield* refusalOf(post(without)), missing)
      yield* dataOf({
        path: `/workspaces/${many.id}`,
        method: "PATCH",
        json: { status: "disabled" }
      })
      assert.deepStrictEqual(yield* refusalOf(post(`${path}/retry`)), notFailed)
      yield* dataOf({ path: `/workspaces/${many.id}`, method: "DELETE" })
      for (const call of [
        post(`${path}/retry`),
        post(`${path}/webhook`),
        { path, method: "DELETE" },
        post(`/work/jobs/${jobId(1_234)}/retry`),
        post("/work/jobs/x/retry")
      ]) {
        assert.deepStrictEqual(yield* refusalOf(call), [404, "Job not found"])
      }
    })
  )
})
