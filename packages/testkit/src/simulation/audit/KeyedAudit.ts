/**
 * Audits idempotency keys. For 24 hours, all requests with a key get the same job, or a refusal if
 * the request differs or the job was deleted. Later requests with the key get a new job.
 */

import {
  type Fact,
  type FactOf,
  factsAbout,
  factsOf,
  type Submission,
  type Violation
} from "../record/Facts.ts"

type Keyed = FactOf<"Keyed">

/**
 * Requests within half an hour of a key's expiry are not judged, because clocks differ by minutes.
 */
const dayMillis = 86_400_000
const slackMillis = 1_800_000

const once = "one key and request create one job per day"

/** Whether a refusal has another cause than the key. */
const isSilent = (refusal: string): boolean =>
  ["no answer", "interrupted", "ClientGone", "ApiKeyUnknown"].includes(refusal) ||
  refusal.endsWith("StoreError")

interface Known {
  readonly marker: string
  readonly id: string | undefined
  readonly acceptedAt: number
  readonly submittedAt: number
  /** When a job's deletion was first requested, and when it was first reported. */
  readonly wantedGoneAt: number
  readonly goneAt: number
}

/** Explains why an answer within 24 hours contradicts the first answer. */
const explainContradiction = (known: Known, { beganAt, endedAt, id, isOther, refusal }: Keyed) => {
  if (beganAt < known.acceptedAt || isSilent(refusal)) return undefined
  if (isOther)
    return refusal === "OtherRequest" ? undefined : `another request got ${id ?? refusal}`
  if (refusal === "JobDeleted") {
    return known.wantedGoneAt <= endedAt ? undefined : "nobody deleted its job"
  }
  if (id === null) return `a repeat is refused: ${refusal}`
  return beganAt > known.goneAt ? `a repeat after the deletion got ${id}` : undefined
}

const auditDay = (known: Known, answers: ReadonlyArray<Keyed>): ReadonlyArray<string> => {
  const early = answers.filter(
    ({ beganAt }) => beganAt < known.submittedAt + dayMillis - slackMillis
  )
  const late = answers.filter(({ beganAt }) => beganAt > known.acceptedAt + dayMillis + slackMillis)
  const ids = new Set(early.flatMap(({ id }) => id ?? []))
  return [
    ...(ids.size > 1 ? [`${[...ids].join(" and ")} are of one request`] : []),
    ...early.flatMap((answer) => explainContradiction(known, answer) ?? []),
    ...late.flatMap(({ id, refusal }) => {
      const isFree = id === null ? refusal === "InsufficientBalance" : id !== known.id
      return isFree || isSilent(refusal) ? [] : [`a day later it still stands for ${id ?? refusal}`]
    })
  ]
}

/** Checks that no request created two listed jobs, even if the request got no response. */
const auditLists = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const shown = factsOf(facts, "Stored").flatMap(({ entries }) => entries)
  const byMarker = Map.groupBy(
    shown.filter(({ marker }) => marker !== null),
    ({ marker }) => marker
  )
  return [...byMarker].flatMap(([marker, entries]) => {
    const ids = new Set(entries.map(({ id }) => id))
    return ids.size > 1 ? [{ rule: once, what: `${marker} is ${[...ids].join(" and ")}` }] : []
  })
}

const knownOf = (
  facts: ReadonlyArray<Fact>,
  { at, submission: { marker } }: { readonly at: number; readonly submission: Submission }
): Known => {
  const accepted = factsOf(facts, "Accepted").find((fact) => fact.marker === marker)
  const removals = factsAbout(facts, "Removed", accepted?.id)
  const never = Number.POSITIVE_INFINITY
  return {
    marker,
    id: accepted?.id,
    acceptedAt: accepted?.at ?? never,
    submittedAt: at,
    wantedGoneAt: removals[0]?.beganAt ?? never,
    goneAt: removals.find(({ isAnswered }) => isAnswered)?.endedAt ?? never
  }
}

export const auditKeyed = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const answers = Map.groupBy(factsOf(facts, "Keyed"), ({ marker }) => marker)
  return [
    ...auditLists(facts),
    ...factsOf(facts, "Submitted").flatMap((submitted) =>
      auditDay(knownOf(facts, submitted), answers.get(submitted.submission.marker) ?? []).map(
        (what) => ({ rule: once, what: `${submitted.submission.marker}: ${what}` })
      )
    )
  ]
}
