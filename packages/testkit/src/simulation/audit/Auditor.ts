/**
 * Judges a run by what was visible from outside. Some rules must always hold, others only after the
 * faults have ended. Presets are judged by the model, and jobs, ledgers and deliveries by rules
 * that share no code with core.
 */

import { linearize } from "../../model/Linear.ts"
import {
  endingWith,
  format,
  holderId,
  isRead,
  type PresetOperation,
  presetModel
} from "../../model/PresetModel.ts"
import { userId } from "../../samples/Ids.ts"
import {
  type Fact,
  type FactOf,
  factsOf,
  makeRule,
  otherDatabase,
  type Violation
} from "../record/Facts.ts"
import { auditCorrections } from "./CorrectionAudit.ts"
import { auditDeliveries } from "./DeliveryAudit.ts"
import { auditInterruptions, auditJobs, auditRemovals } from "./JobAudit.ts"
import { auditKeyed } from "./KeyedAudit.ts"
import { auditLedger } from "./LedgerAudit.ts"
import { auditNotices } from "./NoticeAudit.ts"
import { auditPieces } from "./PieceAudit.ts"
import { auditRetention } from "./RetentionAudit.ts"

/** Checks that a subscriber received every commit of each existing job exactly once, in order. */
const auditFeeds = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> =>
  factsOf(facts, "Followed").flatMap(({ committed, heard, resets }) => {
    const known = new Set(heard)
    const twice = heard.filter((each, index) => heard.indexOf(each) !== index)
    const missed = resets > 0 ? [] : committed.filter((each) => !known.has(each))
    const places = new Map(heard.map((each, index) => [each, index]))
    const swapped = committed.filter((each, index) => {
      const before = committed[index - 1] ?? ""
      const isSameJob = before.split(" ")[0] === each.split(" ")[0]
      return isSameJob && (places.get(before) ?? 0) > (places.get(each) ?? Number.POSITIVE_INFINITY)
    })
    return [
      ...twice.map((each) => `${each} was heard twice`),
      ...missed.map((each) => `${each} was not heard`),
      ...swapped.map((each) => `${each} was heard too early`)
    ].map((what) => ({ rule: "a subscriber receives every commit once, in order", what }))
  })

const auditKeys = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const rule = "a revoked key is refused, and every other key is accepted"
  const revoked = new Map(factsOf(facts, "Revoked").map(({ at, key }) => [key, at]))
  return factsOf(facts, "Authenticated").flatMap(({ beganAt, isKnown, key }) => {
    const at = revoked.get(key)
    if (isKnown && at !== undefined && beganAt > at)
      return [{ rule, what: `${key} is still known` }]
    // A revocation may have taken effect even if it was not answered.
    const mayBeRevoked = at !== undefined || key === "key-2"
    return isKnown || mayBeRevoked ? [] : [{ rule, what: `${key} is unknown` }]
  })
}

/** Rules that judge each fact on its own. */
const singleRules = [
  makeRule("StrangerLooked", "no workspace sees another's job", ({ answer, what }) =>
    answer === "RequestNotFound"
      ? undefined
      : `a stranger asked for the ${what} and was told ${answer}`
  ),
  makeRule("Defect", "nothing fails with a defect", ({ by, what }) => `${by}: ${what}`),
  makeRule(
    "ClaimedLate",
    "a process that is stopping claims nothing",
    ({ afterMillis, by }) => `${by} claims ${afterMillis} ms after it began to stop`
  ),
  makeRule(
    "MediaLeft",
    "media is deleted within a day after its job has ended",
    ({ id, key }) => `${key} of ${id} is still stored`
  ),
  makeRule("FileGone", "no database removes another database's media", ({ by, id }) =>
    by === otherDatabase ? `that of ${id} is gone` : undefined
  ),
  makeRule(
    "Stored",
    "only existing, unfinished jobs have pending work",
    ({ pending, unfinished }) =>
      pending === unfinished
        ? undefined
        : `${unfinished} are unfinished, ${pending} pieces of work are pending`
  ),
  makeRule(
    "StillWaiting",
    "every call has a deadline",
    ({ sinceMillis, what }) =>
      `${what} is unanswered since ${sinceMillis / 1_000} s, and still waited for`
  ),
  makeRule("Ended", "every run ends", ({ stop }) => stop ?? undefined),
  makeRule(
    "PresetLeft",
    "a removed preset leaves no rows",
    ({ id, rows }) => `${rows} rows are left of ${id}`
  ),
  makeRule(
    "ClaimedWithoutListener",
    "a process without a listener claims no notice",
    ({ by, id }) => `${by} took that of ${id}`
  )
]

const auditPresets = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const calls = factsOf(facts, "PresetCalled")
  return factsOf(facts, "PresetKept").flatMap((kept) => auditPreset(kept, calls))
}

const audits = [
  auditJobs,
  auditInterruptions,
  auditDeliveries,
  auditCorrections,
  auditNotices,
  auditPieces,
  auditRemovals,
  auditRetention,
  auditKeyed,
  auditLedger,
  auditPresets,
  auditFeeds,
  auditKeys,
  ...singleRules
]

/** Returns the guarantees that were broken. */
export const audit = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> =>
  audits.flatMap((each) => each(facts))

const toOperation = (fact: FactOf<"PresetCalled">): PresetOperation => ({
  invoked: fact.beganAt,
  returned: fact.outcome.is === "unknown" ? Number.POSITIVE_INFINITY : fact.endedAt,
  command: fact.command,
  by: fact.isHolder ? holderId : userId(1),
  outcome: fact.outcome
})

const auditPreset = (
  { answer, at, slug }: FactOf<"PresetKept">,
  calls: ReadonlyArray<FactOf<"PresetCalled">>
): ReadonlyArray<Violation> => {
  const own = calls.filter((fact) => fact.slug === slug || fact.slug === "")
  const last: PresetOperation = {
    ...{ invoked: at, returned: at, command: { _tag: "List" }, by: userId(1) },
    outcome: { is: "answered", answer }
  }
  const known = own.filter(({ command, outcome }) => outcome.is !== "unknown" || !isRead(command))
  const isRemoved = known.some(({ command }) => command._tag === "Remove")
  const model = isRemoved ? presetModel(slug) : endingWith(presetModel(slug), answer)
  const found = linearize(model, [...known.map(toOperation), last])
  if (found._tag !== "NotLinear") return []
  const { command, invoked, outcome } = found.stuck
  const what =
    `${slug}: ${JSON.stringify(command)} at ${invoked} ms was ${JSON.stringify(outcome)}, ` +
    `and the preset was ${format.kept(found.state)}`
  return [{ rule: "commands to a preset take effect one after the other", what }]
}
