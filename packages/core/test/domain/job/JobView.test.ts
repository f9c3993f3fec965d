import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import { type State as Delivery, DeliveryId } from "#src/domain/delivery/Delivery"
import { createJob, type Job } from "#src/domain/job/Job"
import { failureName, toView } from "#src/domain/job/JobView"
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

const view = (parts: Partial<Job>) =>
  toView({ ...plain, ...parts }, { balanceMillis: 36_000_000, transcript: Option.none() })

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
const waiting: Delivery = {
  _tag: "Waiting",
  id: deliveryId,
  receiver,
  attempts: 0,
  dueAt: at,
  frozen: null
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

const pending = { transcription: transcribed, delivery: waiting }
const sent = { transcription: transcribed, delivery: delivered }
const unsent = { transcription: transcribed, delivery: undelivered }
const errorSent = { transcription: failed, delivery: delivered }
const errorUnsent = { transcription: failed, delivery: undelivered }

/** Tests a job's three statuses in responses: legacy, transcription and webhook. */
const rows: ReadonlyArray<readonly [string, Partial<Job>, string]> = [
  ["a URL that has not been fetched yet", {}, "ACCEPTED, ACCEPTED, none"],
  ["a transcript without a callback", { transcription: transcribed }, "COMPLETED, COMPLETED, none"],
  ["a transcript before its webhook", pending, "TRANSCRIBED, TRANSCRIBED, PENDING"],
  ["a transcript that was delivered", sent, "WEBHOOK_DELIVERED, TRANSCRIBED, DELIVERED"],
  ["a transcript that could not be delivered", unsent, "WEBHOOK_FAILED, TRANSCRIBED, FAILED"],
  ["an error report that was delivered", errorSent, "FAILED, FAILED, DELIVERED"],
  ["an error report that could not be delivered", errorUnsent, "FAILED, FAILED, FAILED"]
]

describe("JobView", () => {
  it.each(rows)("shows the three statuses for %s", (_name, parts, statuses) => {
    const { status, transcription_status, webhook_status = "none" } = view(parts)
    assert.strictEqual([status, transcription_status, webhook_status].join(", "), statuses)
  })

  it("explains why a summary is missing", () => {
    const summary = (state: Summary) => view({ summary: state }).summary_status
    const asked = { id, type: "brief", endedAt: at } as const
    assert.strictEqual(
      summary({ _tag: "Skipped", reason: "transcript too short", ...asked }),
      "SKIPPED: transcript too short"
    )
    assert.strictEqual(
      summary({ _tag: "Failed", failure: { _tag: "EngineFailed", detail: "secret" }, ...asked }),
      "FAILED: The engine failed"
    )
  })

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

  it("leaves out a summary and a webhook that were not requested", () => {
    assert.deepStrictEqual(Object.keys(view({})), [
      "id",
      "status",
      "transcription_status",
      "balance_minutes"
    ])
    assert.strictEqual(view({ transcription: failed }).error, "The file has no audio")
  })
})
