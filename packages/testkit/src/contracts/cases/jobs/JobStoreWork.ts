/**
 * The promises of a `JobStore` about owed work: it is written by the commit that owes it, so that
 * nothing can be lost between store and queue.
 */
import { owedWork } from "@verbatim/core/job"
import { JobStore, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { DateTime, Duration, Option } from "effect"
import { jobId, leaseToken } from "../../../samples/Ids.ts"
import {
  attemptStarted,
  deliveryStarted,
  onSummary,
  retryScheduled,
  transcriptProduced
} from "../../../samples/SampleEvent.ts"
import { commitOf, makeFullJob, makeOwingJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { instant } from "../../../samples/SampleWorkspace.ts"
import {
  claimIds,
  claimJobs,
  commitJob,
  fullLanes,
  insertJob,
  storeTime
} from "../../../samples/Stored.ts"
import { advance, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const [first, second] = [leaseToken(1), leaseToken(2)]

/** What the queue sees of a commit. */
export const workCases: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = workspaceCases(
  JobStore,
  {
    *"writes the work that a commit owes, with its kind, instant and lane"() {
      const uploadedJob = makeUploadJob(1, {
        summary: makeFullJob(1).summary,
        delivery: makeFullJob(1).delivery
      })
      const running = yield* commitJob(yield* insertJob(uploadedJob), {
        events: [attemptStarted()]
      })
      const summarizing = yield* commitJob(running, { events: [transcriptProduced()] })
      yield* Expect.that(
        "the transcription's work is gone",
        yield* claimIds(first, { kinds: ["Fetch", "Transcribe", "Deliver"] })
      ).is([])
      const skipped = onSummary({
        _tag: "SummarySkipped",
        at: instant,
        reason: "transcript too short"
      })
      const delivering = yield* commitJob(summarizing, { events: [skipped] })
      const { lane } = Option.getOrThrow(owedWork(delivering))
      yield* Expect.that(
        "the webhook is owed in the lane of its receiver",
        yield* claimIds(first, { kinds: ["Deliver"], lanes: fullLanes([lane ?? "none"]) })
      ).is([])
      yield* Expect.that(
        "the work is that of the last commit",
        yield* claimJobs(first, { kinds: ["Deliver"] })
      ).is([delivering])
    },
    *"tells the time by which work is due"(store) {
      const before = yield* storeTime
      const now = yield* store.now
      const after = yield* storeTime
      const isBetween = DateTime.between(now, { minimum: before, maximum: after })
      yield* Expect.holds("it is that of the queue", isBetween)
      yield* insertJob(makeOwingJob(1, { kind: "Transcribe", dueAt: yield* store.now }))
      yield* claimIds(first).pipe(Expect.gives("what is due then is given out", [jobId(1)]))
    },
    *"writes a later instant, before which nobody is given the work"() {
      const dueAt = DateTime.add(yield* storeTime, { seconds: 60 })
      const running = yield* commitJob(yield* insertJob(makeUploadJob(1)), {
        events: [attemptStarted()]
      })
      yield* commitJob(running, { events: [retryScheduled(dueAt)] })
      yield* advance(Duration.seconds(59))
      yield* claimIds(first).pipe(Expect.gives("it is not due yet", []))
      yield* advance(Duration.seconds(1))
      yield* claimIds(first).pipe(Expect.gives("it is due", [jobId(1)]))
    },
    *"deletes the work when nothing is owed any more"() {
      const running = yield* commitJob(yield* insertJob(makeUploadJob(1)), {
        events: [attemptStarted()]
      })
      yield* commitJob(running, { events: [transcriptProduced()] })
      yield* advance(Duration.hours(1))
      yield* claimIds(first).pipe(Expect.gives("nothing is claimed", []))
    },
    *"writes the work anew when a commit owes it again"(store) {
      const job = yield* insertJob(makeUploadJob(1))
      const idle = { ...commitOf(job, { events: [attemptStarted()] }), work: Option.none() }
      yield* store.commit(idle)
      yield* claimIds(first).pipe(Expect.gives("nothing is owed", []))
      yield* commitJob(idle.next, { events: [retryScheduled(instant)] })
      yield* claimIds(first).pipe(Expect.gives("it is owed again", [jobId(1)]))
    },
    *"leaves the work as it was when a commit is refused"(store) {
      const job = yield* insertJob(makeUploadJob(1))
      const running = yield* commitJob(job, { events: [attemptStarted()] })
      const late = {
        ...commitOf(running, { events: [transcriptProduced()] }),
        token: Option.some(second)
      }
      yield* Expect.refuses(store.commit(late), "Superseded")
      yield* claimJobs(first).pipe(Expect.gives("the work is there", [running]))
    },
    *"keeps the lease over a commit that goes on, and ends it otherwise"() {
      const job = yield* insertJob(makeFullJob(1))
      yield* claimIds(first)
      const kept = { token: first, isLeaseKept: true }
      const fetching = yield* commitJob(job, { events: [attemptStarted()], ...kept })
      yield* claimIds(second).pipe(Expect.gives("nobody else is given the work", []))
      const waiting = yield* commitJob(fetching, {
        events: [retryScheduled(instant)],
        token: first
      })
      yield* claimJobs(second).pipe(Expect.gives("now somebody else is", [waiting]))
    },
    *"does not lengthen a lease by a commit that keeps it"() {
      const job = yield* insertJob(makeUploadJob(1, { delivery: makeFullJob(1).delivery }))
      yield* claimIds(first)
      yield* advance(Duration.seconds(20))
      const kept = { token: first, isLeaseKept: true }
      const running = yield* commitJob(job, { events: [attemptStarted()], ...kept })
      const delivering = yield* commitJob(running, { events: [transcriptProduced()], ...kept })
      yield* commitJob(delivering, { events: [deliveryStarted(1)], ...kept })
      yield* advance(Duration.seconds(10))
      yield* claimIds(second).pipe(Expect.gives("it ends when it would have ended", [jobId(1)]))
    }
  }
)
