/** Peaks over real HTTP: of transcripts that are there, and of those that are not. */
import { assert, layer } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import {
  attemptStarted,
  commitOf,
  creation,
  instant,
  jobId,
  makeUploadJob,
  transcript,
  transcriptProduced,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Redacted } from "effect"
import * as Deployment from "../Deployment.ts"
import { peaks, states, store } from "./JobStates.ts"

const { inference } = Deployment.keys

const caller = Effect.flatMap(ApiKeys, (keys) => keys.authenticate(Redacted.make(inference)))

const ask = Effect.fnUntraced(function* (id: string) {
  const { call } = yield* Deployment.Deployment
  const { status, text } = yield* call(`/v1/transcriptions/${id}/peaks`, {
    key: inference
  })
  return [status, JSON.parse(text)]
})

const missing = [404, { detail: "No peaks are stored for this job" }]

layer(Deployment.layer(), { excludeTestServices: true })("peaks", (it) => {
  it.effect("are there with the transcript, in pairs, and nowhere else", () =>
    Effect.gen(function* () {
      yield* store((yield* caller).workspaceId)
      const shown = { duration: 0.5, interval: 0.25, peaks: peaks.values }
      for (const { id, transcription } of states) {
        const expected = transcription === "Transcribed" ? [200, shown] : missing
        assert.deepStrictEqual(yield* ask(id), expected, id)
      }
    })
  )

  it.effect("are missing where an older program made the transcript", () =>
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const { workspaceId } = yield* caller
      const job = makeUploadJob(1_000, { workspaceId })
      yield* jobs.insert(creation(job))
      const begun = commitOf(job, { events: [attemptStarted()] })
      yield* jobs.commit(begun)
      yield* jobs.commit(commitOf(begun.next, { events: [transcriptProduced()], transcript }))
      assert.deepStrictEqual(yield* ask(job.id), missing)
    })
  )

  it.effect("of another workspace are not found", () =>
    Effect.gen(function* () {
      const jobs = yield* JobStore
      const job = makeUploadJob(2_000, { workspaceId: workspaceId(7) })
      yield* jobs.insert(creation(job))
      const begun = commitOf(job, { events: [attemptStarted()] })
      yield* jobs.commit(begun)
      const events = [transcriptProduced(instant)]
      yield* jobs.commit(commitOf(begun.next, { events, transcript, peaks }))
      assert.deepStrictEqual(yield* ask(jobId(2_000)), [404, { detail: "Request not found" }])
    })
  )
})
