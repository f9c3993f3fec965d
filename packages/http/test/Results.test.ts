import { assert, layer } from "@effect/vitest"
import type { Job } from "@verbatim/core/job/Job"
import { JobStore } from "@verbatim/core/ports/JobStore"
import { State } from "@verbatim/core/transcription/Transcription"
import { Workspaces } from "@verbatim/core/workspace/Workspaces"
import { jobId } from "@verbatim/testkit/samples/Ids"
import { produced, started } from "@verbatim/testkit/samples/SampleEvent"
import { commitOf, creation, uploaded } from "@verbatim/testkit/samples/SampleJob"
import { transcript } from "@verbatim/testkit/samples/SampleTranscript"
import { instant } from "@verbatim/testkit/samples/SampleWorkspace"
import { Effect, Redacted } from "effect"
import * as Deployment from "./Deployment.ts"

const { inference, management } = Deployment.keys

const [waiting, finished, unfetched, broken, foreign] = [1, 2, 3, 4, 5].map(jobId)

const failed = (number: number, during: "Fetching" | "Running"): Partial<Job> => ({
  transcription: State.cases.Failed.make({
    id: jobId(number),
    during,
    failure: { _tag: "MediaUnreachable", detail: "connect ECONNREFUSED /var/lib/media" },
    endedAt: instant
  })
})

const prepare = Effect.gen(function* () {
  const store = yield* JobStore
  const workspaces = yield* Workspaces
  const { workspaceId } = yield* workspaces.authenticate(Redacted.make(inference))
  const insert = (job: Job) => store.insert(creation(job))
  const queued = uploaded(2, { workspaceId })
  const running = commitOf(queued, { events: [started()] })
  yield* insert(uploaded(1, { workspaceId }))
  yield* insert(queued)
  yield* store.commit(running)
  yield* store.commit(commitOf(running.next, { events: [produced()], transcript }))
  yield* insert(uploaded(3, { workspaceId, ...failed(3, "Fetching") }))
  yield* insert(uploaded(4, { workspaceId, ...failed(4, "Running") }))
  yield* insert(uploaded(5))
})

const view = (id: string | undefined, status: string) => ({
  id,
  status,
  transcription_status: status,
  balance_minutes: "600.00"
})

const output = {
  duration: "61.234",
  language: "en",
  list: [
    { start: "0", end: "0.9", speaker: "speaker_0", text: "Hello there." },
    { start: "1", end: "1.9", speaker: "speaker_1", text: "General remarks." }
  ]
}

const paragraphs = [
  { start: "0", speaker: "speaker_0", text: "Hello there." },
  { start: "1", speaker: "speaker_1", text: "General remarks." }
].map((paragraph) => ({
  ...paragraph,
  sentences: [{ start: paragraph.start, text: paragraph.text }]
}))

const inParagraphs = "0:00:00 speaker_0\nHello there.\n\n0:00:01 speaker_1\nGeneral remarks.\n\n"

const unreachable = "Failed to access the file or invalid URL"
const notFound = { detail: "Request not found" }

/** What is asked, where, the status, and the body: JSON, or a text where it is plain text. */
const rows: ReadonlyArray<readonly [string, string, number, unknown]> = [
  ["the status while it waits", `${waiting}`, 200, view(waiting, "IN_QUEUE")],
  ["the status when it is done", `${finished}`, 200, { ...view(finished, "COMPLETED"), output }],
  [
    "the status when it failed",
    `${broken}`,
    200,
    { ...view(broken, "FAILED"), error: unreachable }
  ],
  ["the status of somebody else's", `${foreign}`, 404, notFound],
  ["the status of an id that is none", "nothing", 404, notFound],
  ["the status of an escaped path", "..%2F..%2Fetc", 404, notFound],
  ["a form while it waits", `${waiting}/plain_text`, 200, view(waiting, "IN_QUEUE")],
  ["paragraphs in JSON", `${finished}/paragraph_json`, 200, { ...output, list: paragraphs }],
  ["paragraphs as text", `${finished}/paragraph_text`, 200, inParagraphs],
  [
    "the text in JSON",
    `${finished}/plain_json`,
    200,
    { ...output, list: [{ text: "Hello there. General remarks." }] }
  ],
  ["the text", `${finished}/plain_text`, 200, "Hello there. General remarks."],
  ["a form that there is not", `${finished}/pdf`, 400, { detail: "Invalid modifier: pdf" }],
  ["a form of somebody else's", `${foreign}/plain_text`, 404, notFound],
  ["a form when its file was not got", `${unfetched}/plain_text`, 500, { detail: unreachable }],
  [
    "a form when nothing came of it",
    `${broken}/plain_text`,
    500,
    { detail: "Transcription result not found" }
  ]
]

layer(Deployment.layer(), { excludeTestServices: true })("of a job are read", (it) => {
  it.effect("after it was handed in", () => prepare)

  for (const [what, path, status, expected] of rows) {
    it.effect(what, () =>
      Effect.gen(function* () {
        const { call } = yield* Deployment.Deployment
        const answer = yield* call(`/v1/status/${path}`, { key: inference })
        const isText = typeof expected === "string"
        const contentType = isText ? "text/plain; charset=utf-8" : "application/json"
        const body = isText ? answer.text : JSON.parse(answer.text)
        assert.strictEqual(answer.headers.get("content-type"), contentType)
        assert.deepStrictEqual([answer.status, body], [status, expected])
      })
    )
  }

  it.effect("by a management key too, but not without one", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const path = `/v1/status/${finished}`
      const answers = yield* Effect.forEach([management, undefined, "nobody"], (key) =>
        call(path, { key })
      )
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 403, 403]
      )
    })
  )
})
