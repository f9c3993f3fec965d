/** The promises of a `JobStore` about requests that are repeated under an idempotency key. */
import { IdempotencyKey } from "@verbatim/core/idempotency"
import type { IdempotencyRecord } from "@verbatim/core/job"
import { JobStore, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { DateTime, Duration, Effect, Option } from "effect"
import { jobId, leaseToken, upTo, workspaceId } from "../../../samples/Ids.ts"
import { creation, makeUploadJob } from "../../../samples/SampleJob.ts"
import { instant } from "../../../samples/SampleWorkspace.ts"
import { claimIds, storedJob } from "../../../samples/Stored.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = JobStore | WorkQueue | WorkspaceStore

const record = (
  number: number,
  wishes: { readonly key?: string; readonly at?: DateTime.Utc } = {}
): IdempotencyRecord => ({
  key: IdempotencyKey.make(wishes.key ?? "order-1"),
  fingerprint: `${number}`.padStart(64, "0"),
  jobId: jobId(number),
  at: wishes.at ?? instant
})

const submit = (made: IdempotencyRecord, workspace = 1) =>
  Effect.flatMap(JobStore, (store) => {
    const job = { ...makeUploadJob(1, { workspaceId: workspaceId(workspace) }), id: made.jobId }
    return store.insert(creation(job, made))
  })

const findRecord = (key = "order-1", workspace = 1) =>
  Effect.flatMap(JobStore, (store) =>
    store.idempotency(workspaceId(workspace), IdempotencyKey.make(key))
  )

const day = Duration.hours(24)

/** What a `JobStore` promises about idempotency keys. */
export const idempotency: ReadonlyArray<Case<Ports>> = workspaceCases(JobStore, {
  *"remembers the key of a job, and makes no second job under it"() {
    yield* findRecord().pipe(Expect.gives("at first there is none", Option.none()))
    yield* submit(record(1)).pipe(Expect.gives("the first is written", Option.none()))
    yield* Expect.that("the second is told of the first", yield* submit(record(2))).is(
      Option.some(record(1))
    )
    yield* Expect.that("its record is the first one's", yield* findRecord()).is(
      Option.some(record(1))
    )
    yield* storedJob(jobId(2)).pipe(Expect.gives("it has no job", Option.none()))
    yield* claimIds(leaseToken(1)).pipe(Expect.gives("and no work", [jobId(1)]))
  },
  *"keeps keys apart by their spelling and their workspace"() {
    yield* submit(record(1))
    const others = [
      submit(record(2, { key: "Order-1" })),
      submit(record(3, { key: "order-1/" })),
      submit(record(4), 2)
    ]
    yield* Expect.that("each is the first of its kind", yield* Effect.all(others)).is([
      Option.none(),
      Option.none(),
      Option.none()
    ])
    yield* Expect.that("another workspace has its own", yield* findRecord("order-1", 2)).is(
      Option.some(record(4))
    )
  },
  *"lets a key go after 24 hours, not before"() {
    yield* submit(record(1))
    const lapse = DateTime.addDuration(instant, day)
    const before = record(2, { at: DateTime.subtract(lapse, { milliseconds: 1 }) })
    const after = record(3, { at: lapse })
    yield* Expect.that("a millisecond before it still stands", yield* submit(before)).is(
      Option.some(record(1))
    )
    yield* submit(after).pipe(Expect.gives("then it is free", Option.none()))
    yield* findRecord().pipe(Expect.gives("and stands for the new job", Option.some(after)))
  },
  *"lets a key go that a clock far ahead has taken, and no other"() {
    const ahead = DateTime.addDuration(instant, Duration.days(365))
    const before = DateTime.subtractDuration(ahead, day)
    yield* submit(record(1, { at: ahead }))
    yield* Expect.that(
      "a clock that is set back by less than a day still knows it",
      yield* submit(record(2, { at: DateTime.add(before, { milliseconds: 1 }) }))
    ).is(Option.some(record(1, { at: ahead })))
    yield* submit(record(3, { at: before })).pipe(
      Expect.gives("set back by a day, it finds the key free", Option.none())
    )
    yield* Expect.that(
      "the key stands for the new job",
      yield* submit(record(4, { at: before }))
    ).is(Option.some(record(3, { at: before })))
  },
  *"keeps a key when its job is deleted, and none of a job that was refused"(store) {
    yield* submit(record(1))
    yield* store.remove(workspaceId(1), jobId(1))
    yield* Expect.that("the key outlives the job", yield* submit(record(2))).is(
      Option.some(record(1))
    )
    yield* submit(record(3, { key: "order-3" }))
    yield* Expect.refuses(submit({ ...record(3), key: IdempotencyKey.make("new") }), "Superseded")
    yield* findRecord("new").pipe(Expect.gives("a refused job leaves no key", Option.none()))
  },
  *"makes one job of many requests at once under one key"() {
    const answers = yield* atOnce(upTo(8), (number) => submit(record(number)))
    yield* Expect.that("one was the first", answers.filter(Option.isNone).length).is(1)
    const first = yield* findRecord()
    yield* Expect.that("the others were told of it", answers.flatMap(Option.toArray)).is(
      upTo(7).flatMap(() => Option.toArray(first))
    )
    yield* Expect.that("its work is owed once", yield* claimIds(leaseToken(1))).is(
      Option.toArray(Option.map(first, ({ jobId }) => jobId))
    )
  },
  *"answers each of many requests at once for itself, whatever their keys"(store) {
    const keys = ["order-1", "order-2", "order-3"]
    yield* submit(record(91, { key: "order-2" }))
    // In turn under each key, under one of its own, and under none.
    const made = upTo(25).map((number) => {
      const key = keys[number % 5] ?? `own-${number}`
      return { key, record: number % 5 === 4 ? undefined : record(number, { key }) }
    })
    const answers = yield* atOnce(made, ({ record }, index) =>
      store.insert(creation(makeUploadJob(index + 1), record))
    )
    const firsts = yield* Effect.forEach(keys, (key) => findRecord(key))
    yield* Expect.that("each was told of the first under its key, or is it", answers).is(
      made.map(({ key, record }) => {
        const first = firsts[keys.indexOf(key)] ?? Option.none()
        const isFirst = Option.exists(first, ({ jobId }) => jobId === record?.jobId)
        return record === undefined || isFirst ? Option.none() : first
      })
    )
    yield* Expect.that("a key that stood before stands", yield* findRecord("order-2")).is(
      Option.some(record(91, { key: "order-2" }))
    )
    const written = [...answers.flatMap((answer, n) => (Option.isNone(answer) ? [n + 1] : [])), 91]
    yield* Expect.that(
      "whoever was told of none has a job, and nobody else",
      (yield* claimIds(leaseToken(1))).toSorted()
    ).is(written.map(jobId).toSorted())
  }
})
