/** Implements `RetentionStore` in memory. */
import type { JobId } from "@verbatim/core/attempt"
import type { Cutoffs, JobPosition } from "@verbatim/core/job"
import {
  type EndedQuery,
  type ExpiredCountsPage,
  type FoundJob,
  type JobRevision,
  RetentionStore
} from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Layer, Option } from "effect"
import { removeJob } from "./MemoryChanges.ts"
import { MemoryDatabase, type Tables } from "./MemoryDatabase.ts"

const isBefore = (one: JobPosition, other: JobPosition): boolean =>
  DateTime.isLessThan(one.at, other.at) ||
  (DateTime.Equivalence(one.at, other.at) && one.id < other.id)

/** Returns a page of the jobs with an end no later than the given time, starting after a cursor. */
const pageOf = (
  all: ReadonlyArray<FoundJob>,
  { after, limit, until }: EndedQuery
): ReadonlyArray<FoundJob> =>
  all
    .filter(
      (each) =>
        DateTime.isLessThanOrEqualTo(each.at, until) &&
        Option.getOrElse(
          Option.map(after, (position) => isBefore(position, each)),
          () => true
        )
    )
    .sort((one, other) => (isBefore(one, other) ? -1 : 1))
    .slice(0, limit)

const rowsOf = ({ jobs }: Tables, workspaceId: WorkspaceId) =>
  [...jobs.values()].filter(({ job }) => job.workspaceId === workspaceId)

const ended = (tables: Tables, query: EndedQuery) =>
  pageOf(
    rowsOf(tables, query.workspaceId).flatMap(({ end, job }) =>
      end.holding === query.holding && Option.isSome(end.endedAt)
        ? [{ at: end.endedAt.value, id: job.id, job: Option.some(job) }]
        : []
    ),
    query
  )

const remove = (
  tables: Tables,
  workspaceId: WorkspaceId,
  decided: ReadonlyArray<JobRevision>
): Effect.Effect<ReadonlyArray<JobId>> =>
  Effect.map(DateTime.now, (now) =>
    decided.flatMap(({ id, revision }) => {
      const job = tables.jobs.get(id)?.job
      if (job?.workspaceId !== workspaceId || job.revision !== revision) return []
      removeJob(tables, job, now)
      return [id]
    })
  )

const countExpired = (tables: Tables, query: EndedQuery, cutoffs: Cutoffs): ExpiredCountsPage => {
  const page = ended(tables, query)
  const isOver = (at: DateTime.Utc, cutoff: DateTime.Utc | null) =>
    cutoff !== null && DateTime.isLessThanOrEqualTo(at, cutoff)
  const jobs = page.filter(({ at }) => isOver(at, cutoffs.job))
  const staying = page.filter(({ at }) => !isOver(at, cutoffs.job))
  const hasText = ({ job }: FoundJob) =>
    Option.exists(job, ({ transcription }) => transcription._tag !== "Failed")
  const transcripts = staying.filter(
    (found) => query.holding !== "Nothing" && hasText(found) && isOver(found.at, cutoffs.transcript)
  )
  const media = staying.filter(({ at }) => query.holding === "Media" && isOver(at, cutoffs.media))
  const instants = [...jobs, ...transcripts, ...media].map(({ at }) => at)
  return {
    jobs: jobs.length,
    transcripts: transcripts.length,
    media: media.length,
    oldest: Option.fromUndefinedOr(
      instants.reduce<DateTime.Utc | undefined>(
        (first, at) => (first === undefined ? at : DateTime.min(first, at)),
        undefined
      )
    ),
    last: Option.map(
      Option.fromUndefinedOr(page.length < query.limit ? undefined : page.at(-1)),
      ({ at, id }) => ({ at, id })
    )
  }
}

type LockMethods = Pick<RetentionStore["Service"], "releaseLock" | "acquireLock">

const makeLockMethods = ({ retentionLock }: Tables): LockMethods => ({
  acquireLock: ({ hold, holder }) =>
    Effect.map(DateTime.now, (now) => {
      const lock = retentionLock.get("lock")
      const isFree = lock === undefined || DateTime.isLessThanOrEqualTo(lock.until, now)
      if (!isFree && lock.holder !== holder) return false
      retentionLock.set("lock", { holder, until: DateTime.addDuration(now, hold) })
      return true
    }),
  releaseLock: ({ holder, pause }) =>
    Effect.map(DateTime.now, (now) => {
      if (retentionLock.get("lock")?.holder !== holder) return
      retentionLock.set("lock", { holder: null, until: DateTime.addDuration(now, pause) })
    })
})

/** Provides a `RetentionStore` in this process's memory. */
export const layer: Layer.Layer<RetentionStore, never, MemoryDatabase> = Layer.effect(
  RetentionStore,
  Effect.map(MemoryDatabase, (tables) =>
    RetentionStore.of({
      ...makeLockMethods(tables),
      ended: (query) => Effect.sync(() => ended(tables, query)),
      remove: (workspaceId, jobs) => remove(tables, workspaceId, jobs),
      countExpired: (query, cutoffs) => Effect.sync(() => countExpired(tables, query, cutoffs))
    })
  )
)
