/** What a store promises about the body that a webhook sent and may send again. */

import { JobStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { deliveryId, jobId, leaseToken, workspaceId } from "../../../samples/Ids.ts"
import {
  attemptPostponed,
  deliveryStarted,
  receiverAccepted
} from "../../../samples/SampleEvent.ts"
import { commitOf, makeOwingJob } from "../../../samples/SampleJob.ts"
import { instant, withWorkspace } from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"
import type { Case } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = JobStore | WorkspaceStore

const keptBody = (body: string, delivery = 1) => ({
  deliveryId: deliveryId(delivery),
  contentType: "text/plain; charset=utf-8",
  body
})

const keep = (body: string, delivery = 1) => ({
  _tag: "Keep" as const,
  body: keptBody(body, delivery)
})

/** Longer than one piece, with characters of two units at every place where it may be cut. */
const long = '🎙️é\u2028"'.repeat(400_000)

const webhook = (number: number) => makeOwingJob(number, { kind: "Deliver", dueAt: instant })

/** The cases. */
export const bodies: ReadonlyArray<Case<Ports>> = [
  {
    title: "keeps the body that a webhook sent, until it is forgotten",
    effect: withWorkspace(function* () {
      const store = yield* JobStore
      const body = store.keptBody(jobId(1))
      const job = yield* insertJob(webhook(1))
      yield* body.pipe(Expect.gives("there is none at first", Option.none()))
      const begun = yield* commitJob(job, { events: [deliveryStarted(1)], body: keep("one") })
      yield* body.pipe(Expect.gives("it is as it was", Option.some(keptBody("one"))))
      const waiting = yield* commitJob(begun, { events: [attemptPostponed()], body: keep(long, 2) })
      yield* body.pipe(Expect.gives("another one takes its place", Option.some(keptBody(long, 2))))
      const resumed = yield* commitJob(waiting, { events: [deliveryStarted(1)] })
      yield* Expect.that("it stays where a commit says nothing", {
        actual: yield* body,
        expected: Option.some(keptBody(long, 2))
      })
      yield* commitJob(resumed, { events: [receiverAccepted()], body: { _tag: "Forget" } })
      yield* body.pipe(Expect.gives("it is gone", Option.none()))
    })
  },
  {
    title: "keeps no body of a commit that is refused",
    effect: withWorkspace(function* () {
      const store = yield* JobStore
      const job = yield* insertJob(webhook(1))
      const stale = commitOf(job, {
        events: [deliveryStarted(1)],
        token: leaseToken(9),
        body: keep("stale")
      })
      yield* Expect.that("the lease is not held", {
        actual: (yield* Effect.result(store.commit(stale)))._tag,
        expected: "Failure"
      })
      yield* store.keptBody(jobId(1)).pipe(Expect.gives("nothing is kept", Option.none()))
    })
  },
  {
    title: "forgets the body with its job",
    effect: withWorkspace(function* () {
      const store = yield* JobStore
      yield* commitJob(yield* insertJob(webhook(1)), {
        events: [deliveryStarted(1)],
        body: keep("one")
      })
      yield* store.remove(workspaceId(1), jobId(1))
      yield* store.keptBody(jobId(1)).pipe(Expect.gives("nothing is kept", Option.none()))
    })
  }
]
