/**
 * Audits webhooks. A delivery makes at most three requests, at least 60 seconds apart, with the
 * same bytes and `webhook-id`, and none after its job was deleted. A status shows DELIVERED only if
 * the receiver answered a request of the last delivery with 2xx.
 */

import {
  type Claim,
  type Fact,
  type FactOf,
  type FollowUp,
  factsAbout,
  factsOf,
  toViolations,
  type Violation
} from "../record/Facts.ts"
import { mentions } from "../world/Recording.ts"
import { findReplaceable, isGranted } from "./GrantedFollowUps.ts"

const attemptMax = 3
const gapMillis = 60_000

type Receipt = FactOf<"Received">

const isGood = ({ status }: Receipt): boolean => status !== null && status >= 200 && status < 300

/**
 * Returns the first request or call that came too soon after the previous one, unless a pause made
 * its process's clock check outdated.
 */
export const findHasty = (
  what: "call" | "request",
  made: ReadonlyArray<{ readonly at: number; readonly wasFrozen: boolean }>
): string | undefined =>
  made.flatMap(({ at, wasFrozen }, index) => {
    const last = made[index - 1]
    if (last === undefined || wasFrozen || last.wasFrozen) return []
    const gap = at - last.at
    return gap >= gapMillis ? [] : [`${what} ${index + 1} came ${gap} ms after the one before`]
  })[0]

const refusals = [
  "CallbackMissing",
  "MediaExpired",
  "NotFailed",
  "RequestNotFound",
  "ResultsRemoved"
]

/** Whether a redelivery or a retry may have been accepted. */
const isSent = ({ answer }: FollowUp): boolean => !refusals.includes(answer)

/** Facts about the job of these receipts. */
interface Known {
  readonly marker: string
  /** The marker in the recording, if the recording belongs to another job. */
  readonly sound: string | undefined
  readonly receipts: ReadonlyArray<Receipt>
  readonly wantsOne: boolean
  readonly looks: ReadonlyArray<FactOf<"Looked">>
  /** Redeliveries and retries. Each one starts another delivery. */
  readonly followUps: ReadonlyArray<FollowUp>
  readonly corrections: ReadonlyArray<FactOf<"CorrectionRequested">>
  /** The earliest time when the job was certainly deleted, or infinity. */
  readonly goneAt: number
}

/**
 * A worker trusts a lease for 25 s, the lease expires after 30 s, and an attempt ends 30 s after
 * its start.
 */
const leaseMillis = 30_000

/** Maximum network latency between a sender and its receiver. */
const latencyMillis = 20

const isOver = ({ seen }: FactOf<"Looked">): boolean =>
  seen !== "NotFound" && (seen.webhook === "DELIVERED" || seen.webhook === "FAILED")

/** Finds a request that was sent after its delivery had ended. */
const findRevived = ({ looks, receipts }: Known): string | undefined => {
  const late = receipts.find(
    ({ at, wasFrozen, webhookId }) =>
      !wasFrozen &&
      looks.some(
        (look) =>
          isOver(look) &&
          look.endedAt + latencyMillis < at &&
          receipts.some((other) => other.webhookId === webhookId && other.at < look.beganAt)
      )
  )
  return late === undefined ? undefined : `${late.webhookId} came again at ${late.at} ms`
}

const auditDelivery = (receipts: ReadonlyArray<Receipt>): ReadonlyArray<Claim> => {
  const bodies = new Set(receipts.map(({ body }) => body))
  return [
    [
      "at most three requests are sent",
      receipts.length > attemptMax ? `${receipts.length} came` : undefined
    ],
    ["requests are at least 60 seconds apart", findHasty("request", receipts)],
    ["every attempt has the same bytes", bodies.size > 1 ? [...bodies].join("\n") : undefined]
  ]
}

