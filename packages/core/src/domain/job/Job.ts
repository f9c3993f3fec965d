/**
 * A transcription job: a request, and the state machines that carry it out. The next step depends
 * only on this state (`pendingWork`), so no task can be lost between store and queue.
 */
import { type DateTime, Option, Result, Schema } from "effect"
import { JobId } from "../attempt/Attempt.ts"
import type { Task, Work } from "../attempt/Work.ts"
import * as Delivery from "../delivery/Delivery.ts"
import { IllegalTransition } from "../machine/Machine.ts"
import * as Notice from "../notice/Notice.ts"
import * as Summary from "../summary/Summary.ts"
import * as Transcription from "../transcription/Transcription.ts"
import { type Receiver, TranscriptionRequest } from "../transcription/TranscriptionRequest.ts"
import { ApiKeyId } from "../workspace/ApiKey.ts"
import { WorkspaceId } from "../workspace/Workspace.ts"
import { currentStep, resultStep } from "./CurrentStep.ts"
import { JobEvent } from "./JobEvent.ts"
import * as RetentionState from "./RetentionState.ts"

/** Creates the states of the summary and the delivery, if the request includes them. */
const initialStates = (
  {
    id,
    request: { callback, summary }
  }: { readonly id: JobId; readonly request: TranscriptionRequest },
  { at, id: deliveryId }: { readonly at: DateTime.Utc; readonly id: Delivery.DeliveryId }
): { readonly summary: Summary.State | null; readonly delivery: Delivery.State | null } => ({
  summary:
    summary === null
      ? null
      : Summary.State.cases.Waiting.make({ id, type: summary, attempts: 0, dueAt: at }),
  delivery: callback === null ? null : newDelivery({ id: deliveryId, receiver: callback, at })
})

/** Creates a delivery that waits for its first attempt. */
const newDelivery = (fields: {
  readonly id: Delivery.DeliveryId
  readonly receiver: Receiver
  readonly at: DateTime.Utc
}): Delivery.State =>
  Delivery.State.cases.Waiting.make({
    id: fields.id,
    receiver: fields.receiver,
    attempts: 0,
    dueAt: fields.at,
    frozen: null
  })

/** Creates a notice that waits for its first attempt. */
const newNotice = (fields: {
  readonly id: Notice.NoticeId
  readonly at: DateTime.Utc
}): Notice.State =>
  Notice.State.cases.Waiting.make({ id: fields.id, attempts: 0, dueAt: fields.at })

/** A job, as it is stored. */
export const Job = Schema.Struct({
  id: JobId,
  workspaceId: WorkspaceId,
  /** The key that submitted the job; missing if a host submitted it. */
  keyId: Schema.optionalKey(ApiKeyId),
  /** Number of commits to the job, including its creation. */
  revision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  request: TranscriptionRequest,
  acceptedAt: Schema.DateTimeUtcFromMillis,
  /** The time of the last redelivery or retry. */
  renewedAt: Schema.optionalKey(Schema.DateTimeUtcFromMillis),
  /** The span that submitted the job, in the format of `TraceParent`; missing if tracing is off. */
  traceParent: Schema.optionalKey(Schema.String),
  transcription: Transcription.State,
  /** The state of the summary; null if no summary was requested. */
  summary: Schema.NullOr(Summary.State),
  /** The state of the webhook; null if there is no callback. */
  delivery: Schema.NullOr(Delivery.State),
  /** The state of the notice; missing if the host does not listen for ended jobs. */
  notice: Schema.optionalKey(Notice.State),
  /** The parts of the job that still exist; missing if no part was removed. */
  keeping: Schema.optionalKey(RetentionState.State)
})
export type Job = typeof Job.Type

const move = <State extends { readonly _tag: string }, Event extends { readonly _tag: string }>(
  machine: { readonly transition: (s: State, e: Event) => Result.Result<State, IllegalTransition> },
  {
    event,
    name,
    state
  }: { readonly name: string; readonly state: State | null | undefined; readonly event: Event }
): Result.Result<State, IllegalTransition> =>
  state === null || state === undefined
    ? Result.fail(new IllegalTransition({ machine: name, state: "Absent", event: event._tag }))
    : machine.transition(state, event)

