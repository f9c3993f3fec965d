/**
 * Judges a run by what was visible from outside. Some rules must always hold, others only once the
 * faults have ended. The model judges presets; rules that share no code with core judge jobs,
 * ledgers and deliveries.
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
import { type Fact, type FactOf, factsOf, otherDatabase, type Violation } from "../record/Facts.ts"
import { auditCorrections } from "./CorrectionAudit.ts"
import { auditDeliveries } from "./DeliveryAudit.ts"
import { auditInterruptions, auditJobs, auditRemovals } from "./JobAudit.ts"
import { auditKeyed } from "./KeyedAudit.ts"
import { auditLedger } from "./LedgerAudit.ts"
import { auditNotices } from "./NoticeAudit.ts"
import { auditPieces } from "./PieceAudit.ts"
import { auditRetention } from "./RetentionAudit.ts"

/** A subscriber receives every commit of each existing job exactly once, in order. */
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
    // An unanswered revocation may have taken effect.
    const mayBeRevoked = at !== undefined || key === "key-2"
    return isKnown || mayBeRevoked ? [] : [{ rule, what: `${key} is unknown` }]
  })
}

const auditStrangers = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> =>
  factsOf(facts, "StrangerLooked")
    .filter(({ answer }) => answer !== "RequestNotFound")
    .map(({ answer, what }) => ({
      rule: "no workspace sees another's job",
      what: `a stranger asked for the ${what} and was told ${answer}`
    }))

const auditRun = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => [
  ...factsOf(facts, "Defect").map(({ by, what }) => ({
    rule: "nothing fails with a defect",
    what: `${by}: ${what}`
  })),
  ...factsOf(facts, "ClaimedLate").map(({ afterMillis, by }) => ({
    rule: "a process that is stopping claims nothing",
    what: `${by} claims ${afterMillis} ms after it began to stop`
  })),
  ...factsOf(facts, "MediaLeft").map(({ id, key }) => ({
    rule: "media is deleted within a day after its job has ended",
    what: `${key} of ${id} is still stored`
  })),
  ...factsOf(facts, "FileGone").flatMap(({ by, id }) =>
    by === otherDatabase
      ? [{ rule: "no database removes another database's media", what: `that of ${id} is gone` }]
      : []
  ),
  ...factsOf(facts, "Stored").flatMap(({ pending, unfinished }) => {
    const rule = "only existing, unfinished jobs have pending work"
    const what = `${unfinished} are unfinished, ${pending} pieces of work are pending`
    return pending === unfinished ? [] : [{ rule, what }]
  }),
  ...factsOf(facts, "StillWaiting").map(({ sinceMillis, what }) => ({
    rule: "every call has a deadline",
    what: `${what} is unanswered since ${sinceMillis / 1_000} s, and still waited for`
  })),
  ...factsOf(facts, "Ended").flatMap(({ stop }) =>
    stop === null ? [] : [{ rule: "every run ends", what: stop }]
  )
]

const auditPresets = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const calls = factsOf(facts, "PresetCalled")
  return [
    ...factsOf(facts, "PresetKept").flatMap((kept) => auditPreset(kept, calls)),
    ...factsOf(facts, "PresetLeft").map(({ id, rows }) => ({
      rule: "a removed preset leaves no rows",
      what: `${rows} rows are left of ${id}`
    }))
  ]
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
  auditStrangers,
  auditRun
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
