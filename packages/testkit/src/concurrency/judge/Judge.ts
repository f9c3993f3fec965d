/**
 * Judges a round: could a sequential store have given all the answers about each job, key and
 * preset?
 */

import { type Linearity, linearize, type Model, type Operation } from "../../model/Linear.ts"
import { holderId, type PresetOperation, presetModel } from "../../model/PresetModel.ts"
import { userId } from "../../samples/Ids.ts"
import type { Recorded, RecordOf } from "../calls/CallRecord.ts"
import { type JobOperation, jobModel } from "./JobModel.ts"
import { operationsOfJobs, withLostClaims } from "./JobOperations.ts"
import { type KeyOperation, keyModel } from "./KeyModel.ts"
import { occurrenceOf, type Witness, witnessesOf } from "./Occurrence.ts"
import { generalRules } from "./Rules.ts"
import { jobSentence, objectSentence } from "./Sentences.ts"

type Witnesses = ReadonlyMap<Recorded, Witness>

/** The result of judging a round. */
export interface Judgement {
  /** Descriptions of the violations, each with the operations that show it. */
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
