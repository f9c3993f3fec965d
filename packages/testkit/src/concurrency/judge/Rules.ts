/**
 * Rules that a round's records must satisfy as a whole, in addition to the order of operations on
 * each object.
 */
import { presetRefusals } from "../../model/PresetModel.ts"
import type { Recorded } from "../calls/CallRecord.ts"
import { holdOf, overlap } from "./Occurrence.ts"
import { describeRecord } from "./Sentences.ts"

const ledgerSumsToBalance = (records: ReadonlyArray<Recorded>): ReadonlyArray<string> =>
  records.flatMap((record) => {
    if (record.call !== "ledger" || record.outcome.is !== "answered") return []
    const { amounts, balanceMillis } = record.outcome.answer
    const sum = -amounts.reduce((total, amount) => total + amount, 0)
    return sum === balanceMillis
      ? []
      : [`the lines of the ledger sum to ${sum}, the balance is ${balanceMillis}`]
  })

/**
 * The refusals that each call can get in a check. The models decide whether a refusal is justified.
 * All other refusals are impossible, because the workspace exists and this release can read every
 * stored row.
 */
const refusals: Readonly<Partial<Record<Recorded["call"], ReadonlyArray<string>>>> = {
  insert: ["Superseded", "Contended"],
  commit: ["Superseded"],
  preset: ["Contended", "NotWritten", ...presetRefusals]
}

/** Reports refusals that a call never gets, and contention that no other call can have caused. */
const refusalsAreJustified = (records: ReadonlyArray<Recorded>): ReadonlyArray<string> =>
  records.flatMap((record) => {
    const { call, outcome } = record
    if (outcome.is !== "refused") return []
    const line = describeRecord(record)
    if (!refusals[call]?.includes(outcome.reason)) {
      return [`${call} may never be refused with ${outcome.reason}:\n${line}`]
    }
    if (outcome.reason !== "Contended") return []
    const isConcurrent = (other: Recorded): boolean => {
      const hold = other === record ? undefined : holdOf(other)
      return hold !== undefined && overlap(hold, record)
    }
    return records.some(isConcurrent)
      ? []
      : [`${call} was refused as contended, but no other call wrote:\n${line}`]
  })

/** Reports locks that failed, because a failed lock makes no other call wait. */
const holdsSucceed = (records: ReadonlyArray<Recorded>): ReadonlyArray<string> =>
  records.flatMap((record) =>
    record.call === "hold" && record.outcome.is !== "answered"
      ? [`a row could not be held:\n${describeRecord(record)}`]
      : []
  )

/** Applies all the rules to a round's records. */
export const generalRules = (records: ReadonlyArray<Recorded>): ReadonlyArray<string> => [
  ...ledgerSumsToBalance(records),
  ...refusalsAreJustified(records),
  ...holdsSucceed(records)
]
