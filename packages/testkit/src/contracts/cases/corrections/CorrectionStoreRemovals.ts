/** When corrections go: with their transcript, in whatever way it goes, and never without it. */
import type { CorrectionWish } from "@verbatim/core/correction"
import { CorrectionStore, JobStore, RetentionStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId, upTo, workspaceId } from "../../../samples/Ids.ts"
import {
  correct,
  correctInTurn,
  naming,
  reading,
  recognised,
  saying
} from "../../../samples/SampleCorrection.ts"
import { onKeeping } from "../../../samples/SampleEvent.ts"
import { commitJob } from "../../../samples/Stored.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import {
  commitAll,
  insertTranscribed,
  nothing,
  type Ports,
  storedCorrections
} from "./Transcribed.ts"

/** More than a store may delete at once. */
const many = upTo(1_300).map((index) => ({ index, text: `Said ${index}.`, speaker: null }))

/** A job with its transcript and two versions of corrections. */
const insertCorrected = Effect.fnUntraced(function* (
  number: number,
  second: CorrectionWish = saying(0, "Hi there.")
) {
  const job = yield* insertTranscribed(number)
  const decisions = correctInTurn(recognised(number), [naming("Ana"), second])
  yield* commitAll(decisions)
  return { job, decisions }
})

/** Corrections are gone, and no more can be written. */
const expectGone = Effect.fnUntraced(function* (number: number) {
  const store = yield* CorrectionStore
  yield* Expect.that("nothing is left", yield* storedCorrections(number)).is(nothing)
  yield* Expect.that("nor of any version", yield* store.overlayAt(jobId(number), 2)).is({
    speakers: [],
    segments: []
  })
  const [first, second] = correctInTurn(recognised(number), [naming("Ben"), naming("Cleo")])
  for (const late of [first, second]) {
    if (late !== undefined) yield* Expect.refuses(store.commit(late), "Absent")
  }
})

/** The cases. */
export const removals: ReadonlyArray<Case<Ports>> = workspaceCases(CorrectionStore, {
  *"goes with the job"() {
    const jobs = yield* JobStore
    yield* insertCorrected(1)
    const { decisions } = yield* insertCorrected(2)
    yield* jobs.remove(workspaceId(1), jobId(1))
    yield* expectGone(1)
    yield* Expect.that("those of another job stay", (yield* storedCorrections(2)).current).is(
      decisions[1]?.next ?? null
    )
  },
  *"goes with old jobs"() {
    const retention = yield* RetentionStore
    const { job } = yield* insertCorrected(1)
    yield* retention.remove(workspaceId(1), [{ id: job.id, revision: job.revision }])
    yield* expectGone(1)
  },
  *"goes with a transcript whose time is over"() {
    const { job } = yield* insertCorrected(1)
    yield* commitJob(job, {
      events: [onKeeping("TranscriptExpired")],
      forgotten: { history: [] }
    })
    yield* expectGone(1)
  },
  *"goes however many there are, with all that its job has"() {
    const [jobs, retention] = [yield* JobStore, yield* RetentionStore]
    for (const number of upTo(3)) yield* insertCorrected(number, reading(many))
    const [first, second, third] = yield* Effect.forEach(upTo(3), (number) =>
      Effect.flatMap(jobs.find(workspaceId(1), jobId(number)), Effect.fromOption)
    )
    if (first === undefined || second === undefined || third === undefined) return
    yield* jobs
      .remove(workspaceId(1), first.id)
      .pipe(Expect.gives("the job that is removed", Option.some(first)))
    const { id, revision } = second
    yield* retention
      .remove(workspaceId(1), [
        { id, revision },
        { id: third.id, revision: revision + 1 }
      ])
      .pipe(Expect.gives("the old job that is removed", [id]))
    yield* commitJob(third, {
      events: [onKeeping("TranscriptExpired")],
      forgotten: { history: [] }
    })
    const ids = [first.id, second.id]
    yield* Expect.that("their jobs are not there", [
      (yield* jobs.present([...ids, third.id])).size,
      ...(yield* Effect.forEach(ids, (gone) => jobs.history(gone)))
    ]).is([1, [], []])
    for (const number of upTo(3)) {
      yield* jobs.transcript(jobId(number)).pipe(Expect.gives("nor is a transcript", Option.none()))
      yield* expectGone(number)
    }
    yield* jobs
      .remove(workspaceId(1), first.id)
      .pipe(Expect.gives("there is nothing to remove any more", Option.none()))
  },
  *"leaves nothing behind where somebody corrects what goes at that moment"(store) {
    const jobs = yield* JobStore
    for (const number of upTo(12)) {
      const { decisions, job } = yield* insertCorrected(number)
      const last = decisions[1]
      if (last === undefined) return
      const late = correct(last.next, naming("Too late"), { number: 50 })
      const remove = jobs.remove(workspaceId(1), job.id)
      const expire = commitJob(job, {
        events: [onKeeping("TranscriptExpired")],
        forgotten: { history: [] }
      })
      yield* atOnce(
        [Effect.ignore(store.commit(late)), number % 2 === 0 ? remove : expire],
        (each) => each
      )
      yield* Expect.that(
        "no corrections without their transcript",
        Option.isNone(yield* jobs.transcript(job.id))
      ).is(true)
      yield* expectGone(number)
    }
  },
  *"leaves what was recognised as it was"() {
    const jobs = yield* JobStore
    const job = yield* insertTranscribed(1)
    const before = yield* jobs.transcript(job.id)
    yield* commitAll(correctInTurn(recognised(1), [naming("Ana"), saying(0, "Hi there.")]))
    yield* jobs.transcript(job.id).pipe(Expect.gives("the transcript is the same", before))
  }
})
