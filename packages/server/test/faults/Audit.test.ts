/** The audit on histories written by hand: what it must find, and what it must let pass. */
import { assert, describe, it } from "vitest"
import { audit, type History, type Known } from "./Audit.ts"

type Events = History["events"]
type WebhookAttempt = History["webhook_attempts"][number]

const at = "2026-01-01T00:00:00.000Z"

const lost = "The work was interrupted"

const told = (event: string, error?: string) => ({
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
  events = [told("transcript_produced")],
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

const books = { jobs: 1, owed: 0, unbalanced: 0, unpaid: 0 }

/** What is found of one job. */
const findings = (one: Known) => {
  const isPaid = one.history.events.some(({ event }) => event === "transcript_produced")
  const report = audit([one], { books, minutesBefore: 10, balanceMinutes: isPaid ? 9 : 10 })
  return Object.entries(report).flatMap(([what, count]) => (count === 0 ? [] : [what]))
}

const started = told("attempt_started")

/** A transcription whose process died so many times before it was given up. */
const deaths = (count: number): Events =>
  Array.from({ length: count }, () => [started, told("attempt_lost")]).flat()

describe("the audit of a job that went well", () => {
  it("finds nothing", () => {
    assert.deepStrictEqual(findings(known({})), [])
  })
})

describe("the audit of a webhook that failed", () => {
  const webhook = (attempts: ReadonlyArray<WebhookAttempt>) =>
    findings(known({ attempts, status: { webhook_status: "FAILED" } }))
  const soon = ["webhooks given up too soon"]

  it("lets three refusals pass, and attempts that nobody answered", () => {
    assert.deepStrictEqual(webhook([attempt(), attempt(), attempt({ status_code: null })]), [])
  })

  it("finds one that was given up without an attempt, or after one or two", () => {
    assert.deepStrictEqual(webhook([]), soon)
    assert.deepStrictEqual(webhook([attempt()]), soon)
    assert.deepStrictEqual(webhook([attempt(), attempt()]), soon)
  })

  it("finds one whose third attempt has not ended, or was accepted", () => {
    assert.deepStrictEqual(webhook([attempt(), attempt(), attempt({ duration_ms: null })]), soon)
    assert.deepStrictEqual(webhook([attempt(), attempt(), attempt({ status_code: 204 })]), soon)
  })

  it("does not count what an earlier delivery tried", () => {
    assert.deepStrictEqual(webhook([attempt(), attempt(), attempt({ delivery: 2 })]), soon)
  })
})

describe("the audit of a job that failed", () => {
  const job = (events: Events) =>
    findings(known({ events, status: { transcription_status: "FAILED" } }))
  const groundless = ["failed without a reason"]

  it("lets one pass whose process died once beside others, and three times alone", () => {
    assert.deepStrictEqual(job([...deaths(3), started, told("given_up", lost)]), [])
  })

  it("finds one that was given up a death too soon", () => {
    assert.deepStrictEqual(job([...deaths(2), started, told("given_up", lost)]), groundless)
  })

  it("finds one that failed for another reason, however often its process died", () => {
    const failed = [...deaths(3), started, told("given_up", "The engine failed")]
    assert.deepStrictEqual(job(failed), groundless)
  })

  it("finds one that nobody gave up", () => {
    assert.deepStrictEqual(job(deaths(4)), groundless)
  })

  it("counts a death after an outage as one beside others, and those before it still", () => {
    const after = (count: number) =>
      job([
        ...deaths(2),
        started,
        told("attempt_postponed"),
        ...deaths(count),
        started,
        told("given_up", lost)
      ])
    assert.deepStrictEqual(after(1), groundless)
    assert.deepStrictEqual(after(2), [])
  })

  it("does not count deaths before an attempt that failed", () => {
    const failed = [...deaths(3), started, told("retry_scheduled", "The engine failed")]
    const again = [...failed, ...deaths(1), started, told("given_up", lost)]
    assert.deepStrictEqual(job(again), groundless)
  })

  it("does not take a lost attempt of its webhook for a reason", () => {
    const webhook = { ...told("retry_scheduled", lost), about: "webhook" }
    assert.deepStrictEqual(job([started, told("given_up", "The engine failed"), webhook]), [
      "failed without a reason"
    ])
  })

  it("finds a summary that was given up without a death", () => {
    const summary = { ...told("given_up", "The engine failed"), about: "summary" }
    const events = [told("transcript_produced"), summary]
    assert.deepStrictEqual(findings(known({ events })), groundless)
  })
})
