/** What must be true of every job at the end, from what clients, receivers and tables tell. */
import type { Books } from "./Books.ts"
import type { Accepted } from "./Clients.ts"
import type { Arrived } from "./Receiver.ts"
import { audioSeconds, redeliveryMillis } from "./Terms.ts"

/** The history of a job, as the API tells it. */
export interface History {
  readonly id: string
  readonly events: ReadonlyArray<{
    readonly at: string
    readonly about: string
    readonly event: string
    readonly error?: string
  }>
  readonly webhook_attempts: ReadonlyArray<{ readonly started_at: string }>
}

/** The status of a job, as the API tells it. */
export interface Status {
  readonly id: string
  readonly status: string
  readonly transcription_status: string
  readonly webhook_status: string
  readonly balance_minutes: string
}

/** A job with everything that is known about it. */
export interface Known {
  readonly accepted: Accepted
  readonly status: Status
  readonly history: History
  readonly arrived: ReadonlyArray<Arrived>
}

/** How often each violation was found, by name. */
export type Report = Readonly<Record<string, number>>

const endings = new Set(["transcript_produced", "given_up"])

const lost = "The work was interrupted"

const count = (all: ReadonlyArray<Known>, is: (known: Known) => boolean): number =>
  all.filter(is).length

const endedTwice = ({ history }: Known): boolean =>
  history.events.filter(({ about, event }) => about === "transcription" && endings.has(event))
    .length > 1

const isDeliveredUnseen = ({ arrived, status }: Known): boolean =>
  status.webhook_status === "DELIVERED" &&
  !arrived.some(({ status: answered }) => answered >= 200 && answered < 300)

const differs = ({ arrived }: Known): boolean =>
  new Set(arrived.map(({ bodyHash, webhookId }) => `${webhookId} ${bodyHash}`)).size > 1

/** Attempts nearer to each other than allowed, with some milliseconds for two clocks. */
const isHasty = ({ arrived }: Known): boolean =>
  arrived.some(({ at }, index) => {
    const before = arrived[index - 1]
    return before !== undefined && at - before.at < redeliveryMillis - 50
  })

/** Counts every violation. `minutesBefore` is the balance before the first job. */
export const audit = (
  all: ReadonlyArray<Known>,
  {
    balanceMinutes,
    books,
    minutesBefore
  }: { readonly balanceMinutes: number; readonly minutesBefore: number; readonly books: Books }
): Report => {
  const transcribed = count(all, ({ history }) =>
    history.events.some(({ event }) => event === "transcript_produced")
  )
  const owedMinutes = (transcribed * audioSeconds) / 60
  return {
    "not ended": count(all, ({ status }) => status.webhook_status === "PENDING"),
    "failed without a reason": count(
      all,
      ({ history, status }) =>
        status.transcription_status === "FAILED" &&
        !history.events.some(({ error }) => error === lost)
    ),
    "ended twice": count(all, endedTwice),
    "charged wrongly (minutes)": Math.abs(minutesBefore - owedMinutes - balanceMinutes),
    "more than 3 attempts": count(
      all,
      ({ arrived, history }) => arrived.length > 3 || history.webhook_attempts.length > 3
    ),
    "attempts too near to each other": count(all, isHasty),
    "delivered, but not received": count(all, isDeliveredUnseen),
    "other bytes or another id on a later attempt": count(all, differs),
    "accepted twice": all.length - new Set(all.map(({ accepted }) => accepted.id)).size,
    "made, but told nobody": books.jobs - all.length,
    "owed for ever": books.owed,
    "ledgers that do not sum to their balance": books.unbalanced,
    "transcripts and charges that do not match": books.unpaid
  }
}
