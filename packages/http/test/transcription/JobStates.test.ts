import { assert, layer } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import { creation, jobId, makeUploadJob, workspaceId } from "@verbatim/testkit/samples"
import { Effect, Redacted } from "effect"
import * as Deployment from "../Deployment.ts"
import { type JobState, peaks, states, store } from "./JobStates.ts"

const { inference, management } = Deployment.keys

const foreign = jobId(1000)

const prepare = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const jobs = yield* JobStore
  const caller = yield* keys.authenticate(Redacted.make(inference))
  yield* store(caller.workspaceId)
  yield* jobs.insert(creation(makeUploadJob(1000, { workspaceId: workspaceId(7) })))
})

const output = {
  duration: "61.234",
  language: "en",
  list: [
    { start: "0", end: "0.9", speaker: "speaker_0", text: "Hello there." },
    { start: "1", end: "1.9", speaker: "speaker_1", text: "General remarks." }
  ]
}

const errors: Readonly<Record<string, string>> = {
  Unfetched: "Failed to access the file or invalid URL",
  Broken: "The file could not be decoded"
}

/** Returns a job's status without the transcript. */
const viewOf = ({ id, shown, summary, transcription }: JobState) => ({
  id,
  ...shown,
  balance_minutes: "600.00",
  ...(summary === "Completed" ? { summary: "They greet." } : {}),
  ...(transcription in errors ? { error: errors[transcription] } : {})
})

const json = "application/json"
const plain = "text/plain; charset=utf-8"

/** The content type of each rendering. Core tests the renderings themselves. */
const contentTypes: Readonly<Record<string, string>> = {
  paragraph_json: json,
  paragraph_text: plain,
  plain_json: json,
  plain_text: plain,
  srt: "application/x-subrip; charset=utf-8",
  vtt: "text/vtt; charset=utf-8",
  word_json: json
}

/** Reasons why a rendering is missing, keyed by the state of the transcription. */
const missing: Readonly<Record<string, string>> = {
  Unfetched: "Failed to access the file or invalid URL",
  Broken: "Transcription result not found"
}

const read = Effect.fnUntraced(function* (path: string, key: string = inference) {
  const { call } = yield* Deployment.Deployment
  const { headers, status, text } = yield* call(`/v1/status/${path}`, { key })
  const contentType = headers.get("content-type")
  return { status, contentType, body: contentType === json ? JSON.parse(text) : text }
})

const titleOf = ({ delivery, summary, transcription }: JobState) =>
  `${transcription}, summary ${summary}, webhook ${delivery}`

layer(Deployment.layer(), { excludeTestServices: true })("the status", (it) => {
  it.effect("can be stored for a job in every state", () => prepare)

  for (const state of states) {
    it.effect(`is shown to keys of both kinds: ${titleOf(state)}`, () =>
      Effect.gen(function* () {
        const isHeard = state.transcription === "Transcribed"
        const view = viewOf(state)
        for (const key of [inference, management]) {
          const { body, contentType, status } = yield* read(state.id, key)
          assert.deepStrictEqual([status, contentType], [200, json])
          assert.deepStrictEqual(body, isHeard ? { ...view, output } : view)
        }
      })
    )
  }

  for (const [modifier, contentType] of Object.entries(contentTypes)) {
    it.effect(`can be requested as ${modifier} in every state of a job`, () =>
      Effect.gen(function* () {
        for (const state of states) {
          const answer = yield* read(`${state.id}/${modifier}`)
          const detail = missing[state.transcription]
          if (detail !== undefined) {
            assert.deepStrictEqual(answer, { status: 500, contentType: json, body: { detail } })
          } else if (state.transcription === "Transcribed") {
            assert.deepStrictEqual([answer.status, answer.contentType], [200, contentType])
            for (const word of ["Hello", "remarks."]) {
              assert.include(JSON.stringify(answer.body), word)
            }
          } else {
            const body = viewOf(state)
            assert.deepStrictEqual(answer, { status: 200, contentType: json, body })
          }
        }
      })
    )
  }

  const unknown: ReadonlyArray<readonly [path: string, status: number, detail: string]> = [
    [`${foreign}`, 404, "Request not found"],
    [`${foreign}/srt`, 404, "Request not found"],
    [`${jobId(999)}/plain_text`, 404, "Request not found"],
    ["%00", 404, "Request not found"],
    [`${jobId(1)}/SRT`, 400, "Invalid modifier: SRT"],
    [`${jobId(1)}/constructor`, 400, "Invalid modifier: constructor"],
    [`${jobId(999)}/pdf`, 400, "Invalid modifier: pdf"],
    [`${jobId(1)}/${"m".repeat(300)}`, 400, `Invalid modifier: ${"m".repeat(100)}`]
  ]

  for (const [path, status, detail] of unknown) {
    it.effect(`is refused at ${path.slice(0, 60)}: ${status} ${detail.slice(0, 40)}`, () =>
      Effect.map(read(path), (answer) =>
        assert.deepStrictEqual(answer, { status, contentType: json, body: { detail } })
      )
    )
  }

  it.effect("includes pairs of peaks only if there is a transcript", () =>
    Effect.gen(function* () {
      const { call } = yield* Deployment.Deployment
      const shown = { duration: 0.5, interval: 0.25, peaks: peaks.values }
      const missing = { detail: "No peaks are stored for this job" }
      for (const { id, transcription } of states) {
        const { status, text } = yield* call(`/v1/transcriptions/${id}/peaks`, { key: inference })
        const expected = transcription === "Transcribed" ? [200, shown] : [404, missing]
        assert.deepStrictEqual([status, JSON.parse(text)], expected, id)
      }
    })
  )
})