const auditMarker = (known: Known): ReadonlyArray<Violation> => {
  const { goneAt, marker, receipts, sound, wantsOne, followUps } = known
  const deliveries = Map.groupBy(receipts, ({ webhookId }) => webhookId)
  const strange = receipts
    .flatMap(({ body }) => mentions(body))
    .find((each) => each !== marker && each !== sound)
  const replaced = findReplaceable([...deliveries.values()], known)
  const isTooMany = deliveries.size > 1 + followUps.filter(isSent).length + replaced.length
  const late = receipts.find(
    ({ at, wasFrozen }) => !wasFrozen && at > goneAt + leaseMillis + latencyMillis
  )
  const broken: ReadonlyArray<Claim> = [
    ...[...deliveries.values()].flatMap(auditDelivery),
    [
      "every attempt has the same webhook-id",
      isTooMany ? [...deliveries.keys()].join(", ") : undefined
    ],
    ["a delivery that has ended sends nothing more", findRevived(known)],
    [
      "no webhook begins later than a lease after its job was deleted",
      late === undefined ? undefined : `one came ${late.at - goneAt} ms later`
    ],
    [
      "a webhook is about its own job",
      strange === undefined ? undefined : `it is about ${strange}`
    ],
    ["only jobs with a callback send webhooks", wantsOne ? undefined : "the job has no callback"]
  ]
  return toViolations(marker, broken)
}

/** Returns whether a job was shown as delivered although its last delivery was not received. */
const isFalselyDelivered = (
  { beganAt, endedAt, seen }: FactOf<"Looked">,
  { receipts, followUps }: Pick<Known, "followUps" | "receipts">
): boolean => {
  if (seen === "NotFound" || seen.webhook !== "DELIVERED") return false
  const begun = receipts.filter(({ at, wasFrozen }) => at < beganAt && !wasFrozen)
  const last = begun.at(-1)?.webhookId
  const older = new Set(begun.map(({ webhookId }) => webhookId).filter((id) => id !== last))
  const wanted = followUps.filter((followUp) => isGranted(followUp) && followUp.endedAt < beganAt)
  const since = wanted.at(-1)?.beganAt ?? 0
  return !receipts.some(
    (receipt) =>
      isGood(receipt) &&
      receipt.at <= endedAt &&
      receipt.at >= since &&
      !older.has(receipt.webhookId)
  )
}

export const auditDeliveries = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const receipts = Map.groupBy(
    factsOf(facts, "Received").toSorted((a, b) => a.at - b.at),
    ({ marker }) => marker
  )
  const submissions = new Map(
    factsOf(facts, "Submitted").map(({ submission }) => [submission.marker, submission])
  )
  const ids = new Map(factsOf(facts, "Accepted").map(({ id, marker }) => [marker, id]))
  const knownOf = (marker: string): Known => {
    const id = ids.get(marker)
    const removals = factsAbout(facts, "Removed", id)
    return {
      marker,
      sound: submissions.get(marker)?.sound,
      receipts: receipts.get(marker) ?? [],
      wantsOne: submissions.get(marker)?.hasCallback === true,
      looks: factsAbout(facts, "Looked", id),
      followUps: [
        ...factsAbout(facts, "Retry", id),
        ...factsAbout(facts, "Redelivery", id),
        ...factsAbout(facts, "LateFollowUp", id)
      ],
      corrections: factsAbout(facts, "CorrectionRequested", id),
      goneAt: removals.find(({ isAnswered }) => isAnswered)?.endedAt ?? Number.POSITIVE_INFINITY
    }
  }
  const rule = "DELIVERED means that a receiver got the webhook and answered 2xx"
  const untrue = [...ids].filter(([marker]) => {
    const known = knownOf(marker)
    return known.looks.some((look) => isFalselyDelivered(look, known))
  })
  return [
    ...[...receipts.keys()].flatMap((marker) => auditMarker(knownOf(marker))),
    ...untrue.slice(0, 1).map(([marker, id]) => ({ rule, what: `${marker} (${id})` }))
  ]
}
