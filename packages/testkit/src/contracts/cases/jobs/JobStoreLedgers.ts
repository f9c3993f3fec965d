/**
 * Contract cases for `JobStore` about ledger totals by key, day and workspace. Each ledger line
 * counts in exactly one row.
 */

import type { LedgerReason } from "@verbatim/core/job"
import { JobStore, type UsageQuery, type WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import * as Transcription from "@verbatim/core/transcription"
import {
  dayMillis,
  dayOf,
  timeOfDay,
  UsageBy,
  type UsageRow,
  type WorkspaceId
} from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import {
  apiKeyId,
  attemptStarted,
  commitJob,
  creditId,
  foundingMillis,
  insertJob,
  instant,
  jobId,
  type Line,
  later,
  makeUploadJob,
  media,
  readLedger,
  upTo,
  workspace,
  workspaceId
} from "../../../samples/index.ts"
import { type Cases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = JobStore | WorkQueue | WorkspaceStore

const today = dayOf(instant)

/** Returns a timestamp this many days after the sample timestamp. */
const onDay = (day: number, millis = 0): DateTime.Utc =>
  DateTime.makeUnsafe((today + day) * dayMillis + millis)

const wholeYear = { from: onDay(-100), to: onDay(200) }

const ask = (query: Partial<UsageQuery> & Pick<UsageQuery, "by">) =>
  WorkspaceStore.use((store) =>
    store.usage({
      ...wholeYear,
      workspaceId: null,
      keyId: null,
      after: null,
      limit: 1_000,
      ...query
    })
  )

/** A charge: its workspace, key, time and amount. */
interface Charge {
  readonly number: number
  readonly owner?: number
  readonly key?: number
  readonly at?: DateTime.Utc
  readonly millis: number
  readonly pieces?: Transcription.PieceProgress
}

/** A duration in milliseconds that needs more than 32 bits. */
const took = (times: number) => ({ engineMillis: times * 2 ** 40 })

const charge = ({ at = onDay(0), key, millis, number, owner = 1, pieces }: Charge) => {
  const keyId = key === undefined ? {} : { keyId: apiKeyId(key) }
  const queued = { id: jobId(number), media: media(number), attempts: 0, dueAt: at }
  const transcription = Transcription.State.cases.Queued.make(
    pieces === undefined ? queued : { ...queued, pieces }
  )
  const job = makeUploadJob(number, { workspaceId: workspaceId(owner), ...keyId, transcription })
  const change = { events: [attemptStarted()], chargeMillis: millis, at }
  return Effect.flatMap(insertJob(job), () => commitJob(job, change))
}

const addSecond = WorkspaceStore.use((store) => store.create(workspace(2)))

const rowOf = (row: Partial<UsageRow>): UsageRow => ({
  ...{ day: null, workspaceId: null, keyId: null },
  ...{ chargedMillis: 0, jobs: 0, creditedMillis: 0, ...Transcription.noPieceWork },
  ...row
})

/** Books charges with three keys and without a key, in two workspaces, on several days. */
const chargeMany = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  yield* addSecond
  for (const number of upTo(24)) {
    const key = number % 4 === 0 ? {} : { key: 1 + (number % 3) }
    // A charge in the first or last millisecond of a day must count for exactly one day.
    const at = onDay(number % 5, (number % 2) - 1)
    yield* charge({ number, owner: 1 + (number % 2), ...key, at, millis: 2 ** number })
  }
  for (const number of upTo(4)) {
    const given = { id: creditId(100 + number), millis: -number, at: onDay(number) }
    yield* store.credit({ ...given, workspaceId: workspaceId(2) })
  }
})

/** Reads all totals in pages of one row each. */
const readPages = Effect.fnUntraced(function* (query: Pick<UsageQuery, "by">) {
  const rows: Array<UsageRow> = []
  for (;;) {
    const [row] = yield* ask({ ...query, after: rows.at(-1) ?? null, limit: 1 })
    if (row === undefined || rows.length > 100) return rows
    rows.push(row)
  }
})

/**
 * Queries for totals of all workspaces, one workspace, an unknown workspace, and keys in one
 * workspace.
 */
const subjects = [
  { workspaceId: null, keyId: null },
  ...upTo(3).map((number) => ({ workspaceId: workspaceId(number), keyId: null })),
  { workspaceId: workspaceId(1), keyId: apiKeyId(1) },
  { workspaceId: workspaceId(2), keyId: apiKeyId(2) }
]

const periods = [wholeYear, timeOfDay(today + 3), { from: onDay(1), to: onDay(3) }]

