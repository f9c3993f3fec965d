/**
 * What a store promises about the body that a webhook sent and may send again, and about text that
 * goes because its time is over.
 */

import { JobStore, type WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { deliveryId, jobId, leaseToken, workspaceId } from "../../../samples/Ids.ts"
import {
  attemptPostponed,
  attemptStarted,
  deliveryStarted,
  onKeeping,
  receiverAccepted,
  transcriptProduced
} from "../../../samples/SampleEvent.ts"
import { commitOf, makeOwingJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { transcript } from "../../../samples/SampleTranscript.ts"
import { instant, later } from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob, storedJob } from "../../../samples/Stored.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
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

/** A job with a transcript and a kept body. */
const transcribed = Effect.fnUntraced(function* (number: number) {
  const begun = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
    events: [attemptStarted()]
  })
  return yield* commitJob(begun, {
    events: [transcriptProduced()],
    transcript,
    body: keep(`text of ${number}`, number)
  })
})

/** The cases. */
export const bodies: ReadonlyArray<Case<Ports>> = workspaceCases(JobStore, {
  *"keeps the body that a webhook sent, until it is forgotten"(store) {
    const body = store.keptBody(jobId(1))
    const job = yield* insertJob(webhook(1))
    yield* body.pipe(Expect.gives("there is none at first", Option.none()))
    const begun = yield* commitJob(job, { events: [deliveryStarted(1)], body: keep("one") })
    yield* body.pipe(Expect.gives("it is as it was", Option.some(keptBody("one"))))
    const waiting = yield* commitJob(begun, { events: [attemptPostponed()], body: keep(long, 2) })
    yield* body.pipe(Expect.gives("another one takes its place", Option.some(keptBody(long, 2))))
    const resumed = yield* commitJob(waiting, { events: [deliveryStarted(1)] })
    yield* Expect.that("it stays where a commit says nothing", yield* body).is(
      Option.some(keptBody(long, 2))
    )
    yield* commitJob(resumed, { events: [receiverAccepted()], body: { _tag: "Forget" } })
    yield* body.pipe(Expect.gives("it is gone", Option.none()))
  },
  *"keeps no body of a commit that is refused"(store) {
    const job = yield* insertJob(webhook(1))
    const stale = commitOf(job, {
      events: [deliveryStarted(1)],
      token: leaseToken(9),
      body: keep("stale")
    })
    yield* Expect.that(
      "the lease is not held",
      (yield* Effect.result(store.commit(stale)))._tag
    ).is("Failure")
    yield* store.keptBody(jobId(1)).pipe(Expect.gives("nothing is kept", Option.none()))
  },
  *"forgets the body with its job"(store) {
    yield* commitJob(yield* insertJob(webhook(1)), {
      events: [deliveryStarted(1)],
      body: keep("one")
    })
    yield* store.remove(workspaceId(1), jobId(1))
    yield* store.keptBody(jobId(1)).pipe(Expect.gives("nothing is kept", Option.none()))
  },
  *"takes away the text of a job, also where its history repeats it, and nothing else"(store) {
    const others = [yield* transcribed(2), yield* transcribed(3)]
    const job = yield* transcribed(1)
    const before = yield* store.history(jobId(1))
    const events = [onKeeping("TranscriptExpired", later(9))]
    const revision = 2
    const left = [attemptStarted(later(3))]
    const stale = { ...commitOf(job, { events }), next: { ...job, revision: 9 } }
    const forgotten = { history: [{ revision, events: left }] }
    yield* Effect.ignore(store.commit({ ...stale, forgotten }))
    yield* store.history(jobId(1)).pipe(Expect.gives("a refused commit takes nothing away", before))
    const next = yield* commitJob(job, { events, at: later(9), forgotten })
    yield* storedJob(jobId(1)).pipe(Expect.gives("the job is told so", Option.some(next)))
    yield* Expect.that(
      "its history says something else in that place",
      yield* store.history(jobId(1))
    ).is([
      ...before.map((entry) => (entry.revision === revision ? { ...entry, events: left } : entry)),
      { revision: next.revision, at: later(9), events, token: Option.none() }
    ])
    const kept = Effect.all({
      transcript: store.transcript(jobId(1)),
      part: store.transcriptPart(jobId(1), Option.none()),
      body: store.keptBody(jobId(1))
    })
    const none = { transcript: Option.none(), part: Option.none(), body: Option.none() }
    yield* kept.pipe(Expect.gives("transcript and body are gone", none))
    for (const { id } of others) {
      yield* Expect.holds("others have theirs", Option.isSome(yield* store.transcript(id)))
      yield* Expect.holds("and their body", Option.isSome(yield* store.keptBody(id)))
    }
  }
})
