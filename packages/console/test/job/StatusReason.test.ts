/** Tests the sentence that explains why a job waits. */
import { assert, describe, it } from "vitest"
import type { History } from "../../page/job/JobHistory.ts"
import { statusReason } from "../../page/job/StatusReason.ts"
import type { JobDetails } from "../../page/jobs/JobTraits.ts"

const job = { transcription_status: "IN_QUEUE" } as JobDetails
const refused = {
  about: "transcription",
  event: "retry_scheduled",
  error: "The engine refused the work",
  cause: "No such key.",
  due_at: "2030-01-02T03:09:00.000Z"
}
const history = { events: [refused], webhook_attempts: [] } as unknown as History
const blockers = [{ tasks: ["Transcribe"], sentence: "Workers cannot use the speech engine." }]

const reasonAt = (at: string, known: typeof blockers = []): string =>
  statusReason(job, history, { now: Date.parse(at), blockers: known })

describe("the reason why a job waits", () => {
  it("names a future attempt, with an outage too", () => {
    const early = "2030-01-02T03:04:00.000Z"
    assert.match(reasonAt(early), /\(No such key\)\. The next attempt starts at \d+:09:00 or later/)
    const blocked = reasonAt(early, blockers)
    assert.match(blocked, /use the speech engine\. The next attempt starts at \d+:09:00 or later/)
  })

  it("does not promise an attempt at once when its time has passed", () => {
    const late = reasonAt("2030-01-02T03:10:00.000Z")
    assert.match(late, /\(No such key\)\. The next attempt is due, and waits for a worker\.$/)
  })
})
