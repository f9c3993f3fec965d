/**
 * Implements `JobStore` in memory. A commit writes to a few maps without interruption, which makes
 * it a transaction.
 */

import type { JobId } from "@verbatim/core/attempt"
import { makeCorrector, noCorrections } from "@verbatim/core/correction"
import type { KeptBody } from "@verbatim/core/delivery"
import {
  failureName,
  isCurrentRecord,
  type Job,
  type JobQuery,
  jobEnd,
  legacyStatus
} from "@verbatim/core/job"
import {
  type Commit,
  type Creation,
  type HistoryEntry,
  JobStore,
  JobStoreError,
  type TextRemoval,
  type UnfinishedQuery
} from "@verbatim/core/ports"
import { findMoments, type SearchText, toSearchText } from "@verbatim/core/rendering"
import {
  type Peaks,
  type Piece,
  partLengthMax,
  type Transcript,
  type TranscriptCursor,
  type TranscriptPart,
  toPieceWork
} from "@verbatim/core/transcription"
import type { ApiKeyId, LimitOwner, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Layer, Option, Random } from "effect"
import { append, findChanges, removeJob } from "./MemoryChanges.ts"
import { addEntry, adoptMedia, MemoryDatabase, readMark, type Tables } from "./MemoryDatabase.ts"

const supersededError = (operation: string) =>
  new JobStoreError({ operation, reason: { _tag: "Superseded" } })

const keyOf = (workspaceId: WorkspaceId, key: string): string => `${workspaceId}/${key}`

/** Counts a workspace's or a key's jobs with pending work. */
const countUnfinished = (
  { work }: Tables,
  { keyId, workspaceId }: Omit<UnfinishedQuery, "countMax">
): number =>
  [...work.values()].filter(
    (row) => row.work.workspaceId === workspaceId && (keyId === null || row.work.keyId === keyId)
  ).length

/** Returns which limit on unfinished jobs is reached, if any: the workspace's or the key's. */
const findFull = (
  tables: Tables,
  { job: { keyId, workspaceId }, unfinishedMax }: Creation
): LimitOwner | undefined => {
  const { key = null, workspace = null } = unfinishedMax ?? {}
  const isFull = (max: number | null, keyId: ApiKeyId | null) =>
    max !== null && countUnfinished(tables, { workspaceId, keyId }) >= max
  if (isFull(workspace, null)) return "workspace"
  return keyId !== undefined && isFull(key, keyId) ? "key" : undefined
}

const insert = (tables: Tables, creation: Creation) =>
  Effect.suspend(() => {
    const { idempotency, jobs, work } = tables
    const { job } = creation
    if (jobs.has(job.id)) return supersededError("insert")
    if (Option.isSome(creation.idempotency)) {
      const record = creation.idempotency.value
      const key = keyOf(job.workspaceId, record.key)
      const earlier = Option.fromUndefinedOr(idempotency.get(key))
      if (Option.exists(earlier, (found) => isCurrentRecord(found, record.at))) {
        return Effect.succeed(earlier)
      }
    }
    const of = findFull(tables, creation)
    if (of !== undefined) {
      return new JobStoreError({ operation: "insert", reason: { _tag: "Full", of } })
    }
    if (Option.isSome(creation.idempotency)) {
      const record = creation.idempotency.value
      idempotency.set(keyOf(job.workspaceId, record.key), record)
    }
    const first = { revision: job.revision, at: job.acceptedAt, events: [], token: Option.none() }
    jobs.set(job.id, {
      job,
      end: jobEnd(job),
      history: [first],
      transcript: Option.none(),
      pieces: [],
      keptBody: Option.none()
    })
    append(tables, job.id, job.revision)
    if (Option.isSome(creation.work)) {
      work.set(job.id, { jobId: job.id, work: creation.work.value, lease: null })
    }
    return Effect.succeedNone
  })

/**
 * Returns the searchable form of a job's corrected transcript, or none if there is no transcript.
 */
const searchTextOf = ({ jobs }: Tables, id: JobId): Option.Option<SearchText> => {
  const row = jobs.get(id)
  const correct = makeCorrector(row?.corrections?.current.overlay ?? noCorrections)
  return Option.map(row?.transcript ?? Option.none(), (whole) => toSearchText(correct(whole, 0)))
}

const hasWords = (tables: Tables, { id }: Job, { words }: JobQuery): boolean => {
  if (words === undefined) return true
  const text = searchTextOf(tables, id)
  const found = new Set(
    Option.match(text, { onNone: () => [], onSome: (it) => it.words.split(" ") })
  )
  return words.every((word) => found.has(word))
}

