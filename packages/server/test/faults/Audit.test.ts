/**
 * Tests the audit with handwritten histories: some have faults that the audit must find, and it
 * must accept the others.
 */
import { assert, describe, it } from "vitest"
import { audit, type History, type Known } from "./Audit.ts"

type Events = History["events"]
type WebhookAttempt = History["webhook_attempts"][number]

const at = "2026-01-01T00:00:00.000Z"

const lost = "The work was interrupted"

const makeEvent = (event: string, error?: string) => ({
  at,
  about: "transcription",
  event,
  ...(error === undefined ? {} : { error })
})

const attempt = (over: Partial<WebhookAttempt> = {}): WebhookAttempt => ({
  delivery: 1,
  started_at: at,
  duration_ms: 10,
  status_code: 500,
  ...over
})

const known = ({
  attempts = [attempt({ status_code: 204 })],
  events = [makeEvent("transcript_produced")],
  status = {}
}: {
  readonly attempts?: ReadonlyArray<WebhookAttempt>
  readonly events?: Events
  readonly status?: Partial<Known["status"]>
}): Known => ({
  accepted: { id: "a", callbackId: "job-0" },
  status: {
    id: "a",
    status: "",
    transcription_status: "TRANSCRIBED",
    webhook_status: "DELIVERED",
    balance_minutes: "",
    ...status
  },
  history: { id: "a", events, webhook_attempts: attempts },
  arrived: [{ callbackId: "job-0", webhookId: "w", bodyHash: "b", at: 0, status: 204 }]
})

const counts = { jobs: 1, pending: 0, unbalanced: 0, unpaid: 0 }

/** Returns the findings for one job. */
const findings = (one: Known) => {
  const isPaid = one.history.events.some(({ event }) => event === "transcript_produced")
  const report = audit([one], { counts, minutesBefore: 10, balanceMinutes: isPaid ? 9 : 10 })
  return Object.entries(report).flatMap(([what, count]) => (count === 0 ? [] : [what]))
}

const webhook = (attempts: ReadonlyArray<WebhookAttempt>) =>
  known({ attempts, status: { webhook_status: "FAILED" } })

const failed = (events: Events) => known({ events, status: { transcription_status: "FAILED" } })

const gaveUp = makeEvent("given_up", lost)
const accepted = attempt({ status_code: 204 })
const [soon, groundless] = ["webhooks failed too soon", "failed without a reason"]

const rows: Array<[what: string, one: Known, finding?: string]> = [
  ["nothing wrong with a successful job", known({})],
  [
    "nothing wrong with three refusals",
    webhook([attempt(), attempt(), attempt({ status_code: null })])
  ],
  ["a webhook that failed after two attempts", webhook([attempt(), attempt()]), soon],
  [
    "a webhook whose third attempt has not ended",
    webhook([attempt(), attempt(), attempt({ duration_ms: null })]),
    soon
  ],
  [
    "a webhook that failed although it was accepted",
    webhook([attempt(), attempt(), accepted]),
    soon
  ],
  [
    "a webhook with only one attempt in its last delivery",
    webhook([attempt(), attempt(), attempt({ delivery: 2 })]),
    soon
  ],
  ["nothing wrong with a job that was interrupted too often", failed([gaveUp])],
  [
    "a job that failed for another reason",
    failed([makeEvent("given_up", "The engine failed")]),
    groundless
  ],
  ["a failed job without a failed attempt", failed([makeEvent("attempt_lost")]), groundless]
]

describe("the audit", () => {
  for (const [what, one, finding] of rows) {
    it(`finds ${what}`, () => {
      assert.deepStrictEqual(findings(one), finding === undefined ? [] : [finding])
    })
  }
})