const machineOf: Readonly<Record<Task, JobEvent["_tag"]>> = {
  Fetch: "Transcription",
  Transcribe: "Transcription",
  Summarize: "Summary",
  Deliver: "Delivery",
  Notify: "Notice"
}

/** Returns the name of the machine that runs the job's current step. */
const currentMachine = (job: Job): JobEvent["_tag"] | undefined => {
  const now = currentStep(job)
  return now._tag === "Idle" ? undefined : machineOf[now.task]
}

/**
 * Returns the job after one event, or `IllegalTransition`. A machine changes state only during its
 * own step. A redelivery or a retry can be requested while the notice is still waiting, so an
 * unreachable host delays neither. Parts of the job can be removed once all machines have ended.
 * The revision stays the same, because it counts commits.
 */
export const applyEvent = (job: Job, happened: JobEvent): Result.Result<Job, IllegalTransition> =>
  isCurrentMachine(job, happened) || isLegalRequest(job, happened)
    ? moveMachine(job, happened)
    : Result.fail(illegal(currentMachine(job) ?? "Ended", happened))

const isCurrentMachine = (job: Job, happened: JobEvent): boolean => {
  const now = currentStep(job)
  return now._tag !== "Idle" && machineOf[now.task] === happened._tag
}

const isLegalRequest = (job: Job, { _tag }: JobEvent): boolean => {
  if (_tag === "Redelivery" || _tag === "Retry") return isSettled(job)
  return _tag === "Keeping" && isTerminal(job)
}

const illegal = (state: string, { _tag, event }: JobEvent): IllegalTransition =>
  new IllegalTransition({ machine: "Job", state, event: `${_tag}.${event._tag}` })

const moveMachine = (job: Job, happened: JobEvent): Result.Result<Job, IllegalTransition> =>
  JobEvent.match(happened, {
    Transcription: ({ event }) =>
      Result.map(
        Transcription.transition(job.transcription, event),
        (transcription): Job => ({ ...job, transcription })
      ),
    Summary: ({ event }) =>
      Result.map(
        move(Summary, { name: "Summary", state: job.summary, event }),
        (summary): Job => ({ ...job, summary })
      ),
    Delivery: ({ event }) =>
      Result.map(
        move(Delivery, { name: "Delivery", state: job.delivery, event }),
        (delivery): Job => ({ ...job, delivery })
      ),
    Notice: ({ event }) =>
      Result.map(
        move(Notice, { name: "Notice", state: job.notice, event }),
        (notice): Job => ({ ...job, notice })
      ),
    Redelivery: ({ event }) =>
      job.delivery === null || isClosed(job)
        ? Result.fail(illegal("Ended", happened))
        : Result.succeed({
            ...job,
            renewedAt: event.at,
            delivery: newDelivery({ ...event, receiver: job.delivery.receiver })
          }),
    Retry: ({ event }) => {
      const transcription = restartTranscription(job, event.at)
      return transcription === undefined
        ? Result.fail(illegal("Ended", happened))
        : Result.succeed({
            ...job,
            renewedAt: event.at,
            transcription,
            ...initialStates(job, event),
            ...(job.notice === undefined
              ? {}
              : { notice: newNotice({ at: event.at, id: Notice.NoticeId.make(event.id) }) })
          })
    },
    Keeping: ({ event }) =>
      Result.map(
        RetentionState.transition(RetentionState.retentionStateOf(job), event),
        (keeping): Job =>
          event._tag === "TranscriptExpired"
            ? { ...job, keeping, summary: withoutText(job.summary) }
            : { ...job, keeping }
      )
  })

/** Whether a job's results were deleted, so that the job cannot be retried or redelivered. */
export const isClosed = (job: Job): boolean =>
  RetentionState.isTerminal(RetentionState.retentionStateOf(job))

/** Removes the text of a summary, because it repeats the transcript's content. */
const withoutText = (summary: Summary.State | null): Summary.State | null =>
  summary?._tag === "Completed" ? { ...summary, text: "" } : summary

/**
 * Returns the transcription of a failed job in the state from which the retry starts; if only the
 * summary failed, this is the finished transcription. Undefined if nothing failed, if the uploaded
 * media is no longer known, or if parts of the job that the retry needs were removed.
 */
