/**
 * Judges a round. A sequential store must be able to give all answers about each job, key and
 * preset, and the records must satisfy the rules for a round as a whole.
 */

import { keyWindow } from "@verbatim/core/idempotency"
import { Duration } from "effect"
import { type Linearity, linearize, type Model, type Operation } from "../../model/Linear.ts"
import {
  holderId,
  type PresetOperation,
  presetModel,
  presetRefusals
} from "../../model/PresetModel.ts"
import { userId } from "../../samples/Ids.ts"
import type { KeyRecord, Recorded, RecordOf } from "../calls/CallRecord.ts"
import { type JobOperation, jobModel } from "./JobModel.ts"
import { operationsOfJobs, withLostClaims } from "./JobOperations.ts"
import {
  holdOf,
  type Occurrence,
  occurrenceOf,
  overlap,
  type Witness,
  witnessesOf
} from "./Occurrence.ts"
import { describeRecord, jobSentence, objectSentence } from "./Sentences.ts"

type Witnesses = ReadonlyMap<Recorded, Witness>

/** The result of judging a round. */
export interface Judgement {
  /** A description of each violation, with the operations that show it. */
  readonly violations: ReadonlyArray<string>
  /** Number of objects with too many lost responses for the search to finish. */
  readonly undecided: number
}

const judgeJob = (
  records: ReadonlyArray<Recorded>,
  job: number,
  operations: ReadonlyArray<JobOperation>
) => {
  const verdict = linearize(jobModel, operations)
  if (verdict._tag !== "NotLinear") return verdict
  const tried = { count: 0, gaveUp: 0 }
  for (const some of withLostClaims(records, job, operations)) {
    const explained = linearize(jobModel, some)
    if (explained._tag === "Linear") return explained
    tried.count += 1
    if (explained._tag === "Undecided") tried.gaveUp += 1
  }
  return { ...verdict, tried }
}

const judgeJobs = (
  records: ReadonlyArray<Recorded>,
  witnesses: Witnesses
): ReadonlyArray<Judgement> =>
  Array.from(operationsOfJobs(records, witnesses), ([job, operations]) =>
    judgement(judgeJob(records, job, operations), (found) =>
      jobSentence({ tried: { count: 0, gaveUp: 0 }, ...found, job, operations })
    )
  )

const judgeObject = <State, Op extends Operation & { readonly record: Recorded }>(
  model: Model<State, Op>,
  name: string,
  operations: ReadonlyArray<Op>
): Judgement => judgement(linearize(model, operations), (found) => objectSentence(name, found))

const judgement = <State, Op>(
  verdict: Linearity<State, Op>,
  sentence: (found: Extract<Linearity<State, Op>, { readonly _tag: "NotLinear" }>) => string
): Judgement => ({
  violations: verdict._tag === "NotLinear" ? [sentence(verdict)] : [],
  undecided: verdict._tag === "Undecided" ? 1 : 0
})

const keyOperations = (records: ReadonlyArray<Recorded>, witnesses: Witnesses) => {
  const requests = records.filter((record) => record.call === "insert")
  const instants = requests.map(({ input }) => input.key?.atMillis ?? 0)
  const todayMillis = instants.reduce((latest, instant) => Math.max(latest, instant), 0)
  const operations = records.flatMap((record): ReadonlyArray<KeyOperation> => {
    const when = occurrenceOf(record, witnesses)
    const isAboutKey = record.call === "insert" || record.call === "idempotency"
    return when === undefined || !isAboutKey ? [] : [{ ...when, record, todayMillis }]
  })
  return Map.groupBy(operations, ({ record: { call, input } }) =>
    call === "insert" ? (input.key?.name ?? "") : input.key
  )
}

/** A preset command, with its record for the report. */
interface RecordedOperation extends PresetOperation {
  readonly record: RecordOf<"preset">
}

const isPreset = (record: Recorded): record is RecordOf<"preset"> => record.call === "preset"

