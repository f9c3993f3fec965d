/**
 * When labels were protected for certain: from the answer to a protection until the first question
 * that may have lifted it.
 */
import type { FactOf, Asked as Span } from "../record/Facts.ts"

/** A stretch of time in which a label is protected, whatever happened. */
export interface Protection {
  readonly label: string
  readonly from: number
  readonly until: number
}

/** All of them, from what was asked and answered. */
export const protectionsOf = (
  asked: ReadonlyArray<FactOf<"LabelAsked">>
): ReadonlyArray<Protection> =>
  asked.flatMap(({ beganAt, endedAt, isDone, wish }) => {
    if (wish.kind !== "Protect" || !isDone) return []
    const { label } = wish
    const lifts = asked.filter(
      (other) =>
        other.wish.kind === "Unprotect" &&
        other.wish.label === label &&
        (other.isDone || other.isOpen)
    )
    // One that was under way meanwhile, or whose call may still come, may have lifted it.
    const isUncertain = lifts.some(
      (other) => other.beganAt < endedAt && (other.isOpen || other.endedAt > beganAt)
    )
    if (isUncertain) return []
    const until = Math.min(
      Number.POSITIVE_INFINITY,
      ...lifts.filter((other) => other.beganAt >= endedAt).map((other) => other.beganAt)
    )
    return [{ label, from: endedAt, until }]
  })

/** Whether a label was protected all the while. */
export const isHeld = (
  protections: ReadonlyArray<Protection>,
  { beganAt, endedAt, label }: Span & { readonly label: string }
): boolean =>
  protections.some((each) => each.label === label && each.from < beganAt && endedAt < each.until)
