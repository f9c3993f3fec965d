import { assert, layer } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import * as Transcription from "@verbatim/core/transcription"
import {
  creation,
  instant,
  jobId,
  makeUploadJob,
  request,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Redacted } from "effect"
import { file, form } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"
import { states, store } from "./JobStates.ts"

const { inference } = Deployment.keys

const absent = jobId(1002)

const caller = Effect.flatMap(ApiKeys, (keys) => keys.authenticate(Redacted.make(inference)))

const sendRequest = Effect.fnUntraced(function* (path: string, method = "GET") {
  const { call } = yield* Deployment.Deployment
  const answer = yield* call(`/v1/transcriptions${path}`, { method, key: inference })
  return { ...answer, body: answer.text === "" ? undefined : JSON.parse(answer.text) }
})

/** Reads the ids and the next cursor of a page. */
const page = Effect.fnUntraced(function* (query: string) {
  const { body, status } = yield* sendRequest(query)
  assert.strictEqual(status, 200, JSON.stringify(body))
  const { data, next_cursor } = body
  const ids: ReadonlyArray<string> = data.map(({ id }: { readonly id: string }) => id)
  return { ids, next: next_cursor }
})

const time = "Must be a day such as 2030-01-02, or an instant such as 2030-01-02T03:04:05Z"
const createdAfter = `Invalid 'created_after' value. ${time}`
const createdBefore = `Invalid 'created_before' value. ${time}`
const callbackId = "Invalid 'callback_id' value. Must be the callback_id of a job"
const words = "Invalid 'q' value. Must be 1 to 200 characters, with a letter or a digit"
const limit = "Invalid 'limit' value. Must be an integer from 1 to 100"
const cursor = "Invalid 'cursor' value. Must be the next_cursor of a page"
const status =
  "Invalid 'status' value. Must be one of ACCEPTED, IN_QUEUE, IN_PROGRESS, TRANSCRIBED, " +
  "COMPLETED, FAILED, WEBHOOK_DELIVERED, WEBHOOK_FAILED"

/** Queries, each with the number of jobs that it finds, or its refusal. */
const queries: ReadonlyArray<readonly [query: string, expected: number | string]> = [
  ["", 16],
  ["?limit=1", 1],
  [`?cursor=${jobId(11)}`, 10],
  [`?cursor=${absent}&limit=1`, 1],
  ["?status=WEBHOOK_FAILED", 1],
  [`?status=ACCEPTED&cursor=${jobId(2)}`, 1],
  ["?limit=0", limit],
  ["?limit=101", limit],
  ["?limit=1&limit=2", limit],
  [`?cursor=${jobId(1)}&cursor=${jobId(1)}`, cursor],
  ["?status=COMPLETED&status=FAILED", status],
  ["?status=x&cursor=x&limit=x", status],
  ["?q=nothing", 0],
  ["?q=!%3F", words],
  [`?q=${"x".repeat(201)}`, words],
  ["?cause=x", "Invalid 'cause' value. Must be the name of a failure, such as MediaUnreachable"],
  ["?callback_id=nobody%27s", 0],
  ["?callback_id=%20a", callbackId],
  [`?callback_id=${"a".repeat(1_025)}`, callbackId],
  ["?created_after=2024-01-01&created_before=2024-02-01", 0],
  ["?created_after=2025-02-30", createdAfter],
  ["?created_after=2025-01-01&created_after=2025-01-02", createdAfter],
  ["?created_before=2025-01-02T03:04:05", createdBefore]
]

