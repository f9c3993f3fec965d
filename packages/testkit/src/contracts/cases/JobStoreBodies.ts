/**
 * What a store promises of the body that a webhook sent and may send again.
 */
import { JobStore } from "@verbatim/core/ports/JobStore"
import type { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import { Effect, Option } from "effect"
import { deliveryId, jobId, leaseToken, workspaceId } from "../../samples/Ids.ts"
import { delivered, postponed, sending } from "../../samples/SampleEvent.ts"
import { commitOf, owing } from "../../samples/SampleJob.ts"
import { founded, instant } from "../../samples/SampleWorkspace.ts"
import { committed, inserted } from "../../samples/Stored.ts"
import type { Case } from "../Contract.ts"
import * as Expect from "../Expect.ts"

type Ports = JobStore | WorkspaceStore

const kept = (body: string, delivery = 1) => ({
  deliveryId: deliveryId(delivery),
  contentType: "text/plain; charset=utf-8",
  body
})

const keep = (body: string, delivery = 1) => ({
  _tag: "Keep" as const,
  body: kept(body, delivery)
})

/** Longer than one piece, with characters of two units at every place where it may be cut. */
const long = '🎙️é\u2028"'.repeat(400_000)

const webhook = (number: number) => owing(number, { kind: "Deliver", dueAt: instant })

/** The cases. */
export const bodies: ReadonlyArray<Case<Ports>> = [
  {
    title: "keeps the body that a webhook sent, until it is forgotten",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* JobStore
      const body = store.keptBody(jobId(1))
      const job = yield* inserted(webhook(1))
      yield* Expect.that("there is none at first", { actual: yield* body, expected: Option.none() })
      const begun = yield* committed(job, { events: [sending(1)], body: keep("one") })
      yield* Expect.that("it is as it was", {
        actual: yield* body,
        expected: Option.some(kept("one"))
      })
      const waiting = yield* committed(begun, { events: [postponed()], body: keep(long, 2) })
      yield* Expect.that("another one takes its place", {
        actual: yield* body,
        expected: Option.some(kept(long, 2))
      })
      const resumed = yield* committed(waiting, { events: [sending(1)] })
      yield* Expect.that("it stays where a commit says nothing", {
        actual: yield* body,
        expected: Option.some(kept(long, 2))
      })
      yield* committed(resumed, { events: [delivered()], body: { _tag: "Forget" } })
      yield* Expect.that("it is gone", { actual: yield* body, expected: Option.none() })
    })
  },
  {
    title: "keeps no body of a commit that is refused",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* JobStore
      const job = yield* inserted(webhook(1))
      const stale = commitOf(job, {
        events: [sending(1)],
        token: leaseToken(9),
        body: keep("stale")
      })
      yield* Expect.that("the lease is not held", {
        actual: (yield* Effect.result(store.commit(stale)))._tag,
        expected: "Failure"
      })
      yield* Expect.that("nothing is kept", {
        actual: yield* store.keptBody(jobId(1)),
        expected: Option.none()
      })
    })
  },
  {
    title: "forgets the body with its job",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* JobStore
      yield* committed(yield* inserted(webhook(1)), { events: [sending(1)], body: keep("one") })
      yield* store.remove(workspaceId(1), jobId(1))
      yield* Expect.that("nothing is kept", {
        actual: yield* store.keptBody(jobId(1)),
        expected: Option.none()
      })
    })
  }
]
