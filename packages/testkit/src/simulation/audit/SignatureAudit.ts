/**
 * Every webhook is signed under secrets that were valid during its attempt: all those of its
 * workspace, or those of the operator when it has none, and under no other.
 */

import { type Fact, type FactOf, factsOf } from "../record/Facts.ts"
import { expected } from "../world/Signing.ts"
import type { Violation } from "./Violation.ts"

type Receipt = FactOf<"Received">

/** From the start of an attempt, after which secrets are read, to the arrival of its request. */
const attemptMillis = 31_000

/** The workspace's secrets, by what is known of them when a request came. */
const secretsAt = (facts: ReadonlyArray<Fact>, { at }: Receipt) => {
  const taken = factsOf(facts, "SecretTaken")
  const given = factsOf(facts, "SecretGiven").filter(({ beganAt }) => beganAt <= at)
  const since = at - attemptMillis
  const isOut = (secret: string) =>
    taken.some((each) => each.secret === secret && each.isCertain && each.endedAt < since)
  const mayBeOut = (secret: string) =>
    taken.some((each) => each.secret === secret && each.beganAt <= at)
  return {
    possible: given.filter(({ secret }) => !isOut(secret)),
    certain: given.filter(
      ({ endedAt, isCertain, secret }) =>
        // What the story sets up is there before anything happens.
        isCertain && (endedAt < since || endedAt === 0) && !mayBeOut(secret)
    )
  }
}

const auditReceipt = (facts: ReadonlyArray<Fact>, receipt: Receipt): ReadonlyArray<string> => {
  const isForeign = factsOf(facts, "Foreign").some(({ marker }) => marker === receipt.marker)
  const defaults = factsOf(facts, "DefaultSecrets").flatMap(({ secrets }) => secrets)
  const own = secretsAt(facts, receipt)
  const possible = isForeign ? [] : own.possible.map(({ secret }) => secret)
  const certain = isForeign ? [] : own.certain.map(({ secret }) => secret)
  const tagsOf = (secrets: ReadonlyArray<string>) =>
    secrets.map((secret) => expected(secret, receipt))
  const tags = receipt.signature.split(" ").filter((tag) => tag !== "")
  const allowed = tagsOf([...possible, ...(certain.length === 0 ? defaults : [])])
  const required = tagsOf(possible.length === 0 ? defaults : certain)
  return [
    ...(tags.every((tag) => allowed.includes(tag)) ? [] : ["a signature is of no valid secret"]),
    ...(required.every((tag) => tags.includes(tag)) ? [] : ["a valid secret did not sign it"])
  ]
}

/** The rule about signatures. A frozen sender read its secrets long ago. */
export const auditSignatures = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> =>
  factsOf(facts, "Received")
    .filter(({ wasFrozen }) => !wasFrozen)
    .flatMap((receipt) =>
      auditReceipt(facts, receipt).map((what) => ({
        rule: "webhooks are signed under the secrets that are valid",
        what: `${receipt.marker} at ${receipt.at} ms: ${what}`
      }))
    )
