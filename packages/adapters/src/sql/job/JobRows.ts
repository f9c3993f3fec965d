/**
 * Converts a job, its history, its transcript and its charge to and from rows. Parts that are only
 * read as a whole are JSON, which a newer version may have written (docs/decisions/0015).
 */
import type { JobId } from "@verbatim/core/attempt"
import {
  failureName,
  type Holding,
  isTranscriptionEnded,
  Job,
  type JobEnd,
  JobEvent,
  jobEnd,
  legacyStatus
} from "@verbatim/core/job"
import { type Commit, type HistoryEntry, JobStoreError, LeaseToken } from "@verbatim/core/ports"
import { Peaks, toPieceWork } from "@verbatim/core/transcription"
import type { LimitOwner } from "@verbatim/core/workspace"
import { DateTime, Option, Result, Schema, SchemaTransformation } from "effect"
import type { SqlError } from "effect/sql"
import { json, makeTryReader, Unreadable } from "../row/Row.ts"
import type { LedgerEntry } from "../workspace/Ledger.ts"

/** The format of new jobs; every version can read it. */
export const firstFormat = 1

/**
 * The newest format that this code reads and writes. Newer formats can be read only by newer code.
 */
export const jobFormat = 1

/** The formats of events that the first format cannot describe. */
const laterEvents: Readonly<Record<string, number>> = {}

/** Returns the lowest format that describes these events. */
export const formatOf = (events: ReadonlyArray<JobEvent>): number =>
  Math.max(firstFormat, ...events.map(({ event }) => laterEvents[event._tag] ?? firstFormat))

/** The stored numbers for the parts that a job still has. A number's meaning never changes. */
export const holdings = { Nothing: 0, Transcript: 1, Media: 2 } as const satisfies Record<
  Holding,
  number
>

/** Returns the two columns that store when a job ended and which parts the job still has. */
const noteColumns = ({ endedAt, holding }: JobEnd) => ({
  ended_at: Option.getOrNull(Option.map(endedAt, DateTime.toEpochMillis)),
  holding: holdings[holding]
})

const endColumns = (job: Job) => noteColumns(jobEnd(job))

const JobJson = Schema.toCodecJson(Job)
const EventsJson = json(Schema.Array(JobEvent))

/**
 * Stores 8-bit numbers as bytes. Written as digits, the numbers took up more than half of a
 * database of short jobs.
 */
const bytes = Schema.Uint8ArrayFromBase64.pipe(
  Schema.decodeTo(
    Schema.toType(Peaks.fields.values),
    SchemaTransformation.transform({
      decode: (stored): ReadonlyArray<number> => [...Int8Array.from(stored)],
      encode: (values) => Uint8Array.from(values)
    })
  )
)
const PeaksJson = json(Schema.Struct({ ...Peaks.fields, values: bytes }))

const EntryRow = Schema.Struct({
  revision: Schema.Int,
  at: Schema.DateTimeUtcFromMillis,
  token: Schema.OptionFromNullOr(LeaseToken),
  events: EventsJson
})

const encodeKnown = Schema.encodeSync(JobJson)
const decodeText = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Unknown))
const decodeKnown = Schema.decodeUnknownResult(JobJson)
const encodeJob = (job: Job): string => JSON.stringify(addUnknown(encodeKnown(job), job))

/** Returns the column `events` of `job_history`. */
export const encodeEvents = Schema.encodeSync(EventsJson)

const decodeJob = (state: unknown) =>
  Result.flatMap(decodeText(state), (whole) =>
    Result.map(decodeKnown(whole), (job) => keepUnknown(job, whole))
  )

/** Reads the column `state` of `jobs`, including fields that only a newer version knows. */
export const readJob = makeTryReader(decodeJob)

/** Reads a row of `job_history`, but not the row's job. */
export const readEntry = makeTryReader(Schema.decodeUnknownResult(EntryRow))

/** Reads a transcript's peaks, which are stored with the first chunk. */
export const readPeaks = makeTryReader(Schema.decodeUnknownResult(PeaksJson))

const encodePeaks = Schema.encodeSync(PeaksJson)

/** Returns the column `peaks` for a transcript's first chunk. */
export const peaksColumn = ({ peaks }: Commit): string | null =>
  peaks === undefined ? null : encodePeaks(peaks)

/**
 * Returns the columns that a commit changes in a job's row. The columns other than `state` repeat
 * parts of the state.
 */
export const jobColumns = (job: Job) => ({
  revision: job.revision,
  is_transcription_ended: isTranscriptionEnded(job) ? 1 : 0,
  status: legacyStatus(job),
  cause: failureName(job) ?? "",
  ...endColumns(job),
  state: encodeJob(job)
})

