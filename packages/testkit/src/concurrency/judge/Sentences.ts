/** Describes each violation in a sentence, with the operations that show it. */
import { DateTime } from "effect"
import type { Recorded } from "../calls/CallRecord.ts"
import { instantOf } from "../calls/JobSpec.ts"
import type { JobOperation, JobState } from "./JobModel.ts"
import type { Witness } from "./Occurrence.ts"

const outcomeText = ({ outcome }: Recorded): string => {
  if (outcome.is === "refused") return `refused, ${outcome.reason}`
  if (outcome.is === "unknown") return `no answer (${outcome.cause})`
  const { answer } = outcome
  if (answer === null) return "done"
  return Array.isArray(answer) && answer.length > shownMax
    ? `${answer.length} of them`
    : shorten(JSON.stringify(answer))
}

/** Maximum number of elements and characters shown from an answer. */
const shownMax = 12
const textMax = 300

const shorten = (text: string): string =>
  text.length > textMax ? `${text.slice(0, textMax)}…` : text

const questionText = (record: Recorded): string => {
  if (record.call === "commit") {
    const { spec, job, revision, token } = record.input
    const under = token === null ? "under no token" : `under token ${token}`
    return `commit ${spec.machine}.${spec.event} of job ${job} at revision ${revision} ${under}`
  }
  return shorten(`${record.call} ${JSON.stringify(record.input)}`)
}

/** Formats a record as one line: time, caller, call and answer. */
export const describeRecord = (record: Recorded): string => {
  const { by, id, invoked, returned } = record
  const [from, to] = [invoked, returned].map((millis) => (millis % 1_000_000).toFixed(1))
  return `  #${id} ${by} [${from}–${to}] ${questionText(record)}: ${outcomeText(record)}`
}

/** Number of operations shown before the operation that contradicts them. */
const placedShown = 6

interface Placed extends Partial<Witness> {
  readonly record: Recorded
}

const describePlaced = ({ record, seenBy }: Placed): string =>
  describeRecord(record) + (seenBy === undefined ? "" : `, and #${seenBy.id} saw it done`)

const describeFound = ({
  placed,
  stuck
}: {
  readonly placed: ReadonlyArray<Placed>
  readonly stuck: Placed
}): string =>
  [
    ...placed.slice(-placedShown).map(describePlaced),
    `→ ${describePlaced(stuck).trimStart()}`
  ].join("\n")

/** The result of searching for an order of a job's operations. */
interface FoundJob {
  readonly job: number
  readonly state: JobState
  readonly stuck: JobOperation
  readonly placed: ReadonlyArray<JobOperation>
  readonly operations: ReadonlyArray<JobOperation>
  /** The number of searches with lost claims, and the number that reached the step limit. */
  readonly tried: { readonly count: number; readonly gaveUp: number }
}

const describeTried = ({ tried: { count, gaveUp } }: FoundJob): string =>
  count === 0 ? "" : `; nor with lost claims, in ${count} searches, of which ${gaveUp} gave up`

/** Describes a commit with an answer that contradicts the history of its job. */
const wrongCommit = ({ job, operations }: FoundJob): string | undefined => {
  const histories = operations.flatMap(({ record }) =>
    record.call === "history" && record.outcome.is === "answered" ? [record.outcome.answer] : []
  )
  const last = histories.at(-1) ?? []
  if (last.length === 0) return undefined
  for (const { record } of operations) {
    if (record.call !== "commit") continue
    const atMillis = DateTime.toEpochMillis(instantOf(record.id))
    const isWritten = last.some((entry) => Number(entry.split(" ")[1]) === atMillis)
    const line = describeRecord(record)
    const { is } = record.outcome
    if (is === "answered" && !isWritten) {
      return `a commit of job ${job} was reported written, but its history lacks it:\n${line}`
    }
    if (is === "refused" && isWritten) {
      return `a commit of job ${job} was reported superseded, but its history has it:\n${line}`
    }
  }
  return undefined
}

/** Explains why the operation was not possible in the state that the job must have been in. */
const describeMisfit = ({ job, state, stuck }: FoundJob): string => {
  const { isPassedOver, record } = stuck
  const lease = state.lease === null ? "no token held it" : `token ${state.lease} held it`
  if (isPassedOver) return `job ${job} has pending work that no claim finds`
  switch (record.call) {
    case "claim":
      return `a claim returned job ${job}, which was not available (${lease}) or had another state`
    case "renew":
      if (stuck.isRowFree)
        return `a renewal was answered busy about job ${job}, whose row was not locked`
      return `a renewal was answered wrongly about job ${job} (${lease})`
    case "ledger": {
      const charges = stuck.charges?.join() || "nothing"
      return `job ${job} was charged wrongly: ${charges}, not ${state.charged}`
    }
    case "history":
      return `the history of job ${job} is not what was committed`
    case "transcript":
      return `the transcript of job ${job} is not the one that was committed last`
    default:
      return `the answers about job ${job} fit no order of its operations (${lease})`
  }
}

/** Describes a violation about a job. */
export const jobSentence = (found: FoundJob): string =>
  `${wrongCommit(found) ?? describeMisfit(found)}${describeTried(found)}\n${describeFound(found)}`

/** Describes a violation about a key or a preset. */
export const objectSentence = (name: string, found: Parameters<typeof describeFound>[0]): string =>
  `the answers about ${name} fit no order of its operations\n${describeFound(found)}`