/** Computes the expected totals by adding up ledger lines one by one. */
const sumLines = (
  lines: ReadonlyArray<Line & { readonly workspaceId: WorkspaceId }>,
  {
    by,
    from,
    keyId,
    to,
    ...query
  }: Pick<UsageQuery, "by" | "from" | "keyId" | "to" | "workspaceId">
): ReadonlyArray<UsageRow> => {
  const rows = new Map<string, UsageRow>()
  for (const { at, millis, reason, workspaceId } of lines) {
    const isCharge = reason._tag === "Charge"
    const key = isCharge ? reason.keyId : null
    const isWithin = DateTime.between(at, {
      minimum: from,
      maximum: DateTime.subtract(to, { milliseconds: 1 })
    })
    if (!isWithin || workspaceId !== (query.workspaceId ?? workspaceId)) continue
    if (key !== (keyId ?? key)) continue
    const subject = {
      day: by === "day" ? dayOf(at) : null,
      workspaceId: by === "day" ? null : workspaceId,
      keyId: by === "key" ? key : null
    }
    const place = [subject.day, subject.workspaceId, subject.keyId ?? ""].join()
    const row = rows.get(place) ?? rowOf(subject)
    rows.set(
      place,
      isCharge
        ? { ...row, chargedMillis: row.chargedMillis - millis, jobs: row.jobs + 1 }
        : { ...row, creditedMillis: row.creditedMillis + millis }
    )
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

export const usage: Cases<Ports> = workspaceCases(JobStore, {
  *"sums each ledger line once, for any subject, period, grouping and page size"(store) {
    const workspaces = yield* WorkspaceStore
    yield* chargeMany
    const found = yield* store.find(workspaceId(2), jobId(1))
    yield* Expect.that("a job has its key", Option.getOrNull(found)?.keyId).is(apiKeyId(2))
    const ledgers = yield* Effect.forEach(upTo(2).map(workspaceId), (id) =>
      Effect.map(readLedger(workspaces, id), (lines) =>
        lines.map((line) => ({ ...line, workspaceId: id }))
      )
    )
    const lines = ledgers.flat()
    for (const by of UsageBy.literals) {
      for (const subject of subjects) {
        for (const period of periods) {
          const query = { by, ...subject, ...period }
          const expected = sumLines(lines, query)
          yield* ask(query).pipe(Expect.gives(JSON.stringify(query), [...expected]))
        }
      }
      yield* readPages({ by }).pipe(
        Expect.gives(`by ${by}, the pages are all rows`, [...(yield* ask({ by }))])
      )
    }
  },
  *"sums the recognised and reused pieces of charged jobs, and how long they took"() {
    const pieces = { plan: "a", count: 3, ready: 3, ahead: [], most: 3 }
    const charges = [
      { number: 1, pieces: { ...pieces, commits: 3, reused: 1, ...took(7) } },
      { number: 2, pieces: { ...pieces, commits: 4, reused: 0, ...took(2) } },
      { number: 3 }
    ]
    for (const each of charges) yield* charge({ ...each, at: onDay(1), millis: 1 })
    yield* ask({ by: "day", from: onDay(1), to: onDay(2) }).pipe(
      Expect.gives("the totals of all jobs", [
        rowOf({
          ...{ day: today + 1, chargedMillis: 3, jobs: 3 },
          ...{ recognised: 6, reused: 1, ...took(9) }
        })
      ])
    )
  },
  *"sums amounts larger than 32 bits exactly"() {
    yield* charge({ number: 1, millis: 4_503_599_627_370_495 })
    yield* charge({ number: 2, millis: 2 })
    const [row] = yield* ask({ by: "day", from: onDay(0), to: onDay(1) })
    yield* Expect.that("the sum is exact", row?.chargedMillis).is(4_503_599_627_370_497)
  }
})

const reasonOf = (number: number, key?: number): LedgerReason => ({
  _tag: "Charge",
  jobId: jobId(number),
  keyId: key === undefined ? null : apiKeyId(key)
})

export const ledgers: Cases<Ports> = workspaceCases(WorkspaceStore, {
  *"returns each charge's job and key, even after the job was deleted"(store) {
    const jobs = yield* JobStore
    yield* charge({ number: 3, key: 7, at: later(3), millis: 2 })
    // An empty recording leads to a charge of zero.
    yield* charge({ number: 1, key: 8, at: later(1), millis: 0 })
    yield* charge({ number: 2, at: later(2), millis: 1 })
    const founded: LedgerReason = { _tag: "Credit", creditId: creditId(1) }
    const expected = [
      { at: later(2), millis: -1, reason: reasonOf(2) },
      { at: later(1), millis: 0, reason: reasonOf(1, 8) },
      { at: later(3), millis: -2, reason: reasonOf(3, 7) },
      { at: instant, millis: foundingMillis, reason: founded }
    ]
    const lines = Effect.map(
      store.ledger({ workspaceId: workspaceId(1), before: null, limit: 9 }),
      (all) => all.map(({ ordinal: _, ...line }) => line)
    )
    yield* lines.pipe(Expect.gives("the last booked first", expected))
    // Databases and JSON have no negative zero.
    const isBelowZero = (yield* lines).some(({ millis }) => Object.is(millis, -0))
    yield* Expect.holds("the amount is zero, not negative zero", !isBelowZero)
    for (const number of [1, 2, 3]) yield* jobs.remove(workspaceId(1), jobId(number))
    yield* lines.pipe(Expect.gives("the charges are the same without the jobs", expected))
  }
})