/** Returns a new job's row. */
export const jobRow = (job: Job) => ({
  id: job.id,
  workspace_id: job.workspaceId,
  accepted_at: DateTime.toEpochMillis(job.acceptedAt),
  format: firstFormat,
  callback_id: job.request.callbackId ?? "",
  ...jobColumns(job)
})

/** Returns a commit's row in the job's history. */
export const entryRow = (id: JobId, { at, events, revision, token }: HistoryEntry) => ({
  job_id: id,
  revision,
  at: DateTime.toEpochMillis(at),
  token: Option.getOrNull(token),
  events: encodeEvents(events)
})

/** Returns the ledger entry for a commit's charge, if any. */
export const toLedgerEntry = ({ at, chargeMillis, next }: Commit): Option.Option<LedgerEntry> =>
  Option.map(chargeMillis, (millis) => ({
    workspaceId: next.workspaceId,
    column: "job_id",
    id: next.id,
    keyId: next.keyId ?? null,
    millis: -millis,
    work: toPieceWork(next.transcription),
    at
  }))

// A decoder drops fields that only a newer version knows. Hiding these fields in the decoded value
// and its copies preserves them until the next write.

/**
 * The key of the hidden fields is a symbol: it cannot collide with a field, survives spreading, and
 * does not appear in JSON.
 */
const unknownFields = Symbol("fields of a newer version")

type Fields = Readonly<Record<string, unknown>>

interface Carrier extends Fields {
  readonly [unknownFields]?: Fields
}

/** Whether a value is a plain object, as in JSON, rather than, for example, a date. */
const hasFields = (value: unknown): value is Carrier =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Maps all fields of an object. Returns the same object if no field changes, as is usual. */
const mapFields = (fields: Fields, change: (value: unknown, field: string) => unknown): Fields => {
  let changed: Record<string, unknown> | undefined
  for (const field of Object.keys(fields)) {
    const value = change(fields[field], field)
    if (value === fields[field]) continue
    changed ??= { ...fields }
    changed[field] = value
  }
  return changed ?? fields
}

const keepAll = (known: unknown, whole: unknown): unknown => {
  if (!hasFields(known) || !hasFields(whole)) return known
  const kept = mapFields(known, (value, field) => keepAll(value, whole[field]))
  const more = Object.keys(whole).filter((field) => !Object.hasOwn(known, field))
  if (more.length === 0) return kept
  // Assigning the fields one by one would be unsafe, because a field's name may be `__proto__`.
  const fields = Object.fromEntries(more.map((field) => [field, whole[field]]))
  return { ...kept, [unknownFields]: fields }
}

/** Attaches the unknown fields in a value's JSON to the decoded value. */
const keepUnknown = <A>(known: A, whole: unknown): A => keepAll(known, whole) as A

/** Adds a value's unknown fields to the encoded JSON. */
const addUnknown = (encoded: unknown, value: unknown): unknown => {
  if (!hasFields(encoded) || !hasFields(value)) return encoded
  const restored = mapFields(encoded, (one, field) => addUnknown(one, value[field]))
  const more = value[unknownFields]
  return more === undefined ? restored : { ...more, ...restored }
}

const reasons = JobStoreError.fields.reason.cases

/** Creates the error for a job that another process wrote first. */
export const supersededError = (operation: string) =>
  new JobStoreError({ operation, reason: reasons.Superseded.make({}) })

/** Creates the error for a reached limit on unfinished jobs. */
export const fullError = (of: LimitOwner) =>
  new JobStoreError({ operation: "insert", reason: reasons.Full.make({ of }) })

/** Creates the error for a job that a newer version wrote in its own format. */
export const tooNew = (id: JobId, format: number) =>
  new Unreadable({
    message: `job ${id} was written by a newer version`,
    cause: `its format is ${format}`
  })

const reasonOf = (operation: string, cause: SqlError.SqlError | Unreadable) => {
  if (cause._tag !== "SqlError") return reasons.Unreadable.make({ cause })
  // Only the creation of a job reports that other transactions hold the locks. For all other
  // operations, the database counts as unavailable: a worker retries its commit until its lease
  // ends.
  return cause.reason._tag === "LockTimeoutError" && operation === "insert"
    ? reasons.Contended.make({})
    : reasons.Unavailable.make({ cause })
}

/** Converts database failures to the job store's failures. */
export const toStoreError = (
  operation: string,
  cause: SqlError.SqlError | Unreadable | JobStoreError
): JobStoreError =>
  cause._tag === "JobStoreError"
    ? cause
    : new JobStoreError({ operation, reason: reasonOf(operation, cause) })
