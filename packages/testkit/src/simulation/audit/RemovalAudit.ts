/**
 * Audits deletions. No read or redelivery finds a deleted job again, and once the faults have
 * ended, every deletion request gets an answer.
 */

import { type Fact, type FactOf, factsOf, type Violation } from "../record/Facts.ts"

const gone = "a deleted job stays deleted"

/**
 * Returns when each job was certainly deleted, which is at the first answer that reports the
 * deletion.
 */
const findDeletions = (facts: ReadonlyArray<Fact>): ReadonlyMap<string, number> => {
  const answered = factsOf(facts, "Removed").filter(({ isAnswered }) => isAnswered)
  const missed = factsOf(facts, "Looked").filter(({ seen }) => seen === "NotFound")
  const first = new Map<string, number>()
  for (const { endedAt, id } of [...answered, ...missed]) {
    first.set(id, Math.min(endedAt, first.get(id) ?? Number.POSITIVE_INFINITY))
  }
  return first
}

/** Returns the reads that still show a deleted job. */
const findRemains = (
  facts: ReadonlyArray<Fact>,
  id: string,
  goneAt: number
): ReadonlyArray<string | undefined> => {
  const isLater = ({ beganAt }: { readonly beganAt: number }) => beganAt > goneAt
  const looks = factsOf(facts, "Looked").filter((look) => look.id === id && isLater(look))
  const isShown = (entries: FactOf<"Stored">["entries"]) => entries.some((each) => each.id === id)
  return [
    looks.some(({ seen }) => seen !== "NotFound") ? "a look finds it" : undefined,
    factsOf(facts, "Stored").some(({ entries }) => isShown(entries)) ? "it is stored" : undefined,
    factsOf(facts, "Redelivery").some(
      (each) => each.id === id && isLater(each) && each.answer === "on its way"
    )
      ? "its webhook goes out again"
      : undefined,
    factsOf(facts, "Retry").some(
      (each) => each.id === id && isLater(each) && each.answer === "it runs"
    )
      ? "it runs again"
      : undefined
  ]
}

/** Checks the rules about deletions. */
export const auditRemovals = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const deletions = findDeletions(facts)
  const requested = new Set(factsOf(facts, "Removed").map(({ id }) => id))
  return [
    ...[...deletions].flatMap(([id, goneAt]) =>
      findRemains(facts, id, goneAt).flatMap((what) =>
        what === undefined ? [] : [{ rule: gone, what: `${id}: ${what} after ${goneAt} ms` }]
      )
    ),
    ...[...requested].flatMap((id) =>
      deletions.has(id)
        ? []
        : [
            {
              rule: "every deletion is eventually answered",
              what: `${id} is neither gone nor kept`
            }
          ]
    )
  ]
}
