/** `verbatim jobs`: lists, shows, retries and deletes transcription jobs, and waits for them. */
import type { Answer, VerbatimClient } from "@verbatim/client"
import { hasSearchWords, ListedFailure, searchLengthMax } from "@verbatim/core/job"
import { readTime } from "@verbatim/core/schema"
import { isSendable } from "@verbatim/core/transcription"
import { Console, Effect, Option, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type ApiRefusal, call, callUpTo, pageMax } from "./ApiCalls.ts"
import { makeApiCommand, makeOperatorCommand } from "./ApiFlags.ts"
import { countFlag, filterFlag, optional, pickGiven, textArgument } from "./flags.ts"
import { printable } from "./operation.ts"
import { misuse, Refusal } from "./Refusal.ts"
import { liveFlag, toLines, waitForJob } from "./terminal/liveText.ts"
import { showWait } from "./terminal/ProgressBar.ts"

type ListedJob = Answer<"transcriptions.list">["data"][number]

type Job = Answer<"transcriptions.get"> & Partial<Answer<"transcriptions.details">>

const id = textArgument("id", "Job id, from `verbatim jobs list`")

/** If a call fails because a job is missing, names the job in the error. */
const orNoJob = (id: string) =>
  Effect.mapError((error: ApiRefusal | Refusal) =>
    "reason" in error && error.reason === "NotFound"
      ? new Refusal({ sentence: `There is no job ${printable(id)} in the workspace.` })
      : error
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

const rowOf = (job: Omit<ListedJob, "matches" | "summary">) => ({
  name: printable(job.callback_id ?? job.filename ?? ""),
  status: job.status,
  summary: printable(job.summary_status ?? ""),
  created: job.created_at ?? "",
  id: job.id
})

/** Shows the passages that match a search. */
const matchesOf = ({ matches = [] }: ListedJob): ReadonlyArray<string> =>
  matches.map(({ start, text }) => `  ${start} s  ${printable(text)}`)

const isTime = {
  isValid: (text: string) => Option.isSome(readTime(text)),
  rule: () => "a UTC day such as 2027-01-01, or a timestamp such as 2027-01-01T00:00:00Z"
}

const isCallbackId = {
  isValid: (text: string) => text !== "" && isSendable(text),
  rule: () => "the callback id of a job"
}

const isSearch = {
  isValid: hasSearchWords,
  rule: () => `1 to ${searchLengthMax} characters, with a letter or a digit`
}

/** Flags that all job lists share. */
const filterFlags = {
  status: optional(Flag.Literals("status", statuses), "Only jobs with this status"),
  cause: optional(
    Flag.Literals("cause", ListedFailure.literals),
    "Only jobs that failed for this reason"
  ),
  callback_id: filterFlag("callback-id", "Only jobs with this callback id", isCallbackId),
  created_after: filterFlag(
    "created-after",
    "Only jobs accepted since this UTC day or timestamp",
    isTime
  ),
  created_before: filterFlag(
    "created-before",
    "Only jobs accepted before this UTC day or timestamp",
    isTime
  )
}

const searchFlags = {
  q: filterFlag("search", "Only jobs whose transcript contains all of these words", isSearch),
  ...filterFlags
}

const list = makeApiCommand("list", {
  description: "List jobs, newest first",
  flags: { ...searchFlags, limit: countFlag("limit") },
  run: ({ limit: count, ...given }) => {
    const filter = pickGiven(given, searchFlags)
    return callUpTo(count, ({ transcriptions }, limit) => transcriptions.list({ ...filter, limit }))
  },
  text: { row: rowOf, details: matchesOf }
})

type WorkspaceJob = Answer<"work.jobs">["data"][number]

const workspaceRowOf = (job: WorkspaceJob) => ({
  ...rowOf(job),
  workspace: printable(job.workspace_name)
})

const reasonsOf = (job: WorkspaceJob): ReadonlyArray<string> =>
  [job.error, job.cause, job.webhook_cause, job.summary_cause].flatMap((reason) =>
    reason === undefined ? [] : [`  ${printable(reason)}`]
  )

const listAll = makeOperatorCommand("list-all", {
  description: "List jobs of all workspaces with the causes of failures, newest first",
  flags: { ...filterFlags, limit: countFlag("limit") },
  run: ({ limit: count, ...given }) => {
    const filter = pickGiven(given, filterFlags)
    return callUpTo(count, ({ work }, limit) => work.jobs({ ...filter, limit }))
  },
  text: { row: workspaceRowOf, details: reasonsOf }
})

/** Formats a job's properties, one per line, followed by its texts. */
const linesOf = (job: Job): ReadonlyArray<string> => {
  const { id, output, partial_output: partial, pieces, progress, status, summary } = job
  const duration = job.duration ?? output?.duration
  const rows = {
    id,
    created: job.created_at,
    file: job.filename,
    status,
    progress: progress === undefined ? undefined : `${Math.round(progress * 100)} %`,
    pieces: pieces === undefined ? undefined : `${pieces.done} of ${pieces.total}`,
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
  const soFar = partial === undefined ? [] : ["Recognised so far:", ...toLines(partial.list)]
  const texts = [
    summary,
    output?.list.map(({ text }) => text).join("\n"),
    partial === undefined ? undefined : soFar.join("\n")
  ]
  return [...lines, ...texts.flatMap((text) => (text === undefined ? [] : ["", text]))]
}

const describeJob = (job: Job): string => linesOf(job).join("\n")

const show = makeApiCommand("show", {
  description: "Show a job with its transcript, or with the text recognised so far",
  flags: { id },
  run: ({ id }) =>
    call(({ transcriptions }) => transcriptions.details(id, { partial: "true" })).pipe(orNoJob(id)),
  text: describeJob
})

const waitFor = Effect.fnUntraced(function* (id: string, isLive: boolean) {
  const waiting = isLive
    ? waitForJob(id, Console.error)
    : showWait("waiting")(waitForJob(id, undefined))
  const job = yield* orNoJob(id)(waiting)
  const failure = new Refusal({ sentence: `The job ${id} has failed.` })
  const hasFailed = job.transcription_status === "FAILED"
  return Stream.concat(Stream.succeed(job), hasFailed ? Stream.fail(failure) : Stream.empty)
})

const wait = makeApiCommand("wait", {
  description: "Wait for a job to end and show it (exit status 1 if it failed)",
  flags: { id, live: liveFlag },
  run: ({ id, live }) => Stream.unwrap(waitFor(id, live)),
  text: describeJob
})

const retry = makeApiCommand("retry", {
  description: "Retry a failed job, or only its failed summary",
  flags: { id },
  run: ({ id }) => call(({ transcriptions }) => transcriptions.retry(id)).pipe(orNoJob(id)),
  text: describeJob
})

/** Deletes a job. Refuses if its transcription has ended and the options protect it. */
const removeJob = (id: string, options?: { readonly if_status: "UNTRANSCRIBED" }) =>
  call(({ transcriptions }) => transcriptions.remove(id, options)).pipe(
    Effect.mapError((error) =>
      error.reason === "Changed"
        ? new Refusal({
            sentence: `The transcription of ${id} has ended. \`verbatim jobs delete\` deletes it.`
          })
        : error
    ),
    orNoJob(id)
  )

const cancel = makeApiCommand("cancel", {
  description: "Stop and delete a job, unless its transcription has ended",
  flags: { id },
  run: ({ id }) => removeJob(id, { if_status: "UNTRANSCRIBED" }),
  text: (_, { id }) => `Cancelled and deleted ${id}.`
})

const remove = makeApiCommand("delete", {
  description: "Delete a job with its media and transcript, and stop its work",
  flags: { id },
  run: ({ id }) => removeJob(id),
  text: (_, { id }) => `Deleted ${id}.`
})

const action = Argument.Literals("action", ["retry", "redeliver", "cancel", "delete"]).pipe(
  Argument.withDescription("cancel deletes unfinished jobs, delete deletes finished ones")
)

type ActionResult = Answer<"transcriptions.act">

/**
 * Repeats an action with the next cursor until it has reached all jobs that match. Refuses to act
 * without a filter, because every job would match.
 */
const actOnAll = (
  filter: object,
  act: (client: VerbatimClient, query: object) => Promise<ActionResult>
) =>
  Object.keys(filter).length === 0
    ? Stream.fromEffect(misuse("Choose the jobs with a filter, such as --status FAILED."))
    : Stream.paginate({ ...filter, limit: pageMax } as object, (query) =>
        Effect.map(
          call((client) => act(client, query)),
          (answer) => [
            [answer],
            Option.map(Option.fromNullOr(answer.next_cursor), (cursor) => ({ ...query, cursor }))
          ]
        )
      )

const describeResult = ({ done, refused }: ActionResult): string =>
  [`${done} done`, ...refused.map(({ detail, ids }) => `${ids.length} unchanged: ${detail}`)].join(
    "\n"
  )

const act = makeApiCommand("act", {
  description: "Retry, redeliver, cancel or delete all jobs that match, page by page",
  flags: { action, ...searchFlags },
  run: ({ action, ...given }) =>
    actOnAll(pickGiven(given, searchFlags), ({ transcriptions }, query) =>
      transcriptions.act({ action }, query)
    ),
  text: describeResult
})

const actAll = makeOperatorCommand("act-all", {
  description: "Retry, redeliver, cancel or delete all jobs that match, in all workspaces",
  flags: { action, ...filterFlags },
  run: ({ action, ...given }) =>
    actOnAll(pickGiven(given, filterFlags), ({ work }, query) => work.act({ action }, query)),
  text: describeResult
})

export const jobs = Command.make("jobs").pipe(
  Command.withDescription("List, show, wait for, retry and delete transcription jobs"),
  Command.withSubcommands([list, listAll, show, wait, retry, cancel, remove, act, actAll])
)