layer(Deployment.layer(), { excludeTestServices: true })("a job list", (it) => {
  it.effect("is initially empty, and later contains the workspace's jobs", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* sendRequest("")).body, { data: [], next_cursor: null })
      yield* store((yield* caller).workspaceId)
      const jobs = yield* JobStore
      yield* jobs.insert(creation(makeUploadJob(1000, { workspaceId: workspaceId(7) })))
    })
  )

  for (const [query, expected] of queries) {
    it.effect(`answers the query "${query}" with ${expected}`, () =>
      Effect.gen(function* () {
        if (typeof expected === "number") {
          const { ids } = yield* page(query)
          return assert.strictEqual(ids.length, expected)
        }
        const { body, status } = yield* sendRequest(query)
        assert.deepStrictEqual([status, body], [400, { detail: expected }])
      })
    )
  }
})

const notFound = [404, { detail: "Request not found" }]

layer(Deployment.layer(), { excludeTestServices: true })("a job", (it) => {
  it.effect("can be stored in every state", () =>
    Effect.gen(function* () {
      yield* store((yield* caller).workspaceId)
    })
  )

  for (const { delivery, id, summary, transcription } of states) {
    it.effect(`cannot be retried without its file: ${transcription}, ${summary}, ${delivery}`, () =>
      Effect.gen(function* () {
        const isFailed = ["Unfetched", "Broken"].includes(transcription) || summary === "Failed"
        const isPending = delivery === "Waiting" || delivery === "Sending"
        const missing = isPending ? "The webhook is still pending" : "The file is no longer stored"
        const detail = isFailed ? missing : "The transcription has not failed"
        const { body, status } = yield* sendRequest(`/${id}/retry`, "POST")
        assert.deepStrictEqual([status, body], [409, { detail }])
      })
    )
  }

  it.effect("can be retried after a failure, and then waits in the queue", () =>
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const url = "https://media.example.com/a.mp3"
      const failed = makeUploadJob(2000, {
        workspaceId: (yield* caller).workspaceId,
        request: { ...request, source: { _tag: "Url", url } },
        transcription: Transcription.State.cases.Failed.make({
          id: jobId(2000),
          during: "Fetching",
          failure: { _tag: "MediaUnreachable", detail: "ECONNREFUSED" },
          endedAt: instant
        })
      })
      yield* jobs.insert(creation(failed))
      const { body, status } = yield* sendRequest(`/${failed.id}/retry`, "POST")
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { id: failed.id, transcription_status: "ACCEPTED" })
      const again = yield* sendRequest(`/${failed.id}/retry`, "POST")
      const detail = "The transcription has not failed"
      assert.deepStrictEqual([again.status, again.body], [409, { detail }])
      yield* sendRequest(`/${failed.id}`, "DELETE")
    })
  )

  for (const { delivery, id, shown, summary, transcription } of states) {
    it.effect(`can have its webhook redelivered: ${transcription}, ${summary}, ${delivery}`, () =>
      Effect.gen(function* () {
        const pending = [409, { detail: "The webhook is still pending" }]
        const { body, status } = yield* sendRequest(`/${id}/webhook`, "POST")
        if (delivery === "-") {
          const detail = "The transcription has no 'callback_url'"
          return assert.deepStrictEqual([status, body], [400, { detail }])
        }
        if (delivery !== "Delivered" && delivery !== "Failed") {
          return assert.deepStrictEqual([status, body], pending)
        }
        const { transcription_status } = shown
        assert.strictEqual(status, 200)
        assert.deepInclude(body, { status: transcription_status, webhook_status: "PENDING" })
        const again = yield* sendRequest(`/${id}/webhook`, "POST")
        assert.deepStrictEqual([again.status, again.body], pending)
      })
    )
  }

  it.effect("can be deleted in any state, but only once, and is then found nowhere", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      for (const { id, shown } of states) {
        const hasEnded = ["COMPLETED", "FAILED", "TRANSCRIBED"].includes(
          shown.transcription_status ?? ""
        )
        const required = hasEnded ? "?if_status=ENDED" : ""
        if (hasEnded) {
          const kept = yield* sendRequest(`/${id}?if_status=UNTRANSCRIBED`, "DELETE")
          assert.strictEqual(kept.status, 409)
          assert.match(kept.body.detail, /^The status of the transcription is [A-Z_]+$/)
        }
        const { headers, status, text } = yield* sendRequest(`/${id}${required}`, "DELETE")
        assert.deepStrictEqual([status, text, headers.get("content-type")], [204, "", null])
        const again = yield* sendRequest(`/${id}`, "DELETE")
        const read = yield* call(`/v1/status/${id}`, { key: inference })
        const rendered = yield* call(`/v1/status/${id}/srt`, { key: inference })
        assert.deepStrictEqual([again.status, again.body], notFound)
        assert.deepStrictEqual([read.status, rendered.status], [404, 404])
      }
      assert.deepStrictEqual((yield* page("")).ids, [])
    })
  )

  it.effect("is deleted only if it has the required status", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* caller
      const jobs = yield* JobStore
      const { id } = makeUploadJob(3000, { workspaceId })
      yield* jobs.insert(creation(makeUploadJob(3000, { workspaceId })))
      const remove = (status: string) => sendRequest(`/${id}?if_status=${status}`, "DELETE")
      for (const invalid of ["x", ""]) {
        const { body, status } = yield* remove(invalid)
        assert.strictEqual(status, 400)
        assert.match(body.detail, /^Invalid 'if_status' value. Must be one of /)
      }
      assert.strictEqual((yield* remove("ENDED")).status, 409)
      assert.strictEqual((yield* remove("UNTRANSCRIBED")).status, 204)
      assert.deepStrictEqual((yield* remove("UNTRANSCRIBED")).status, 404)
    })
  )

  it.effect("is deleted together with its file", () =>
    Effect.gen(function* () {
      const { call, stored } = yield* Deployment.Deployment
      const body = form([["file", file("a.mp3")]])
      const { text } = yield* call("/v1/transcribe", { key: inference, body })
      const { id } = JSON.parse(text)
      assert.include(yield* stored, `${id}/0.mp3`)
      yield* sendRequest(`/${id}`, "DELETE")
      const left = yield* stored
      assert.notInclude(left, `${id}/0.mp3`)
    })
  )
})

