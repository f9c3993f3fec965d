/**
 * `WorkQueue` over the work rows that the memory `JobStore` writes.
 */

import { fitting, fullLanes } from "@verbatim/core/job/Lane"
import { WorkKind } from "@verbatim/core/job/Work"
import {
  type Lease,
  type LeaseToken,
  leaseDuration,
  type Room,
  WorkQueue
} from "@verbatim/core/ports/WorkQueue"
import { traced } from "@verbatim/core/trace/Traced"
import { DateTime, Effect, Layer, Option, Order } from "effect"
import { MemoryDatabase, type Tables, type WorkRow } from "./MemoryDatabase.ts"

interface Request extends Room {
  readonly token: LeaseToken
}

/** Earliest due first. The id decides between equals, so that every store answers alike. */
const order: Order.Order<WorkRow> = Order.combine(
  Order.mapInput(DateTime.Order, ({ work }: WorkRow) => work.dueAt),
  Order.mapInput(Order.String, ({ jobId }: WorkRow) => jobId)
)

/** At the very instant at which a lease ends it holds no more. */
const isFree = ({ lease }: WorkRow, now: DateTime.Utc): boolean =>
  lease === null || DateTime.isLessThanOrEqualTo(lease.until, now)

const isDue = ({ work }: WorkRow, now: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(work.dueAt, now)

const claim = (
  { jobs, work }: Tables,
  { now, request }: { readonly now: DateTime.Utc; readonly request: Request }
) => {
  const { kinds, lanes, token } = request
  const full = fullLanes(lanes)
  const until = DateTime.addDuration(now, leaseDuration)
  const free = [...work.values()]
    .filter((row) => isDue(row, now) && isFree(row, now) && !full.includes(row.work.lane))
    .sort(order)
  const ofKinds = WorkKind.literals.map((kind) => {
    const places = kinds[kind] ?? 0
    const seen = free.filter((row) => row.work.kind === kind).slice(0, places)
    return { seen, isFull: places > 0 && seen.length === places }
  })
  const seen = ofKinds.flatMap((one) => one.seen).sort(order)
  const rows = fitting(
    seen.map((row) => ({ ...row, lane: row.work.lane })),
    lanes
  )
  for (const { lane: _, ...row } of rows) {
    work.set(row.jobId, { ...row, lease: { token, until } })
  }
  // A work row without its job cannot be: one commit writes both.
  const claimed = rows.flatMap(({ jobId }) => jobs.get(jobId)?.job ?? [])
  return { now, jobs: claimed, hasMore: ofKinds.some(({ isFull }) => isFull) }
}

const rounded = (progress: number | undefined): number | undefined =>
  progress === undefined ? undefined : Math.round(progress * 1_000) / 1_000

/** The row under a lease, unless somebody else took the work, a commit ended the lease, or both. */
const heldRow = ({ work }: Tables, { jobId, token }: Lease): Option.Option<WorkRow> =>
  Option.fromUndefinedOr(work.get(jobId)).pipe(Option.filter(({ lease }) => lease?.token === token))

/** The work of the process. */
export const layer: Layer.Layer<WorkQueue, never, MemoryDatabase> = Layer.effect(
  WorkQueue,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase

    return WorkQueue.of({
      claim: traced("MemoryWorkQueue.claim")((request) =>
        Effect.map(DateTime.now, (now) => claim(tables, { now, request }))
      ),
      renew: traced("MemoryWorkQueue.renew")((leases) =>
        Effect.map(DateTime.now, (now) => {
          const until = DateTime.addDuration(now, leaseDuration)
          const held = leases.filter((lease) => {
            const row = heldRow(tables, lease)
            if (Option.isNone(row)) return false
            const { jobId, token } = lease
            const progress = rounded(lease.progress) ?? row.value.lease?.progress
            tables.work.set(jobId, { ...row.value, lease: { token, until, progress } })
            return true
          })
          return { extended: new Set(held.map(({ jobId }) => jobId)), busy: new Set() }
        })
      ),
      release: traced("MemoryWorkQueue.release")((leases) =>
        Effect.sync(() => {
          for (const lease of leases) {
            const row = heldRow(tables, lease)
            if (Option.isSome(row)) tables.work.set(lease.jobId, { ...row.value, lease: null })
          }
        })
      )
    })
  })
)
