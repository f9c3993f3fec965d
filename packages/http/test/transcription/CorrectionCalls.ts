/** Jobs with and without transcripts to correct, and calls that correct them. */
import { JobStore } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import {
  attemptStarted,
  commitOf,
  creation,
  givenUp,
  jobId,
  makeUploadJob,
  transcript,
  transcriptProduced,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Redacted } from "effect"
import { json } from "../Bodies.ts"
import * as Deployment from "../Deployment.ts"

const key = Deployment.keys.inference
export const [heard, pending, , foreign, fresh] = [1, 2, 3, 4, 5].map(jobId)

const commitTo = Effect.fnUntraced(function* (
  job: ReturnType<typeof makeUploadJob>,
  changes: ReadonlyArray<Parameters<typeof commitOf>[1]>
) {
  const jobs = yield* JobStore
  yield* jobs.insert(creation(job))
  let last = job
  for (const change of changes) {
    const commit = commitOf(last, change)
    yield* jobs.commit(commit)
    last = commit.next
  }
})

export const prepare = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const caller = yield* keys.authenticate(Redacted.make(key))
  const done = [{ events: [attemptStarted()] }, { events: [transcriptProduced()], transcript }]
  const failed = [{ events: [attemptStarted()] }, { events: [givenUp({ _tag: "AudioMissing" })] }]
  yield* commitTo(makeUploadJob(1, { workspaceId: caller.workspaceId }), done)
  yield* commitTo(makeUploadJob(2, { workspaceId: caller.workspaceId }), [])
  yield* commitTo(makeUploadJob(3, { workspaceId: caller.workspaceId }), failed)
  yield* commitTo(makeUploadJob(4, { workspaceId: workspaceId(9) }), done)
  yield* commitTo(makeUploadJob(5, { workspaceId: caller.workspaceId }), done)
})

export const send = Effect.fnUntraced(function* (
  method: string,
  path: string,
  {
    body,
    headers = {}
  }: { readonly body?: unknown; readonly headers?: Record<string, string> } = {}
) {
  const { call } = yield* Deployment.Deployment
  const sent = body === undefined ? {} : json(body)
  const answer = yield* call(`/v1${path}`, {
    ...sent,
    method,
    key,
    headers: { ...("headers" in sent ? (sent.headers as object) : {}), ...headers }
  })
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false
  const value = isJson ? JSON.parse(answer.text) : answer.text
  return { status: answer.status, tag: answer.headers.get("etag"), value }
})

export const correct = (id: string | undefined, body: unknown, headers?: Record<string, string>) =>
  send("PATCH", `/transcriptions/${id}/segments`, { body, ...(headers ? { headers } : {}) })

export const nameSpeakers = (
  id: string | undefined,
  body: unknown,
  headers?: Record<string, string>
) => send("PUT", `/transcriptions/${id}/speakers`, { body, ...(headers ? { headers } : {}) })

export const goBack = (id: string | undefined, version: unknown) =>
  send("PUT", `/transcriptions/${id}/corrections/current`, { body: { version } })

const forms = [
  "",
  "/plain_text",
  "/plain_json",
  "/paragraph_text",
  "/paragraph_json",
  "/word_json",
  "/srt",
  "/vtt"
]

export const readForms = (id: string | undefined) =>
  Effect.forEach(forms, (form) =>
    Effect.map(send("GET", `/status/${id}${form}`), ({ value }) => value)
  )