const idsOf = (query: string): Effect.Effect<ReadonlyArray<string>, never, Deployment.Deployment> =>
  Effect.map(sendRequest(query), ({ body }) =>
    body.data.map(({ id }: { readonly id: string }) => id)
  )

layer(Deployment.layer(), { excludeTestServices: true })("an uploaded job", (it) => {
  it.effect("shows its details, and is found by its callback id and date", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const parts: ReadonlyArray<readonly [string, string | File]> = [
        ["callback_id", "an & id"],
        ["summary", "long"],
        ["keywords", "Ada, Zoë"],
        ["file", file("Meeting 7.mp3")]
      ]
      const { text } = yield* call("/v1/transcribe", { key: inference, body: form(parts) })
      const { id } = JSON.parse(text)
      const { body } = yield* sendRequest("?callback_id=an%20%26%20id")
      assert.strictEqual(body.data.length, 1)
      const known = { id, filename: "Meeting 7.mp3", summary_requested: "long" }
      assert.deepInclude(body.data[0], known)
      const { created_at } = body.data[0]
      const since = yield* idsOf(`?created_after=${created_at}`)
      assert.include(since, id)
      assert.notInclude(yield* idsOf(`?created_before=${created_at}`), id)
      const details = yield* sendRequest(`/${id}`)
      assert.strictEqual(details.status, 200)
      assert.match(details.headers.get("content-type") ?? "", /^application\/json/)
      assert.deepInclude(details.body, { ...known, created_at, callback_id: "an & id" })
      const status = yield* call(`/v1/status/${id}`, { key: inference })
      assert.deepInclude(details.body, JSON.parse(status.text))
      assert.notProperty(JSON.parse(status.text), "created_at")
      assert.strictEqual((yield* sendRequest(`/${id}`, "DELETE")).status, 204)
    })
  )
})
