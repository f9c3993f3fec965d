/** Implements `WorkQueue` with the work rows that the in-memory `JobStore` writes. */

import { pendingMax, recordOfKinds, WorkKind } from "@verbatim/core/attempt"
import { byDue, chooseWork } from "@verbatim/core/job"
import {
  type Capacity,
  type Lease,
  type LeaseToken,
  leaseDuration,
  type PendingCounts,
  WorkQueue
} from "@verbatim/core/ports"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { isDue, isFree, MemoryDatabase, type Tables, type WorkRow } from "./MemoryDatabase.ts"

interface Request extends Capacity {
  readonly token: LeaseToken
}

/** For each kind of work, the workspace that had its work claimed last. */
type Served = Map<WorkKind, string>

const toDueWork = ({ jobId, work: { dueAt, kind, lane, workspaceId } }: WorkRow) => ({
  jobId,
  kind,
  workspaceId,
  lane,
  dueAt: DateTime.toEpochMillis(dueAt)
})

/**
 * Shortens leases that would end later than a new lease, which happens only after the clock was set
 * back.
 */
const cutLeases = ({ work }: Tables, until: DateTime.Utc): void => {
  for (const row of work.values()) {
    if (row.lease === null || DateTime.isLessThanOrEqualTo(row.lease.until, until)) continue
    work.set(row.jobId, { ...row, lease: { ...row.lease, until } })
  }
}

const claim = (
  tables: Tables,
  {
    now,
    request,
    served
  }: { readonly now: DateTime.Utc; readonly request: Request; readonly served: Served }
) => {
  const { jobs, work } = tables
  const { held, kinds, lanes, token } = request
  const until = DateTime.addDuration(now, leaseDuration)
  cutLeases(tables, until)
  const due = [...work.values()].filter((row) => isDue(row, now) && isFree(row, now)).map(toDueWork)
  const ofKinds = WorkKind.literals.map((kind) => {
    const free = kinds[kind] ?? 0
    const after = served.get(kind) ?? ""
    const slots = { kind, free, held: held[kind] ?? {}, lanes, after }
    const chosen = chooseWork(
      due.filter((each) => each.kind === kind),
      slots
    )
    served.set(kind, chosen.at(-1)?.workspaceId ?? after)
    return { chosen, isFull: free > 0 && chosen.length === free }
  })
  const chosen = ofKinds.flatMap((one) => one.chosen).sort(byDue)
  for (const { jobId } of chosen) {
    const row = work.get(jobId)
    if (row !== undefined) work.set(jobId, { ...row, lease: { token, until } })
  }
  // Every work row has a job, because one commit writes both.
  const claimed = chosen.flatMap(({ jobId }) => jobs.get(jobId)?.job ?? [])
  return { now, jobs: claimed, hasMore: ofKinds.some(({ isFull }) => isFull) }
}

const countPending = ({ work }: Tables, kind: WorkKind, now: DateTime.Utc): PendingCounts => {
  const rows = [...work.values()]
    .filter((row) => row.work.kind === kind)
    .sort((one, other) => byDue(toDueWork(one), toDueWork(other)))
    .slice(0, pendingMax)
  const free = rows.filter((row) => isFree(row, now))
  const waiting = free.filter((row) => isDue(row, now))
  const [oldest] = waiting
  return {
    waiting: waiting.length,
    held: rows.length - free.length,
    later: free.length - waiting.length,
    age: oldest === undefined ? Duration.zero : DateTime.distance(oldest.work.dueAt, now)
  }
}

const roundProgress = (progress: number | undefined): number | undefined =>
  progress === undefined ? undefined : Math.round(progress * 1_000) / 1_000

/**
 * Finds a lease's row. Returns none if another worker took the work, or if a commit ended the
 * lease.
 */
const heldRow = ({ work }: Tables, { jobId, token }: Lease): Option.Option<WorkRow> =>
  Option.fromUndefinedOr(work.get(jobId)).pipe(Option.filter(({ lease }) => lease?.token === token))

/** Provides a `WorkQueue` in this process's memory. */
export const layer: Layer.Layer<WorkQueue, never, MemoryDatabase> = Layer.effect(
  WorkQueue,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const served: Served = new Map()

    return WorkQueue.of({
      claim: (request) =>
        Effect.map(DateTime.now, (now) => claim(tables, { now, request, served })),
      renew: (leases) =>
        Effect.map(DateTime.now, (now) => {
          const until = DateTime.addDuration(now, leaseDuration)
          const held = leases.filter((lease) => {
            const row = heldRow(tables, lease)
            if (Option.isNone(row)) return false
            const { jobId, token } = lease
            const progress = roundProgress(lease.progress) ?? row.value.lease?.progress
            tables.work.set(jobId, { ...row.value, lease: { token, until, progress } })
            return true
          })
          return { extended: new Set(held.map(({ jobId }) => jobId)), busy: new Set() }
        }),
      release: (leases) =>
        Effect.sync(() => {
          for (const lease of leases) {
            const row = heldRow(tables, lease)
            if (Option.isSome(row)) tables.work.set(lease.jobId, { ...row.value, lease: null })
          }
        }),
      pendingCounts: Effect.map(DateTime.now, (now) =>
        recordOfKinds((kind) => countPending(tables, kind, now))
      )
    })
  })
)
