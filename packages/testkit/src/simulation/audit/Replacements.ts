/** Deliveries that begin although nobody asked, in place of one that cannot go on. */
import type { FactOf, Wish } from "../record/Facts.ts"
import { isGranted } from "./Wanted.ts"

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
