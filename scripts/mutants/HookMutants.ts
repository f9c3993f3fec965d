/** Faults in what a host is told of transcripts, and in who waits for whom. */
import { core, type Mutant, sql } from "./Mutant.ts"

const current = core("domain/job/Current.ts")
const job = core("domain/job/Job.ts")
const notices = core("domain/job/Notices.ts")

const tests = [
  "packages/core/test/domain/machine/laws.test.ts",
  "packages/core/test/domain/notice/Notice.test.ts",
  "packages/core/test/worker/Announcements.test.ts"
]

export const hookMutants: ReadonlyArray<Mutant> = [
  {
    fault: "a host is told of a transcript that a job has not",
    file: notices,
    text: 'job.transcriptNotice !== undefined && job.transcription._tag === "Transcribed"',
    instead: "job.transcriptNotice !== undefined"
  },
  {
    fault: "a host is told of the end before the transcript",
    file: current,
    text: 'results ?? notice ?? ofNotice("Notify", job.notice)',
    instead: 'results ?? ofNotice("Notify", job.notice) ?? notice'
  },
  {
    fault: "a summary and a webhook wait for a listener that failed",
    file: current,
    text: "standsBack || DateTime.isLessThan(results.work.dueAt, notice.work.dueAt)",
    instead: "standsBack",
    tests
  },
  {
    fault: "a listener waits for a webhook",
    file: current,
    text: "standsBack || DateTime.isLessThan(results.work.dueAt, notice.work.dueAt)",
    instead: 'standsBack || results._tag === "Due"',
    tests
  },
  {
    fault: "a summary that cannot be made waits for its listener",
    file: job,
    text: 'event._tag === "SummarySkipped" &&',
    instead: 'event._tag === "SummarySkipped" && job.revision < 0 &&',
    tests
  },
  {
    fault: "a webhook waits for a host that is away",
    file: core("worker/Relief.ts"),
    text: "? slotsMax : 0",
    instead: "? 0 : 0",
    tests
  },
  {
    fault: "a notice stands back although its host is there",
    file: notices,
    text: "noticePatience: Duration.Duration = Duration.seconds(10)",
    instead: "noticePatience: Duration.Duration = Duration.zero",
    tests
  },
  {
    fault: "a notice that stood back goes first again",
    file: core("domain/notice/Notice.ts"),
    text: "Waiting.make({ ...state, standsBack: true })",
    instead: "Waiting.make({ ...state })",
    tests
  },
  {
    fault: "a process takes notices for a hook that it lacks",
    file: core("worker/Worker.ts"),
    text: "found[hook] !== undefined) ? slots : 0",
    instead: "found !== undefined) ? slots : 0",
    tests
  },
  {
    fault: "both notices of another run have one id",
    file: job,
    text: "id: transcriptNoticeId ?? Notice.NoticeId.make(id)",
    instead: "id: Notice.NoticeId.make(transcriptNoticeId === undefined ? id : id)",
    tests
  },
  {
    fault: "a wish for one hook calls the other",
    file: job,
    text: "withNotice(job, { hook, notice: newNotice(event) })",
    instead: 'withNotice(job, { hook: "finished", notice: newNotice(event) })',
    tests
  },
  {
    fault: "a notice moves by the events of another hook",
    file: job,
    text: 'happened._tag !== "Notice" || happened.hook === hookOf(now.task)',
    instead: 'happened._tag !== "Notice" || hookOf(now.task) !== undefined',
    tests
  },
  {
    fault: "a listener is told of the end when the transcript is there",
    file: core("services/Notices.ts"),
    text: "?.[hook]",
    instead: "?.finished",
    tests
  },
  {
    fault: "an older version takes a job with a notice of its transcript for one of its own",
    file: sql("job/JobFormat.ts"),
    text: "if (transcriptNotice !== undefined) return 5",
    instead: "if (transcriptNotice !== undefined) return firstFormat",
    tests: ["packages/adapters/test/sqlite/SqliteNewerVersion.test.ts"]
  }
]
