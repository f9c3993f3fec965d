/**
 * Tests over real HTTP that the text of a recording can be read while it is still being recognised.
 */
import { assert, layer } from "@effect/vitest"
import type { Job } from "@verbatim/core/job"
import { ApiKeys } from "@verbatim/core/services"
import {
  attemptStarted,
  commitJob,
  insertJob,
  makeUploadJob,
  recognisePiece,
  transcript,
  transcriptProduced,
  upTo
} from "@verbatim/testkit/samples"
import { Effect, Redacted } from "effect"
import * as Deployment from "../Deployment.ts"
import { validatorOf } from "../Schemas.ts"

const key = Deployment.keys.inference

const running = Effect.fnUntraced(function* (number: number) {
  const { authenticate } = yield* ApiKeys
  const { workspaceId } = yield* authenticate(Redacted.make(key))
  const job = yield* insertJob(makeUploadJob(number, { workspaceId }))
  return yield* commitJob(job, { events: [attemptStarted()] })
})

/** Stores a recognised text for each piece. The text contains the piece's index. */
const recognise = Effect.fnUntraced(function* (
  job: Job,
  { count, indexes }: { readonly count: number; readonly indexes: ReadonlyArray<number> }
) {
  let latest = job
  for (const index of indexes) {
    latest = yield* recognisePiece(latest, { count, index, text: String(index) })
  }
  return latest
})

const sendRequest = Effect.fnUntraced(function* (path: string) {
  const { call } = yield* Deployment.Deployment
  const { status, text } = yield* call(path, { key })
  return { status, body: JSON.parse(text) }
})

layer(Deployment.layer(), { excludeTestServices: true })("A running job", (it) => {
  it.effect("shows how many pieces are recognised and, on request, the text so far", () =>
    Effect.gen(function* () {
      const job = yield* running(1)
      const path = `/v1/transcriptions/${job.id}`
      assert.notProperty((yield* sendRequest(path)).body, "pieces")
      const gap = yield* recognise(job, { count: 60, indexes: [1] })
      const { body: early } = yield* sendRequest(`${path}?partial=true`)
      assert.deepInclude(early, { pieces: { done: 1, total: 60 } })
      assert.notProperty(early, "partial_output")
      const indexes = upTo(41).flatMap((each) => (each === 2 ? [] : [each - 1]))
      const more = yield* recognise(gap, { count: 60, indexes })
      const { body } = yield* sendRequest(`${path}?partial=true`)
      assert.isTrue(validatorOf("JobDetails")(body))
      assert.deepStrictEqual(body.pieces, { done: 41, total: 60 })
      assert.deepStrictEqual(body.partial_output, {
        duration: "1230",
        language: "en",
        list: upTo(41).map((each) => ({
          start: `${30 * (each - 1)}.5`,
          end: `${30 * each - 1}.5`,
          speaker: "speaker_0",
          text: String(each - 1)
        }))
      })
      assert.notProperty((yield* sendRequest(path)).body, "partial_output")
      assert.notProperty((yield* sendRequest(`${path}?partial=false`)).body, "partial_output")
      const listed = yield* sendRequest("/v1/transcriptions")
      assert.deepStrictEqual(listed.body.data[0].pieces, { done: 41, total: 60 })
      assert.notProperty((yield* sendRequest(`/v1/status/${job.id}`)).body, "pieces")
      yield* commitJob(more, { events: [transcriptProduced()], transcript })
      const { body: done } = yield* sendRequest(`${path}?partial=true`)
      assert.deepStrictEqual(done.pieces, { done: 41, total: 60 })
      assert.property(done, "output")
      assert.notProperty(done, "partial_output")
    })
  )

  it.effect("refuses values other than true and false", () =>
    Effect.gen(function* () {
      const job = yield* running(2)
      for (const value of ["1", "", "TRUE", "true&partial=true"]) {
        const refused = yield* sendRequest(`/v1/transcriptions/${job.id}?partial=${value}`)
        assert.strictEqual(refused.status, 400, value)
        assert.include(refused.body.detail, "'partial'")
      }
    })
  )
})
