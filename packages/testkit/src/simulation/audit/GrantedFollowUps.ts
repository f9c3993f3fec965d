/** Decides whether a retry or redelivery of a job was granted, or may have been. */

import type { FactOf, FollowUp } from "../record/Facts.ts"

/** Returns whether a redelivery or retry was granted. */
export const isGranted = ({ answer }: Pick<FollowUp, "answer">): boolean =>
  answer === "on its way" || answer === "it runs"

/** Whether this retry or redelivery, or an earlier one, may have been granted. */
const mayBeGranted = (followUp: FollowUp): boolean =>
  isGranted(followUp) || followUp.answer === "WebhookPending"

/** The start and end of a read, in simulated milliseconds. */
interface Span {
  readonly beganAt: number
  readonly endedAt: number
}

/** Whether a finished job may have started again between two reads. */
export const mayHaveRestarted = (
  followUps: ReadonlyArray<FollowUp>,
  from: Pick<Span, "beganAt">,
  to: Pick<Span, "endedAt">
): boolean =>
  followUps.some((followUp) => {
    const { answer, beganAt, endedAt } = followUp
    const isOpen = answer === "no answer" || answer === "interrupted" || answer.endsWith("Error")
    // An unanswered request may have been granted at any later time.
    const isLater = isOpen || endedAt >= from.beganAt
    return (isOpen || mayBeGranted(followUp)) && beganAt <= to.endedAt ? isLater : false
  })

type Receipts = ReadonlyArray<FactOf<"Received">>

/** Time from the start of an attempt, when the body is built, to its end. */
const attemptMillis = 30_000

/** The corrections, retries and redeliveries that clients requested for the job. */
interface Requested {
  readonly corrections: ReadonlyArray<FactOf<"CorrectionRequested">>
  readonly followUps: ReadonlyArray<FollowUp>
}

/**
 * Returns the deliveries of a job that the next delivery may have replaced. If a process dies, the
 * body of the first attempt is lost, and cannot be rebuilt after a correction. A requested delivery
 * replaces none, because it follows a delivery that has ended.
 */
export const findReplaceable = (
  deliveries: ReadonlyArray<Receipts>,
  { corrections, followUps }: Requested
): ReadonlyArray<Receipts> =>
  deliveries.filter(([first], place) => {
    const next = deliveries[place + 1]?.[0]
    if (first === undefined || next === undefined) return false
    const isRequested = followUps.some(
      (followUp) => isGranted(followUp) && followUp.beganAt > first.at && followUp.beganAt < next.at
    )
    const isCorrected = corrections.some(
      ({ beganAt, endedAt, version }) =>
        beganAt < next.at && (version === null || endedAt > first.at - attemptMillis)
    )
    return isCorrected && !isRequested
  })
