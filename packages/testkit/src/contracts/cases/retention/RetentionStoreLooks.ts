/** The promises of a `RetentionStore` about how jobs are found: in order, by their noted ends. */
import type { JobId } from "@verbatim/core/attempt"
import { notedEnd } from "@verbatim/core/job"
import { type EndedQuery, RetentionStore, type UnnotedQuery } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId, upTo, workspaceId } from "../../../samples/Ids.ts"
import {
  attemptStarted,
  givenUp,
  onKeeping,
  transcriptProduced
} from "../../../samples/SampleEvent.ts"
import { makeFullJob, makeOldJob, makeOwingJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { transcript } from "../../../samples/SampleTranscript.ts"
import { instant, later } from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { noteOf, type Ports } from "./Retention.ts"

const ended = (query: Partial<EndedQuery> = {}) =>
  Effect.flatMap(RetentionStore, (store) =>
    store.ended({
      workspaceId: workspaceId(1),
      holding: "Transcript",
      until: later(1_000),
      after: Option.none(),
      limit: 100,
      ...query
    })
  )

const unnoted = (query: Partial<UnnotedQuery> = {}) =>
  Effect.flatMap(RetentionStore, (store) =>
    store.unnoted({
      workspaceId: workspaceId(1),
      until: later(1_000),
      after: Option.none(),
      limit: 100,
      ...query
    })
  )

const ids = (found: ReadonlyArray<{ readonly id: JobId }>) => found.map(({ id }) => id)

/** The cases. */
export const looks: ReadonlyArray<Case<Ports>> = workspaceCases(RetentionStore, {
  *"finds ended jobs by what they hold, the earliest end first"() {
    const jobs = [
      makeOldJob(1, { at: later(30) }),
      makeOldJob(3, { at: later(10) }),
      makeOldJob(2, { at: later(10) }),
      makeOldJob(4, { at: later(20), holding: "Media" }),
      makeOldJob(5, { at: later(5), holding: "Nothing" }),
      makeUploadJob(6),
      makeOwingJob(7, { kind: "Deliver", dueAt: instant }),
      { ...makeOldJob(8), workspaceId: workspaceId(2) },
      makeOldJob(9, { at: later(31) })
    ]
    yield* Effect.forEach(jobs, insertJob)
    const until = later(30)
    const found = yield* ended({ until })
    yield* Expect.that(
      "those that hold a transcript, with their ends",
      found.map(({ at, id }) => [id, at])
    ).is([
      [jobId(2), later(10)],
      [jobId(3), later(10)],
      [jobId(1), later(30)]
    ])
    yield* Expect.that(
      "as they are",
      found.map(({ job }) => job)
    ).is([2, 1, 0].map((index) => Option.fromUndefinedOr(jobs[index])))
    yield* Expect.that("those that hold media", ids(yield* ended({ until, holding: "Media" }))).is([
      jobId(4)
    ])
    yield* Expect.that(
      "those that hold nothing",
      ids(yield* ended({ until, holding: "Nothing" }))
    ).is([jobId(5)])
  },
  *"goes on behind a place, page by page"() {
    yield* Effect.forEach(upTo(7), (number) =>
      insertJob(makeOldJob(number, { at: later(number < 5 ? 10 : 20) }))
    )
    const first = yield* ended({ limit: 3 })
    const second = yield* ended({ limit: 3, after: Option.fromUndefinedOr(first.at(-1)) })
    const third = yield* ended({ limit: 3, after: Option.fromUndefinedOr(second.at(-1)) })
    yield* Expect.that("each job once, in order", [first, second, third].map(ids)).is([
      [1, 2, 3].map(jobId),
      [4, 5, 6].map(jobId),
      [jobId(7)]
    ])
  },
  *"notes the end of a job with the commit that ends it, and takes it back when it runs again"() {
    const begun = yield* commitJob(yield* insertJob(makeFullJob(1)), {
      events: [attemptStarted()]
    })
    const without = { ...makeUploadJob(2), delivery: null, summary: null }
    const running = yield* commitJob(yield* insertJob(without), { events: [attemptStarted()] })
    yield* ended().pipe(Effect.map(ids), Expect.gives("nothing has ended", []))
    const done = yield* commitJob(running, {
      events: [{ ...transcriptProduced(later(7)) }],
      transcript
    })
    yield* Expect.that(
      "an older version did not say whether its media stays",
      (yield* ended({ holding: "Media" })).map(({ at, id }) => [id, at])
    ).is([[jobId(2), later(7)]])
    yield* commitJob(done, { events: [onKeeping("MediaExpired"), onKeeping("MediaRemoved")] })
    yield* ended().pipe(Effect.map(ids), Expect.gives("then its transcript is left", [jobId(2)]))
    const failed = yield* commitJob(begun, { events: [givenUp({ _tag: "AudioMissing" })] })
    yield* Expect.holds("its webhook is not sent", Option.isNone(notedEnd(failed).endedAt))
    yield* ended().pipe(Effect.map(ids), Expect.gives("so it has not ended", [jobId(2)]))
  },
  *"finds jobs that may have ended without a note, until their end is noted"(store) {
    const old = yield* insertJob(makeOldJob(1, { at: later(10) }))
    const owing = yield* insertJob({
      ...makeOwingJob(2, { kind: "Deliver", dueAt: instant }),
      acceptedAt: later(5)
    })
    yield* insertJob(makeUploadJob(3))
    yield* insertJob({ ...makeOldJob(4), workspaceId: workspaceId(2) })
    yield* store.note([{ ...noteOf(old), endedAt: Option.none() }])
    yield* ended().pipe(Effect.map(ids), Expect.gives("its end is not noted any more", []))
    const found = yield* unnoted()
    yield* Expect.that(
      "it is found beside those that wait for their webhook",
      found.map(({ at, id, job }) => [id, at, job])
    ).is([
      [jobId(1), old.acceptedAt, Option.some(old)],
      [jobId(2), later(5), Option.some(owing)]
    ])
    yield* Expect.that(
      "page by page",
      ids(yield* unnoted({ after: Option.fromUndefinedOr(found[0]) }))
    ).is([jobId(2)])
    yield* unnoted({ until: later(4) }).pipe(
      Effect.map(ids),
      Expect.gives("those that were accepted by then", [jobId(1)])
    )
    yield* store.note([{ ...noteOf(old), revision: old.revision + 1 }])
    yield* ended().pipe(Effect.map(ids), Expect.gives("nobody notes another revision", []))
    yield* atOnce(upTo(4), () => store.note([noteOf(old), noteOf(owing)]))
    yield* ended().pipe(Effect.map(ids), Expect.gives("it is noted again", [jobId(1)]))
    yield* unnoted().pipe(Effect.map(ids), Expect.gives("one is left", [jobId(2)]))
    yield* store.note([])
  }
})
