/**
 * Checks at the end of a run that every job ended correctly, by comparing clients, receivers and
 * tables.
 */
import { policies } from "@verbatim/core/attempt"
import type { Accepted } from "./Clients.ts"
import { audioSeconds, redeliveryMillis } from "./constants.ts"
import type { Arrived } from "./Receiver.ts"
import type { TableCounts } from "./TableCounts.ts"

/** A job's history, read from the API. */
export interface History {
  readonly id: string
  readonly events: ReadonlyArray<{
    readonly at: string
    readonly about: string
    readonly event: string
    readonly error?: string
  }>
  readonly webhook_attempts: ReadonlyArray<{
    /** The number of the delivery: 1 for the first one, and one more for each redelivery. */
    readonly delivery: number
    readonly started_at: string
    /** The duration, or null while the attempt is running. */
    readonly duration_ms: number | null
    readonly status_code: number | null
  }>
}

/** A job's status, read from the API. */
export interface Status {
  readonly id: string
  readonly status: string
  readonly transcription_status: string
  readonly webhook_status: string
  readonly balance_minutes: string
}

/** Everything that is known about a job. */
export interface Known {
  readonly accepted: Accepted
  readonly status: Status
  readonly history: History
  readonly arrived: ReadonlyArray<Arrived>
}

/** The number of violations, keyed by name. */
export type Report = Readonly<Record<string, number>>

const endings = new Set(["transcript_produced", "given_up"])

/** The recorded error of an attempt during which the process died. */
const lost = "The work was interrupted"

const { maxAttempts } = policies.Deliver

const count = (all: ReadonlyArray<Known>, is: (known: Known) => boolean): number =>
  all.filter(is).length

/** Whether a receiver accepted a webhook. */
const isAccepted = (status: number): boolean => status >= 200 && status < 300

const endedTwice = ({ history }: Known): boolean =>
  history.events.filter(({ about, event }) => about === "transcription" && endings.has(event))
    .length > 1

/**
 * Whether a transcription or summary failed for another reason than interruptions. These engines
 * never fail, so that would be a fault. The simulation counts the interruptions.
 */
const isFailedWrongly = ({ history, status }: Known): boolean => {
  const ends = history.events.filter(
    ({ about, event }) => event === "given_up" && about !== "webhook"
  )
  const isFailed = status.transcription_status === "FAILED"
  return ends.some(({ error }) => error !== lost) || (isFailed && ends.length === 0)
}

/** Whether a webhook has failed although its last delivery had attempts left. */
const isWebhookFailedSoon = ({ history, status }: Known): boolean => {
  if (status.webhook_status !== "FAILED") return false
  const attempts = history.webhook_attempts
  const last = attempts.at(-1)?.delivery
  const ended = attempts.filter(
    ({ delivery, duration_ms, status_code }) =>
      delivery === last && duration_ms !== null && !isAccepted(status_code ?? 0)
  )
  return ended.length < maxAttempts
}

const isDeliveredUnseen = ({ arrived, status }: Known): boolean =>
  status.webhook_status === "DELIVERED" &&
  !arrived.some(({ status: answered }) => isAccepted(answered))

const differs = ({ arrived }: Known): boolean =>
  new Set(arrived.map(({ bodyHash, webhookId }) => `${webhookId} ${bodyHash}`)).size > 1

/** Whether attempts follow each other too closely. Clocks may differ by a few milliseconds. */
const isHasty = ({ arrived }: Known): boolean =>
  arrived.some(({ at }, index) => {
    const before = arrived[index - 1]
    return before !== undefined && at - before.at < redeliveryMillis - 50
  })

/** Counts the violations of each rule. `minutesBefore` is the balance before the first job. */
export const audit = (
  all: ReadonlyArray<Known>,
  {
    balanceMinutes,
    counts,
    minutesBefore
  }: {
    readonly balanceMinutes: number
    readonly minutesBefore: number
    readonly counts: TableCounts
  }
): Report => {
  const transcribed = count(all, ({ history }) =>
    history.events.some(({ event }) => event === "transcript_produced")
  )
  const expectedMinutes = (transcribed * audioSeconds) / 60
  return {
    "not ended": count(all, ({ status }) => status.webhook_status === "PENDING"),
    "failed without a reason": count(all, isFailedWrongly),
    "webhooks failed too soon": count(all, isWebhookFailedSoon),
    "ended twice": count(all, endedTwice),
    "charged wrongly (minutes)": Math.abs(minutesBefore - expectedMinutes - balanceMinutes),
    "more than 3 attempts": count(
      all,
      ({ arrived, history }) => arrived.length > 3 || history.webhook_attempts.length > 3
    ),
    "attempts in too quick succession": count(all, isHasty),
    "delivered, but not received": count(all, isDeliveredUnseen),
    "different bytes or id on a later attempt": count(all, differs),
    "accepted twice": all.length - new Set(all.map(({ accepted }) => accepted.id)).size,
    "created, but not reported to the caller": counts.jobs - all.length,
    "pending forever": counts.pending,
    "ledgers that do not sum to their balance": counts.unbalanced,
    "transcripts and charges that do not match": counts.unpaid
  }
}
