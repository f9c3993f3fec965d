/**
 * The promises of a `JobStore` about values: every state and every text comes back as it was given.
 */
import type { Job } from "@verbatim/core/job"
import { JobStore, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId, noticeId } from "../../../samples/Ids.ts"
import {
  attemptStarted,
  givenUp,
  onDelivery,
  onNotice,
  onSummary,
  transcriptWarned
} from "../../../samples/SampleEvent.ts"
import {
  type Change,
  failures,
  makeAnnouncedJob,
  makeUploadJob,
  media,
  request
} from "../../../samples/SampleJob.ts"
import { awkwardTexts, longText } from "../../../samples/SampleText.ts"
import { instant, later } from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob, storedWhole } from "../../../samples/Stored.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const at = instant
const events = (...happened: Change["events"]): Change => ({ events: happened })

/** A whole life: every kind of work once, with a failure in between. */
const life: ReadonlyArray<Change> = [
  events(attemptStarted()),
  events({ _tag: "Transcription", event: { _tag: "MediaStored", at, media: media(1) } }),
  events(attemptStarted()),
  events(transcriptWarned()),
  events(onNotice({ _tag: "AttemptStarted", at }, "transcribed")),
  events(
    onNotice(
      {
        _tag: "RetryScheduled",
        at,
        dueAt: at,
        failure: { _tag: "ListenerFailed", detail: "it failed" }
      },
      "transcribed"
    )
  ),
  events(onNotice({ _tag: "StoodBack", at }, "transcribed")),
  events(onSummary({ _tag: "AttemptStarted", at })),
  events(onSummary({ _tag: "AttemptReleased", at })),
  events(onSummary({ _tag: "AttemptStarted", at })),
  events(onSummary({ _tag: "SummaryProduced", at, type: "brief", text: longText(100_000) })),
  events(onDelivery({ _tag: "AttemptStarted", at, frozen: { balanceMillis: -7 } })),
  events(
    onDelivery({
      _tag: "RetryScheduled",
      at,
      dueAt: later(60_000),
      failure: { _tag: "ReceiverRefused", status: 503 }
    })
  ),
  events(onDelivery({ _tag: "AttemptStarted", at, frozen: { balanceMillis: 8 } })),
  events(onDelivery({ _tag: "ReceiverAccepted", at, status: 202 })),
  events(onNotice({ _tag: "AttemptStarted", at }, "transcribed")),
  events(onNotice({ _tag: "ListenerReturned", at }, "transcribed")),
  events(onNotice({ _tag: "AttemptStarted", at })),
  events(
    onNotice({
      _tag: "RetryScheduled",
      at,
      dueAt: later(60_000),
      failure: { _tag: "ListenerFailed", detail: "it took too long" }
    })
  ),
  events(onNotice({ _tag: "AttemptStarted", at })),
  events(onNotice({ _tag: "ListenerReturned", at })),
  events({
    _tag: "Renotify",
    hook: "transcribed",
    event: { _tag: "NoticeRequested", at, id: noticeId(2) }
  })
]

/** Commits a change, and demands that job and events come back as they were given. */
const expectKept = Effect.fnUntraced(function* (job: Job, change: Change) {
  const next = yield* commitJob(job, change)
  const whole = yield* storedWhole(next.id)
  yield* Expect.that("the job is the one committed", whole.job).is(Option.some(next))
  yield* Expect.that("the history has the events committed", whole.history.at(-1)?.events).is(
    change.events
  )
  return next
})

/** What comes back of a job. */
export const values: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = workspaceCases(
  JobStore,
  {
    *"keeps every state of a whole life as it is"() {
      let job: Job = yield* insertJob(makeAnnouncedJob(1))
      for (const change of life) job = yield* expectKept(job, change)
    },
    *"keeps every failure as it is"() {
      for (const [index, failure] of failures.entries()) {
        const job = yield* insertJob(makeUploadJob(index + 1))
        yield* expectKept(yield* commitJob(job, events(attemptStarted())), events(givenUp(failure)))
      }
    },
    *"keeps every text of a request as it is"() {
      const texts = [...awkwardTexts, longText(100_000)]
      for (const [index, text] of texts.entries()) {
        const job = yield* insertJob(
          makeUploadJob(index + 1, {
            request: {
              ...request,
              source: { _tag: "Upload", filename: text },
              initialPrompt: text,
              callbackId: text,
              template: text,
              keywords: [text, "other"]
            }
          })
        )
        const { job: stored } = yield* storedWhole(jobId(index + 1))
        yield* Expect.that("the job is the one given", stored).is(Option.some(job))
      }
    }
  }
)
