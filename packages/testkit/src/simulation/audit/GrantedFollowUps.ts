/** Whether a wish for another run or delivery of a job was granted, or may have been. */

import type { FactOf, FollowUp } from "../record/Facts.ts"

/** Whether a redelivery, or another run, was granted to whoever asked. */
export const isGranted = ({ answer }: Pick<FollowUp, "answer">): boolean =>
  answer === "on its way" || answer === "it runs"

/** Whether a wish may have been granted: by this request, or by an earlier one. */
const mayBeGranted = (followUp: FollowUp): boolean =>
  isGranted(followUp) || followUp.answer === "WebhookPending"

/** When a look began and ended, in simulated milliseconds. */
interface Span {
  readonly beganAt: number
  readonly endedAt: number
}

/** Whether a job that had ended may have begun again after a look, and before another one. */
export const mayHaveRestarted = (
  followUps: ReadonlyArray<FollowUp>,
  from: Pick<Span, "beganAt">,
  to: Pick<Span, "endedAt">
): boolean =>
  followUps.some((followUp) => {
    const { answer, beganAt, endedAt } = followUp
    const isOpen = answer === "no answer" || answer === "interrupted" || answer.endsWith("Error")
    // Without an answer it may have been granted at any time since.
    const isLater = isOpen || endedAt >= from.beganAt
    return (isOpen || mayBeGranted(followUp)) && beganAt <= to.endedAt ? isLater : false
  })

type Receipts = ReadonlyArray<FactOf<"Received">>

/** An attempt, which begins by making the body, ends 30 s after its start. */
const attemptMillis = 30_000

/** What was wanted of the job. */
interface Requested {
  readonly corrections: ReadonlyArray<FactOf<"CorrectionAsked">>
  readonly followUps: ReadonlyArray<FollowUp>
}

/**
 * Those of a job's deliveries that the next one may have replaced: nothing keeps a body whose first
 * attempt died with its process, and it cannot be made again once the transcript was corrected. A
 * delivery that was asked for in between follows one that had ended.
 */
export const findReplaceable = (
  deliveries: ReadonlyArray<Receipts>,
  { corrections, followUps }: Requested
): ReadonlyArray<Receipts> =>
  deliveries.filter(([first], place) => {
    const next = deliveries[place + 1]?.[0]
    if (first === undefined || next === undefined) return false
    const isAsked = followUps.some(
      (followUp) => isGranted(followUp) && followUp.beganAt > first.at && followUp.beganAt < next.at
    )
    const isCorrected = corrections.some(
      ({ beganAt, endedAt, version }) =>
        beganAt < next.at && (version === null || endedAt > first.at - attemptMillis)
    )
    return isCorrected && !isAsked
  })
