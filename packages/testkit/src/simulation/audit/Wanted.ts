/** Whether a wish for another run or delivery of a job may have been granted between two looks. */
import type { Wish } from "../record/Facts.ts"

/** Answers after which a wish may have been granted: by this request, or by an earlier one. */
const granted = ["on its way", "it runs", "WebhookPending"]

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
  wishes.some(({ answer, beganAt, endedAt }) => {
    const isOpen = answer === "no answer" || answer === "interrupted" || answer.endsWith("Error")
    // Without an answer it may have been granted at any time since.
    const isLater = isOpen || endedAt >= from.beganAt
    return (isOpen || granted.includes(answer)) && beganAt <= to.endedAt ? isLater : false
  })
