/**
 * `verbatim jobs`: lists transcription jobs, waits for them, runs them again and removes them.
 */
import type { Answer } from "@verbatim/client"
import { Console, Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { call, callEach, pageMax } from "./ApiCalls.ts"
import { apiFlags, withApi } from "./ApiFlags.ts"
import { jsonFlag as json, print, printable, quoted } from "./operation.ts"
import { Refusal } from "./Refusal.ts"

type ListedJob = Answer<"transcriptions.list">["data"][number]

type Job = Answer<"transcriptions.get"> & Partial<Answer<"transcriptions.details">>

const id = Argument.String("id").pipe(
  Argument.withDescription("Id of the job, from `verbatim jobs list`")
)

const statuses = [
  "ACCEPTED",
  "IN_QUEUE",
  "IN_PROGRESS",
  "TRANSCRIBED",
  "COMPLETED",
  "FAILED",
  "WEBHOOK_DELIVERED",
  "WEBHOOK_FAILED"
] as const

const optional = <A>(flag: Flag.Flag<A>, description: string) =>
  flag.pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

const rowOf = ({ callback_id, created_at, id, status, summary_status }: ListedJob): string =>
  [
    id,
    created_at,
    status.padEnd(17),
    ...(summary_status === undefined ? [] : [`summary ${printable(summary_status)}`]),
    ...(callback_id === undefined ? [] : [`callback id ${quoted(callback_id)}`])
  ].join("  ")

const list = Command.make(
  "list",
  {
    status: optional(Flag.Literals("status", statuses), "Only jobs of this status"),
    callback_id: optional(Flag.String("callback-id"), "Only jobs with this callback id"),
    created_after: optional(
      Flag.String("created-after"),
      "Only jobs accepted then or later: a day of UTC, or an instant"
    ),
    created_before: optional(
      Flag.String("created-before"),
      "Only jobs accepted before: a day of UTC, or an instant"
    ),
    limit: Flag.Int("limit").pipe(
      Flag.withDescription("The newest ones alone, as many as that; all of them if left out"),
      Flag.filter(
        (count) => count > 0,
        () => "a whole number above 0"
      ),
      Flag.withDefault(Number.POSITIVE_INFINITY)
    ),
    json,
    ...apiFlags
  },
  Effect.fn(function* ({ json, limit, url, workspace, ...filter }) {
    const query = { ...filter, limit: Math.min(limit, pageMax) }
    const jobs = callEach(({ transcriptions }) => transcriptions.list(query)).pipe(
      Stream.take(limit)
    )
    const command = Stream.runForEach(jobs, (job) => print(json, job, rowOf))
    yield* withApi({ url, workspace }, command)
  })
).pipe(Command.withDescription("List jobs, newest first"))

/** What is known of a job, by name; what came of it last. */
const linesOf = (job: Job): ReadonlyArray<string> => {
  const { id, output, progress, status, summary } = job
  const duration = job.duration ?? output?.duration
  const rows = {
    id,
    created: job.created_at,
    file: job.filename,
    status,
    progress: progress === undefined ? undefined : `${Math.round(progress * 100)} %`,
    error: job.error,
    summary: job.summary_status,
    webhook: job.webhook_status,
    "callback id": job.callback_id,
    language: job.language ?? output?.language,
    duration: duration && `${duration} s`
  }
  const lines = Object.entries(rows).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(12)} ${printable(value)}`]
  )
  const texts = [summary, output?.list.map(({ text }) => text).join("\n")]
  return [...lines, ...texts.flatMap((text) => (text === undefined ? [] : ["", text]))]
}

/** A command about one job, which prints what the call answers. */
const makeJobCommand = (
  name: string,
  {
    calling,
    description
  }: {
    readonly description: string
    readonly calling: (id: string) => ReturnType<typeof call<Job>>
  }
) =>
  Command.make(
    name,
    { id, json, ...apiFlags },
    Effect.fn(function* ({ id, json, ...wish }) {
      const command = Effect.gen(function* () {
        const job = yield* calling(id)
        yield* print(json, job, (answer) => linesOf(answer).join("\n"))
        return job
      })
      const { transcription_status } = yield* withApi(wish, command)
      if (name === "wait" && transcription_status === "FAILED") {
        return yield* new Refusal({ sentence: `The job ${id} has failed.` })
      }
    })
  ).pipe(Command.withDescription(description))

const show = makeJobCommand("show", {
  description: "Show a job with its transcript",
  calling: (id) => call(({ transcriptions }) => transcriptions.details(id))
})

const wait = makeJobCommand("wait", {
  description: "Wait until a job has ended and show it; status 1 if it failed",
  calling: (id) => call(({ transcriptions }) => transcriptions.wait(id))
})

const retry = makeJobCommand("retry", {
  description: "Run a failed job again",
  calling: (id) => call(({ transcriptions }) => transcriptions.retry(id))
})

const ended: ReadonlySet<Job["transcription_status"]> = new Set([
  "TRANSCRIBED",
  "COMPLETED",
  "FAILED"
])

const makeRemoval = (
  name: string,
  { description, isCancel }: { readonly description: string; readonly isCancel: boolean }
) =>
  Command.make(
    name,
    { id, ...apiFlags },
    Effect.fn(function* ({ id, ...wish }) {
      const command = Effect.gen(function* () {
        const job = yield* call(({ transcriptions }) => transcriptions.get(id))
        if (isCancel && ended.has(job.transcription_status)) {
          const sentence = `The job ${id} has ended: \`verbatim jobs delete\` removes it.`
          return yield* new Refusal({ sentence })
        }
        yield* call(({ transcriptions }) => transcriptions.remove(id))
        yield* Console.log(`${id} is ${isCancel ? "cancelled and removed" : "removed"}.`)
      })
      yield* withApi(wish, command)
    })
  ).pipe(Command.withDescription(description))

const cancel = makeRemoval("cancel", {
  description: "Stop a job that has not ended, and remove it",
  isCancel: true
})

const remove = makeRemoval("delete", {
  description: "Remove a job with its media and its transcript; work on it is stopped",
  isCancel: false
})

/** The command group. */
export const jobs = Command.make("jobs").pipe(
  Command.withDescription("List, show, await, retry and remove transcription jobs"),
  Command.withSubcommands([list, show, wait, retry, cancel, remove])
)