const isWanted = (job: Job, query: JobQuery): boolean => {
  const { after, callbackId, cause, createdBefore, createdFrom, status } = query
  return (
    (query.workspaceId === null || job.workspaceId === query.workspaceId) &&
    (Option.isNone(after) || job.id < after.value) &&
    (Option.isNone(status) || legacyStatus(job) === status.value) &&
    (cause === undefined || failureName(job) === cause) &&
    (callbackId === undefined || job.request.callbackId === callbackId) &&
    (createdFrom === undefined || DateTime.isGreaterThanOrEqualTo(job.acceptedAt, createdFrom)) &&
    (createdBefore === undefined || DateTime.isLessThan(job.acceptedAt, createdBefore))
  )
}

const list = (tables: Tables, query: JobQuery) =>
  Effect.sync(() =>
    [...tables.jobs.values()]
      .map(({ job }) => job)
      .filter((job) => isWanted(job, query) && hasWords(tables, job, query))
      .sort((a, b) => (a.id < b.id ? 1 : -1))
      .slice(0, query.limit)
  )

const remove = (
  tables: Tables,
  [workspaceId, id, statuses]: Parameters<JobStore["Service"]["remove"]>
) =>
  Effect.map(DateTime.now, (now) => {
    const row = tables.jobs.get(id)
    if (row?.job.workspaceId !== workspaceId) return Option.none()
    if (statuses?.includes(legacyStatus(row.job)) === false) return Option.none()
    removeJob(tables, row.job, now)
    return Option.some(row.job)
  })

const writeWork = ({ work }: Tables, commit: Commit): void => {
  const jobId = commit.next.id
  if (Option.isNone(commit.work)) {
    work.delete(jobId)
    return
  }
  const lease = commit.isLeaseKept ? (work.get(jobId)?.lease ?? null) : null
  work.set(jobId, { jobId, work: commit.work.value, lease })
}

const keptAfter = ({ body }: Commit, before: Option.Option<KeptBody>): Option.Option<KeptBody> => {
  if (Option.isNone(body)) return before
  return body.value._tag === "Keep" ? Option.some(body.value.body) : Option.none()
}

/** Returns the peaks, which are stored and removed together with the transcript. */
const peaksAfter = (
  { forgotten, peaks, transcript }: Commit,
  before: Peaks | undefined
): Peaks | undefined => {
  if (forgotten !== undefined) return undefined
  return Option.isSome(transcript) ? peaks : before
}

/**
 * Returns the pieces after a commit. The commit's piece replaces an existing piece with the same
 * index.
 */
const piecesAfter = ({ piece }: Commit, before: ReadonlyArray<Piece>): ReadonlyArray<Piece> =>
  piece === undefined
    ? before
    : [...before.filter(({ index }) => index !== piece.index), structuredClone(piece)].sort(
        (one, other) => one.index - other.index
      )

/** Replaces the events of the history entries at the given revisions. */
const forgetTexts = (
  history: ReadonlyArray<HistoryEntry>,
  forgotten: TextRemoval | undefined
): ReadonlyArray<HistoryEntry> => {
  const events = new Map(forgotten?.history.map((entry) => [entry.revision, entry.events]))
  return history.map((entry) => ({ ...entry, events: events.get(entry.revision) ?? entry.events }))
}

const commit = (tables: Tables, change: Commit) =>
  Effect.suspend(() => {
    const { at, chargeMillis, events, forgotten, next, token, transcript } = change
    const row = tables.jobs.get(next.id)
    const held = tables.work.get(next.id)?.lease?.token
    const isHeld = Option.isNone(token) || held === token.value
    if (row === undefined || row.job.revision !== next.revision - 1 || !isHeld) {
      return supersededError("commit")
    }
    const entry = { revision: next.revision, at, events: [...events], token }
    const isForgotten = forgotten !== undefined
    tables.jobs.set(next.id, {
      job: next,
      end: jobEnd(next),
      history: [...forgetTexts(row.history, forgotten), entry],
      transcript: isForgotten
        ? Option.none()
        : Option.orElse(copyOf(transcript), () => row.transcript),
      peaks: peaksAfter(change, row.peaks),
      pieces: isForgotten ? [] : piecesAfter(change, row.pieces),
      keptBody: isForgotten ? Option.none() : keptAfter(change, row.keptBody),
      corrections: isForgotten ? undefined : row.corrections
    })
    append(tables, next.id, next.revision)
    writeWork(tables, change)
    if (Option.isSome(chargeMillis)) {
      const { id, keyId = null, workspaceId } = next
      const reason = { _tag: "Charge", jobId: id, keyId } as const
      const work = toPieceWork(next.transcription)
      addEntry(tables, { workspaceId, at, millis: -chargeMillis.value, reason, work })
    }
    return Effect.void
  })

