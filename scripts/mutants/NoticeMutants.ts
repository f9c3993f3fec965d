/** Faults in what a host is told of jobs that are over. */
import { core, type Mutant, sql } from "./Mutant.ts"

const attemptEvents = core("domain/job/AttemptEvents.ts")
const current = core("domain/job/Current.ts")
const job = core("domain/job/Job.ts")
const machine = core("domain/notice/Notice.ts")
const notices = core("services/Notices.ts")
const worker = core("worker/Worker.ts")

const noticeTests = [
  "packages/core/test/domain/notice/Notice.test.ts",
  "packages/core/test/worker/Notices.test.ts",
  "packages/core/test/worker/WaitingNotices.test.ts"
]

export const noticeMutants: ReadonlyArray<Mutant> = [
  {
    fault: "a listener may be called a fourth time",
    file: machine,
    text: "Waiting.make({ id, attempts: attempt, dueAt })",
    instead: "Waiting.make({ id, attempts: attempt - 1, dueAt })"
  },
  {
    fault: "a listener is called a fourth time after a call that was lost",
    file: core("domain/attempt/Work.ts"),
    text: 'task === "Announce" || task === "Deliver" || task === "Notify"',
    instead: 'task === "Deliver"',
    tests: noticeTests
  },
  {
    fault: "a notice comes before the webhook",
    file: current,
    text: 'return results ?? notice ?? ofNotice("Notify", job.notice)',
    instead: `return (results?.task === "Deliver" ? undefined : results) ?? notice ??
    ofNotice("Notify", job.notice) ?? results`
  },
  {
    fault: "a notice is never owed",
    file: current,
    text: 'ofNotice("Notify", job.notice) ?? { _tag: "Idle" }',
    instead: '{ _tag: "Idle" }'
  },
  {
    fault: "a notice that waits for its host holds up a webhook that is wanted again",
    file: job,
    text: "turnOfResults(job) === undefined && !isUnderway(job)",
    instead: "isTerminal(job)",
    tests: noticeTests
  },
  {
    fault: "another run has the notice of the first",
    file: job,
    text: "{ notice: newNotice({ at, id: Notice.NoticeId.make(id) }) }",
    instead: "{ notice: job.notice }",
    tests: noticeTests
  },
  {
    fault: "a notice that is wanted again has the id of the first",
    file: job,
    text: "notice: newNotice(event) }",
    instead: "notice: newNotice({ ...event, id: noticeFor(job, hook)?.id ?? event.id }) }",
    tests: noticeTests
  },
  {
    fault: "a job is born without the notice that is wanted",
    file: core("services/JobMaking.ts"),
    text: "noticeId: wanted.finished ?",
    instead: "noticeId: wanted.finished && id.length === 0 ?"
  },
  {
    fault: "a listener that dies ends the attempt as a defect of ours",
    file: notices,
    text: ".pipe(Effect.catchCause(failWith))",
    instead: ".pipe(Effect.mapError(({ detail }) => failed(detail)))",
    tests: noticeTests
  },
  {
    fault: "a listener may hang for as long as the worker lets it",
    file: notices,
    text: "= Duration.seconds(30)",
    instead: "= Duration.seconds(300)",
    tests: noticeTests
  },
  {
    fault: "a listener that cannot be interrupted keeps its attempt",
    file: notices,
    text: "runApart(tell(made))",
    instead: "tell(made)",
    tests: noticeTests
  },
  {
    fault: "what a listener did not expect is kept with its words",
    file: notices,
    text: "defect instanceof Error ? defect.name",
    instead: "defect instanceof Error ? defect.message",
    tests: noticeTests
  },
  {
    fault: "a listener is not called, and the notice is told",
    file: notices,
    text: "Effect.timeoutOrElse(call(hook, { id, job, attempt }), {",
    instead: "Effect.timeoutOrElse(attempt > 0 ? Effect.void : call(hook, { id, job, attempt }), {"
  },
  {
    fault: "a process without a listener takes notices",
    file: worker,
    text: "? slots : 0",
    instead: "? slots : 1"
  },
  {
    fault: "a stop gives the call of a listener back uncounted",
    file: attemptEvents,
    text: `  if (isTelling(attempt.task)) {
    return failureEvents(job, { ...ended, failure: Failure.cases.WorkerLost.make({}) })`,
    instead: `  if (isTelling(attempt.task)) {
    const failure =
      attempt.task === "Notify"
        ? Failure.cases.StorageFailed.make({ detail: "it stops" })
        : Failure.cases.WorkerLost.make({})
    return failureEvents(job, { ...ended, failure })`
  },
  {
    fault: "an older version takes a job with a notice for one that is over",
    file: sql("job/JobFormat.ts"),
    text: "notice === undefined ? firstFormat : 4",
    instead: "notice === undefined ? firstFormat : firstFormat",
    tests: ["packages/adapters/test/sqlite/SqliteNewerVersion.test.ts"]
  },
  {
    fault: "a receiver is shown what a host is told",
    file: core("domain/job/WebhookBody.ts"),
    text: '["notice_status", "transcript_notice_status"] as const',
    instead: "[] as const",
    tests: noticeTests
  }
]
