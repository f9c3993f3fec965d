/** The promises of a `RetentionStore`. */
import { DateTime, Duration, Effect, Option } from "effect"
import { upTo, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted, givenUp } from "../../../samples/SampleEvent.ts"
import { makeOldJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { foundWorkspace, instant, withWorkspace } from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"
import { advance, atOnce, type Case, type Contract } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { noteOf, type Ports, retention } from "./Retention.ts"
import { looks } from "./RetentionStoreLooks.ts"
import { removals } from "./RetentionStoreRemovals.ts"

const turns: ReadonlyArray<Case<Ports>> = [
  {
    title: "gives the turn to one of many, until it passes it on or falls silent",
    effect: withWorkspace(function* () {
      const store = yield* retention
      const hold = Duration.minutes(10)
      const take = (holder: string) => store.takeTurn({ holder, hold })
      const asked = yield* atOnce(upTo(8), (number) => take(`holder ${number}`))
      yield* Expect.that("one has it", { actual: asked.filter(Boolean).length, expected: 1 })
      const holder = `holder ${asked.indexOf(true) + 1}`
      yield* take("another").pipe(Expect.gives("nobody else gets it", false))
      yield* advance(Duration.minutes(6))
      yield* take(holder).pipe(Expect.gives("its holder keeps it", true))
      yield* advance(Duration.minutes(6))
      yield* take("another").pipe(Expect.gives("for as long as it asks", false))
      yield* advance(Duration.minutes(5))
      yield* take("another").pipe(Expect.gives("then it is free", true))
      yield* store.passTurn({ holder, pause: Duration.zero })
      yield* take(holder).pipe(Expect.gives("only its holder can pass it on", false))
      yield* store.passTurn({ holder: "another", pause: Duration.minutes(30) })
      yield* take("another").pipe(Expect.gives("nobody has it in the pause", false))
      yield* advance(Duration.minutes(31))
      yield* take(holder).pipe(Expect.gives("and anybody afterwards", true))
    })
  }
]

const days = (count: number): DateTime.Utc => DateTime.add(instant, { days: count })

const previews: ReadonlyArray<Case<Ports>> = [
  {
    title: "tells what is over, and changes nothing",
    effect: withWorkspace(function* () {
      const store = yield* retention
      yield* foundWorkspace(2)
      const jobs = [
        makeOldJob(1, { at: days(1), holding: "Media" }),
        makeOldJob(2, { at: days(2) }),
        makeOldJob(3, { at: days(3), holding: "Nothing" }),
        makeOldJob(4, { at: days(4), holding: "Nothing" }),
        makeOldJob(5, { at: days(5) }),
        makeOldJob(6, { at: days(6), holding: "Media" }),
        makeOldJob(7, { at: days(7), holding: "Media" }),
        makeOldJob(8, { at: days(8) }),
        makeOldJob(9, { at: days(9), holding: "Media" }),
        makeUploadJob(10),
        { ...makeOldJob(11), workspaceId: workspaceId(2) }
      ]
      yield* Effect.forEach(jobs, insertJob)
      const failing = yield* commitJob(yield* insertJob(makeUploadJob(12)), {
        events: [attemptStarted()]
      })
      yield* commitJob(failing, { events: [givenUp({ _tag: "AudioMissing" })] })
      const cutoffs = { media: days(8), transcript: days(6), job: days(3) }
      const first = workspaceId(1)
      // The failed job ended at once, so it goes as a whole.
      yield* store.overdue(first, cutoffs).pipe(
        Expect.gives("each kind, of jobs that stay", {
          jobs: 4,
          transcripts: 2,
          media: 2,
          oldest: Option.some(instant),
          unnoted: 0
        })
      )
      yield* store.overdue(first, { ...cutoffs, job: null }).pipe(
        Expect.gives("a failed job has a file and no transcript", {
          jobs: 0,
          transcripts: 4,
          media: 4,
          oldest: Option.some(instant),
          unnoted: 0
        })
      )
      const none = { media: null, transcript: null, job: null }
      yield* Expect.that("without a rule nothing is over", {
        actual: yield* store.overdue(first, none),
        expected: { jobs: 0, transcripts: 0, media: 0, oldest: Option.none(), unnoted: 0 }
      })
      yield* Effect.forEach(jobs.slice(0, 2), (job) =>
        store.note([{ ...noteOf(job), endedAt: Option.none() }])
      )
      yield* Expect.that("jobs without a noted end are counted by themselves", {
        actual: yield* store.overdue(first, { ...cutoffs, media: null, transcript: null }),
        expected: { jobs: 2, transcripts: 0, media: 0, oldest: Option.some(instant), unnoted: 2 }
      })
    })
  }
]

/** All of them. */
export const contract: Contract<Ports> = {
  port: "RetentionStore",
  cases: [...looks, ...removals, ...turns, ...previews]
}