/** Judges each preset's commands together with the label protections, which affect all presets. */
const judgePresets = (
  records: ReadonlyArray<Recorded>,
  witnesses: Witnesses
): ReadonlyArray<Judgement> => {
  const operations = records
    .filter(isPreset)
    .flatMap((record): ReadonlyArray<RecordedOperation> => {
      const { outcome, input } = record
      const when = occurrenceOf(record, witnesses)
      const by = input.isHolder ? holderId : userId(1)
      return when === undefined ? [] : [{ ...when, record, command: input.command, by, outcome }]
    })
  const bySlug = Map.groupBy(operations, ({ record }) => record.input.slug)
  const shared = bySlug.get("") ?? []
  bySlug.delete("")
  return Array.from(bySlug, ([slug, own]) =>
    judgeObject(presetModel(slug), `preset ${slug}`, [...shared, ...own])
  )
}

/** Judges all records of one round. */
export const judge = (records: ReadonlyArray<Recorded>): Judgement => {
  const witnesses = witnessesOf(records)
  const keys = keyOperations(records, witnesses)
  keys.delete("")
  const all = [
    ...judgeJobs(records, witnesses),
    ...Array.from(keys, ([key, operations]) => judgeObject(keyModel, `key ${key}`, operations)),
    ...judgePresets(records, witnesses)
  ]
  return {
    violations: [...generalRules(records), ...all.flatMap(({ violations }) => violations)],
    undecided: all.reduce((sum, { undecided }) => sum + undecided, 0)
  }
}

// The model of one idempotency key in a sequential store.

/** The key's latest record. */
type KeyState = KeyRecord | null

/** A request with the key, or a read of the key's record. */
interface KeyOperation extends Occurrence {
  readonly record: RecordOf<"insert"> | RecordOf<"idempotency">
  /**
   * The latest time that a request states. The store may delete a record that has expired by this
   * time.
   */
  readonly todayMillis: number
}

const windowMillis = Duration.toMillis(keyWindow)

const isSame = (one: KeyState, other: KeyState): boolean =>
  one?.job === other?.job && one?.atMillis === other?.atMillis

const hasLapsed = (record: KeyRecord, atMillis: number): boolean =>
  Math.abs(record.atMillis - atMillis) >= windowMillis

const insert = (state: KeyState, { outcome, input }: RecordOf<"insert">) => {
  const { job, key } = input
  if (outcome.is === "refused" || key === null) return state
  const isCurrent = state !== null && !hasLapsed(state, key.atMillis)
  if (outcome.is === "answered" && outcome.answer !== null) {
    return isCurrent && isSame(state, outcome.answer) ? state : undefined
  }
  return isCurrent ? undefined : { job, atMillis: key.atMillis }
}

const look = (
  state: KeyState,
  { outcome }: RecordOf<"idempotency">,
  todayMillis: number
): KeyState | undefined => {
  if (outcome.is !== "answered" || isSame(state, outcome.answer)) return state
  const mayBeForgotten = state !== null && hasLapsed(state, todayMillis)
  return outcome.answer === null && mayBeForgotten ? null : undefined
}

/** The model of an unused key. */
const keyModel: Model<KeyState, KeyOperation> = {
  initial: null,
  step: (state, { record, todayMillis }) =>
    record.call === "insert" ? insert(state, record) : look(state, record, todayMillis),
  // A read may delete an expired record.
  isRead: ({ record }) =>
    record.call === "insert" &&
    (record.outcome.is === "refused" ||
      record.input.key === null ||
      (record.outcome.is === "answered" && record.outcome.answer !== null)),
  key: (state) => (state === null ? "" : `${state.job} ${state.atMillis}`)
}

// Rules for all records of a round, in addition to the order of operations on each object.

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

/** Reports impossible refusals, and contention that no other call can have caused. */
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

/** Reports failed locks, because the check expects them to make other calls wait. */
const holdsSucceed = (records: ReadonlyArray<Recorded>): ReadonlyArray<string> =>
  records.flatMap((record) =>
    record.call === "hold" && record.outcome.is !== "answered"
      ? [`a row could not be held:\n${describeRecord(record)}`]
      : []
  )

/** Applies all the rules to a round's records. */
const generalRules = (records: ReadonlyArray<Recorded>): ReadonlyArray<string> => [
  ...ledgerSumsToBalance(records),
  ...refusalsAreJustified(records),
  ...holdsSucceed(records)
]
