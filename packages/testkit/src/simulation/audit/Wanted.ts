/** Whether a wish for another run or delivery of a job was granted, or may have been. */
import type { Wish } from "../record/Facts.ts"

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