const restartTranscription = (job: Job, at: DateTime.Utc): Transcription.State | undefined => {
  const { id, request, summary, transcription } = job
  if (transcription._tag === "Transcribed")
    return summary?._tag === "Failed" && !isClosed(job) ? transcription : undefined
  if (transcription._tag !== "Failed" || RetentionState.retentionStateOf(job)._tag !== "Kept")
    return undefined
  const { AwaitingMedia, Queued } = Transcription.State.cases
  const { media, pieces } = transcription
  if (media !== undefined) {
    const recognised = pieces === undefined ? {} : { pieces }
    return Queued.make({ id, media, ...recognised, attempts: 0, dueAt: at })
  }
  return request.source._tag === "Url"
    ? AwaitingMedia.make({ id, url: request.source.url, attempts: 0, dueAt: at })
    : undefined
}

/** Returns the job after one commit: all its events in order, and the next revision. */
export const applyCommit = (
  job: Job,
  events: ReadonlyArray<JobEvent>
): Result.Result<Job, IllegalTransition> =>
  Result.map(
    events.reduce<Result.Result<Job, IllegalTransition>>(
      (result, event) => Result.flatMap(result, (next) => applyEvent(next, event)),
      Result.succeed(job)
    ),
    (next) => ({ ...next, revision: next.revision + 1 })
  )

const ownerOf = ({ keyId, workspaceId }: Pick<Job, "keyId" | "workspaceId">) =>
  keyId === undefined ? { workspaceId } : { workspaceId, keyId }

/**
 * Returns the pending task of a job; there is at most one. While an attempt is running, the task
 * stays pending, and the lease keeps other workers away from it.
 */
export const pendingWork = (job: Job): Option.Option<Work> => {
  const now = currentStep(job)
  return now._tag === "Idle" ? Option.none() : Option.some({ ...now.work(), ...ownerOf(job) })
}

/** Whether an attempt of the job is running. */
export const isUnderway = (job: Job): boolean => currentStep(job)._tag === "Underway"

/** Whether the transcription has ended and no longer reads the media. */
export const isTranscriptionEnded = ({ transcription }: Job): boolean =>
  Transcription.isTerminal(transcription)

/** Whether the job has no pending work. Only a redelivery or a retry can add work. */
export const isTerminal = (job: Job): boolean => currentStep(job)._tag === "Idle"

/**
 * Whether transcript, summary and webhook have ended, and no call to the host's listener is
 * running.
 */
export const isSettled = (job: Job): boolean => resultStep(job) === undefined && !isUnderway(job)

const uploadWithoutMedia = (): Error => new Error("an upload is stored before its job is made")

/** Creates a job. An uploaded file is queued immediately; a URL is fetched first. */
export const createJob = (fields: {
  readonly id: JobId
  readonly workspaceId: WorkspaceId
  readonly keyId?: ApiKeyId | undefined
  readonly deliveryId: Delivery.DeliveryId
  /** The id of the notice, if the host listens for ended jobs. */
  readonly noticeId?: Notice.NoticeId | undefined
  readonly request: TranscriptionRequest
  /** The uploaded media; none for a URL, whose media is fetched later. */
  readonly media: Option.Option<Transcription.StoredMedia>
  readonly at: DateTime.Utc
  readonly traceParent?: string | undefined
}): Job => {
  const { at, deliveryId, id, keyId, noticeId, request, traceParent, workspaceId } = fields
  const { source } = request
  const { AwaitingMedia, Queued } = Transcription.State.cases
  const first = { id, attempts: 0, dueAt: at }
  return {
    id,
    ...ownerOf({ workspaceId, ...(keyId === undefined ? {} : { keyId }) }),
    revision: 1,
    request,
    acceptedAt: at,
    ...(traceParent === undefined ? {} : { traceParent }),
    transcription:
      source._tag === "Url"
        ? AwaitingMedia.make({ ...first, url: source.url })
        : Queued.make({ ...first, media: Option.getOrThrowWith(fields.media, uploadWithoutMedia) }),
    ...initialStates({ id, request }, { at, id: deliveryId }),
    ...(noticeId === undefined ? {} : { notice: newNotice({ at, id: noticeId }) })
  }
}
