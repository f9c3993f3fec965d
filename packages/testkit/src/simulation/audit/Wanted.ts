/** Whether a wish for another run or delivery of a job was granted, or may have been. */

import type { FactOf, Wish } from "../record/Facts.ts"

/** Whether a redelivery, or another run, was granted to whoever asked. */
export const isGranted = ({ answer }: Pick<Wish, "answer">): boolean =>
  answer === "on its way" || answer === "it runs"

/** Whether a wish may have been granted: by this request, or by an earlier one. */
const mayBeGranted = (wish: Wish): boolean => isGranted(wish) || wish.answer === "WebhookPending"

/** When a look began and ended, in simulated milliseconds. */
interface Span {
  readonly beganAt: number
  readonly endedAt: number
}

/** Whether a job that had ended may have begun again after a look, and before another one. */
export const isWanted = (
  wishes: ReadonlyArray<Wish>,
  from: Pick<Span, "beganAt">,
  to: Pick<Span, "endedAt">
): boolean =>
  wishes.some((wish) => {
    const { answer, beganAt, endedAt } = wish
    const isOpen = answer === "no answer" || answer === "interrupted" || answer.endsWith("Error")
    // Without an answer it may have been granted at any time since.
    const isLater = isOpen || endedAt >= from.beganAt
    return (isOpen || mayBeGranted(wish)) && beganAt <= to.endedAt ? isLater : false
  })

type Receipts = ReadonlyArray<FactOf<"Received">>

/** An attempt, which begins by making the body, ends 30 s after its start. */
const attemptMillis = 30_000

/** What was wanted of the job. */
interface Wanted {
  readonly corrections: ReadonlyArray<FactOf<"CorrectionAsked">>
  readonly wishes: ReadonlyArray<Wish>
}

/**
 * Those of a job's deliveries that the next one may have replaced: nothing keeps a body whose first
 * attempt died with its process, and it cannot be made again once the transcript was corrected. A
 * delivery that was asked for in between follows one that had ended.
 */
export const findReplaceable = (
  deliveries: ReadonlyArray<Receipts>,
  { corrections, wishes }: Wanted
): ReadonlyArray<Receipts> =>
  deliveries.filter(([first], place) => {
    const next = deliveries[place + 1]?.[0]
    if (first === undefined || next === undefined) return false
    const isAsked = wishes.some(
      (wish) => isGranted(wish) && wish.beganAt > first.at && wish.beganAt < next.at
    )
    const isCorrected = corrections.some(
      ({ beganAt, endedAt, version }) =>
        beganAt < next.at && (version === null || endedAt > first.at - attemptMillis)
    )
    return isCorrected && !isAsked
  })
