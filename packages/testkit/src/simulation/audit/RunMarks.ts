/**
 * Rare marks that show only when a run is over, read from what was seen.
 */
import { type Fact, type FactOf, factsOf } from "../record/Facts.ts"
import type { Mark } from "../record/Marks.ts"
import { laterEndings } from "./JobMarks.ts"

const interrupted = "The work was interrupted too often"

/** Whether one delivery, and no other, sent three requests. */
const isThrice = (receipts: ReadonlyArray<FactOf<"Received">>): boolean =>
  receipts.length === 3 && new Set(receipts.map(({ webhookId }) => webhookId)).size === 1

/** The marks of a run that has ended, each once for every job or version it is true of. */
export const endings = (facts: ReadonlyArray<Fact>): ReadonlyArray<Mark> => {
  const receipts = Map.groupBy(factsOf(facts, "Received"), ({ marker }) => marker)
  const accepted = factsOf(facts, "Accepted")
  const looks = Map.groupBy(factsOf(facts, "Looked"), ({ id }) => id)
  // The neighbour's client is not one of ours.
  const told = [...accepted, ...factsOf(facts, "Foreign")]
  const known = new Set(told.map(({ marker }) => marker))
  const amounts = factsOf(facts, "LedgerRead").flatMap((ledger) => ledger.amounts)
  const prompts = factsOf(facts, "VersionsListed").flatMap(({ versions }) =>
    versions.map(({ prompt }) => prompt)
  )
  const isSecret = (marker: string, durationMillis: number) =>
    !known.has(marker) && (receipts.has(marker) || amounts.includes(-durationMillis))
  const found = (mark: Mark, count: number): ReadonlyArray<Mark> => Array(count).fill(mark)
  const jobs = accepted.map(({ id, marker }) => {
    const seen = looks.get(id)?.at(-1)?.seen
    return { seen: seen === "NotFound" ? undefined : seen, got: receipts.get(marker) ?? [] }
  })
  const countOf = (isIt: (job: (typeof jobs)[number]) => boolean) => jobs.filter(isIt).length
  return [
    ...laterEndings(facts),
    ...found(
      "a receiver got a webhook three times",
      countOf(({ got }) => isThrice(got))
    ),
    ...found(
      "a webhook was received, yet ended in FAILED",
      countOf(
        // Without an answer it may still have been processed.
        ({ got, seen }) =>
          seen?.webhook === "FAILED" && got.some(({ status }) => status === 200 || status === null)
      )
    ),
    ...found(
      "a webhook was delivered by its third attempt",
      countOf(({ got, seen }) => seen?.webhook === "DELIVERED" && isThrice(got))
    ),
    ...found(
      "a job ended because its work was interrupted too often",
      countOf(
        ({ seen }) => seen?.error === interrupted || seen?.summary?.includes(interrupted) === true
      )
    ),
    ...found(
      "a job ran although its client was never told its id",
      factsOf(facts, "Submitted").filter(({ submission: { durationMillis, marker } }) =>
        isSecret(marker, durationMillis)
      ).length
    ),
    ...found(
      "a version was written although its writer was told otherwise",
      factsOf(facts, "VersionCreated").filter(
        ({ prompt, version }) => version === null && prompts.includes(prompt)
      ).length
    ),
    ...found(
      "a job was refused for want of minutes",
      factsOf(facts, "Refused").filter(({ reason }) => reason === "InsufficientBalance").length
    )
  ]
}