/** Returns the segments after a cursor, which is the number of earlier segments. */
const partAfter = (whole: Transcript, before: Option.Option<TranscriptCursor>): TranscriptPart => {
  const from = Option.getOrElse(
    Option.flatMap(before, ({ next }) => next),
    () => 0
  )
  let [to, length] = [from, 0]
  for (; to < whole.segments.length; to += 1) {
    length += JSON.stringify(whole.segments[to]).length + 1
    if (length > partLengthMax && to > from) break
  }
  const isLast = to >= whole.segments.length
  return {
    ...whole,
    segments: whole.segments.slice(from, to),
    next: isLast ? Option.none() : Option.some(to)
  }
}

/** Upper bound for random feed ids, large enough that two processes never generate the same id. */
const markMax = Number.MAX_SAFE_INTEGER

const toMark = (number: number): string => number.toString(36)

/** Copies a transcript on write and read, because callers may later change their own copy. */
const copyOf = (transcript: Option.Option<Transcript>): Option.Option<Transcript> =>
  Option.map(transcript, (whole) => structuredClone(whole))

/** Creates the methods that read the data stored with jobs. */
const makeContentReads = (tables: Tables) => {
  const { jobs } = tables
  return {
    moments: (id, words) =>
      Effect.sync(() =>
        Option.match(searchTextOf(tables, id), {
          onNone: () => [],
          onSome: ({ passages }) => findMoments(passages, words)
        })
      ),
    progress: (id) =>
      Effect.sync(() => Option.fromUndefinedOr(tables.work.get(id)?.lease?.progress)),
    transcript: (id) => Effect.sync(() => copyOf(jobs.get(id)?.transcript ?? Option.none())),
    transcriptPart: (id, before) =>
      Effect.sync(() =>
        Option.map(jobs.get(id)?.transcript ?? Option.none(), (whole) => partAfter(whole, before))
      ),
    pieces: (id, range) =>
      Effect.sync(() =>
        structuredClone(jobs.get(id)?.pieces ?? []).filter(
          ({ index }) => range === undefined || (index >= range.from && index < range.to)
        )
      ),
    findPiece: (workspaceId, digest) =>
      Effect.sync(() => {
        for (const { job, pieces } of jobs.values()) {
          if (job.workspaceId !== workspaceId) continue
          const found = pieces.find((piece) => piece.digest === digest)
          if (found !== undefined) return Option.some(structuredClone(found))
        }
        return Option.none()
      }),
    peaks: (id) => Effect.sync(() => Option.fromUndefinedOr(jobs.get(id)?.peaks)),
    history: (id) => Effect.sync(() => jobs.get(id)?.history ?? []),
    keptBody: (id) => Effect.sync(() => jobs.get(id)?.keptBody ?? Option.none()),
    present: (ids) =>
      Effect.sync(
        () =>
          new Map(
            ids.flatMap((id) => {
              const row = jobs.get(id)
              return row === undefined ? [] : [[id, Option.some(row.job)] as const]
            })
          )
      )
  } satisfies Partial<JobStore["Service"]>
}

/** Provides a `JobStore` in this process's memory. */
export const layer: Layer.Layer<JobStore, never, MemoryDatabase> = Layer.effect(
  JobStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { jobs } = tables
    // The feed id is created when the first subscriber arrives, because nothing else uses it.
    const mark = yield* Effect.cached(Effect.map(Random.nextIntBetween(0, markMax), toMark))

    return JobStore.of({
      databaseIdentity: readMark(tables),
      adoptMedia: (wanted) => adoptMedia(tables, wanted),
      now: DateTime.now,
      insert: (creation) => insert(tables, creation),
      unfinished: (query) =>
        Effect.sync(() => Math.min(query.countMax, countUnfinished(tables, query))),
      idempotency: (workspaceId, key) =>
        Effect.sync(() => Option.fromUndefinedOr(tables.idempotency.get(keyOf(workspaceId, key)))),
      find: (workspaceId: WorkspaceId, id: JobId) =>
        Effect.sync(() =>
          Option.fromUndefinedOr(jobs.get(id)?.job).pipe(
            Option.filter((job) => job.workspaceId === workspaceId)
          )
        ),
      hasAny: (workspaceId: WorkspaceId) =>
        Effect.sync(() => [...jobs.values()].some(({ job }) => job.workspaceId === workspaceId)),
      list: (query) => list(tables, query),
      remove: (...wanted) => remove(tables, wanted),
      commit: (change) => commit(tables, change),
      changes: (query) =>
        Effect.map(Effect.all([mark, DateTime.now]), ([own, now]) =>
          findChanges(tables, { feedId: own, now, query })
        ),
      ...makeContentReads(tables)
    })
  })
)
