import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import { type State as Delivery, DeliveryId } from "#src/domain/delivery/Delivery"
import { createJob, type Job } from "#src/domain/job/Job"
import { failureName } from "#src/domain/job/JobView"
import type { State as Summary } from "#src/domain/summary/Summary"
import type { State as Transcription } from "#src/domain/transcription/Transcription"
import { WorkspaceId } from "#src/domain/workspace/Workspace"
import { minimal } from "../transcription/TranscriptionRequest.submissions.ts"

const at = DateTime.makeUnsafe(0)
const id = JobId.make("01900000-0000-7000-8000-000000000001")
const receiver = { url: "https://example.com/hook", modifier: null }
const deliveryId = DeliveryId.make("01900000-0000-7000-8000-000000000002")

const plain = createJob({
  id,
  workspaceId: WorkspaceId.make("01900000-0000-7000-8000-000000000003"),
  deliveryId,
  request: minimal,
  media: Option.none(),
  at
})

const transcribed: Transcription = {
  _tag: "Transcribed",
  id,
  durationMillis: 1,
  language: "en",
  isEmpty: false,
  engine: "e",
  endedAt: at,
  media: null
}
const failed: Transcription = {
  _tag: "Failed",
  id,
  during: "Running",
  failure: { _tag: "AudioMissing" },
  endedAt: at
}
const delivered: Delivery = {
  _tag: "Delivered",
  id: deliveryId,
  receiver,
  attempt: 1,
  status: 200,
  endedAt: at
}
const undelivered: Delivery = {
  _tag: "Failed",
  id: deliveryId,
  receiver,
  attempt: 3,
  failure: { _tag: "ReceiverRefused", status: 500 },
  endedAt: at
}

const sent = { transcription: transcribed, delivery: delivered }
const unsent = { transcription: transcribed, delivery: undelivered }
const errorUnsent = { transcription: failed, delivery: undelivered }

describe("JobView", () => {
  it("names a failure of the transcription first, then of the webhook, then of the summary", () => {
    const summary: Summary = {
      _tag: "Failed",
      id,
      type: "brief",
      failure: { _tag: "EngineFailed", detail: "" },
      endedAt: at
    }
    const name = (parts: Partial<Job>) => failureName({ ...plain, summary, ...parts })
    assert.strictEqual(name(errorUnsent), "AudioMissing")
    assert.strictEqual(name(unsent), "ReceiverRefused")
    assert.strictEqual(name(sent), "EngineFailed")
  })
})
