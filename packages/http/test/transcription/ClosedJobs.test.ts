/** Tests the responses for a job that has lost its transcript. */
import { assert, layer } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import { ApiKeys } from "@verbatim/core/services"
import { Modifier } from "@verbatim/core/transcription"
import { creation, deliveryId, instant, jobId, makeOldJob } from "@verbatim/testkit/samples"
import { Effect, Redacted } from "effect"
import * as Deployment from "../Deployment.ts"

const key = Deployment.keys.inference
const id = jobId(1)

const gone = { detail: "The results are no longer stored" }

const sendRequest = Effect.fnUntraced(function* (path: string, method = "GET") {
  const { call } = yield* Deployment.Deployment
  const { status, text } = yield* call(`/v1${path}`, { key, method })
  return [status, text === "" ? null : JSON.parse(text)] as const
})

layer(Deployment.layer(), { excludeTestServices: true })("a closed job", (it) => {
  it.effect("can be stored without a transcript", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* Effect.flatMap(ApiKeys, ({ authenticate }) =>
        authenticate(Redacted.make(key))
      )
      const receiver = { url: "https://hooks.example.com/in", modifier: null }
      const job = {
        ...makeOldJob(1, { holding: "Nothing" }),
        workspaceId,
        summary: {
          _tag: "Completed" as const,
          id,
          type: "brief" as const,
          text: "",
          endedAt: instant
        },
        delivery: {
          _tag: "Delivered" as const,
          id: deliveryId(1),
          receiver,
          attempt: 1,
          status: 204,
          endedAt: instant
        }
      }
      yield* Effect.flatMap(JobStore, ({ insert }) => insert(creation(job)))
    })
  )

  it.effect("shows its statuses, and when its results were deleted", () =>
    Effect.gen(function* () {
      const view = {
        id,
        status: "WEBHOOK_DELIVERED",
        transcription_status: "TRANSCRIBED",
        webhook_status: "DELIVERED",
        summary_status: "COMPLETED",
        balance_minutes: "600.00",
        results_removed_at: "2025-01-02T03:04:05.678Z"
      }
      assert.deepStrictEqual(yield* sendRequest(`/status/${id}`), [200, view])
      const [, page] = yield* sendRequest("/transcriptions")
      const details = {
        created_at: "2025-01-02T03:04:05.678Z",
        duration: "61.234",
        engine: "sample",
        filename: "meeting.flac",
        language: "en",
        summary_type: "brief",
        warnings: []
      }
      assert.deepStrictEqual(page.data, [{ ...view, ...details }])
    })
  )

  for (const modifier of Modifier.literals) {
    it.effect(`returns 410 if its transcript is requested as ${modifier}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* sendRequest(`/status/${id}/${modifier}`), [410, gone])
      })
    )
  }

  it.effect("returns 409 if a redelivery is requested", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* sendRequest(`/transcriptions/${id}/webhook`, "POST"), [
        409,
        gone
      ])
    })
  )
})
