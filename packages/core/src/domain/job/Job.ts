/**
 * A transcription job: one request and the machines that serve it. What must happen next is a
 * function of this state alone (`owedWork`), so nothing can be lost between store and queue.
 */
import { type DateTime, Option, Result, Schema } from "effect"
import { JobId } from "../attempt/Attempt.ts"
import type { Task, Work } from "../attempt/Work.ts"
import * as Delivery from "../delivery/Delivery.ts"
import { IllegalTransition } from "../machine/Machine.ts"
import * as Notice from "../notice/Notice.ts"
import * as Summary from "../summary/Summary.ts"
import type { Receiver } from "../transcription/Receiver.ts"
import * as Transcription from "../transcription/Transcription.ts"
import { TranscriptionRequest } from "../transcription/TranscriptionRequest.ts"
import { ApiKeyId } from "../workspace/ApiKey.ts"
import { WorkspaceId } from "../workspace/Workspace.ts"
import { current, turnOfResults } from "./Current.ts"
import { JobEvent } from "./JobEvent.ts"
import * as Keeping from "./Keeping.ts"

// What comes after the transcript, before anybody has begun it.

/** Summary and delivery as a request asks for them. */
export const firstStates = (
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

/** A delivery that nobody has begun. */
export const newDelivery = (birth: {
  readonly id: Delivery.DeliveryId
  readonly receiver: Receiver
  readonly at: DateTime.Utc
}): Delivery.State =>
  Delivery.State.cases.Waiting.make({
    id: birth.id,
    receiver: birth.receiver,
    attempts: 0,
    dueAt: birth.at,
    frozen: null
  })

/** A notice that nobody has begun. */
export const newNotice = (birth: {
  readonly id: Notice.NoticeId
  readonly at: DateTime.Utc
}): Notice.State => Notice.State.cases.Waiting.make({ id: birth.id, attempts: 0, dueAt: birth.at })

/** A job as it is stored. */
export const Job = Schema.Struct({
  id: JobId,
  workspaceId: WorkspaceId,
  /** The key that asked for it; absent when a host did. */
  keyId: Schema.optionalKey(ApiKeyId),
  /** Number of commits; the creation is the first. */
  revision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  request: TranscriptionRequest,
  acceptedAt: Schema.DateTimeUtcFromMillis,
  /** When it was last asked for again: its webhook, or another run. */
  renewedAt: Schema.optionalKey(Schema.DateTimeUtcFromMillis),
  /** The span that submitted it, as `TraceParent` writes it; none where nobody traces. */
  traceParent: Schema.optionalKey(Schema.String),
  transcription: Transcription.State,
  /** Null when no summary was asked for. */
  summary: Schema.NullOr(Summary.State),
  /** Null when there is no callback. */
  delivery: Schema.NullOr(Delivery.State),
  /** Missing when the host does not listen for its end. */
  notice: Schema.optionalKey(Notice.State),
  /** What is left of it. Missing while that is everything. */
  keeping: Schema.optionalKey(Keeping.State)
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

/** The machine that can move now. */
const machineInTurn = (job: Job): JobEvent["_tag"] | undefined => {
  const now = current(job)
  return now._tag === "Idle" ? undefined : machineOf[now.task]
}

/**
 * The job after one event, or `IllegalTransition`. A machine moves only when it has its turn; once
 * all have ended, the host may be told again and what is kept may go. The webhook may be asked for
 * again, and what failed may be tried again, while a notice still waits: a host that is away holds
 * up nobody. The revision stays: it counts commits.
 */
export const applyEvent = (job: Job, happened: JobEvent): Result.Result<Job, IllegalTransition> =>
  isInTurn(job, happened) || isLegalWish(job, happened)
    ? moveMachine(job, happened)
    : Result.fail(illegal(machineInTurn(job) ?? "Ended", happened))

const isInTurn = (job: Job, happened: JobEvent): boolean => {
  const now = current(job)
  return now._tag !== "Idle" && machineOf[now.task] === happened._tag
}

const isLegalWish = (job: Job, { _tag }: JobEvent): boolean => {
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
      const transcription = revive(job, event.at)
      return transcription === undefined
        ? Result.fail(illegal("Ended", happened))
        : Result.succeed({
            ...job,
            renewedAt: event.at,
            transcription,
            ...firstStates(job, event),
            ...(job.notice === undefined
              ? {}
              : { notice: newNotice({ at: event.at, id: Notice.NoticeId.make(event.id) }) })
          })
    },
    Keeping: ({ event }) =>
      Result.map(
        Keeping.transition(Keeping.keepingOf(job), event),
        (keeping): Job =>
          event._tag === "TranscriptExpired"
            ? { ...job, keeping, summary: withoutText(job.summary) }
            : { ...job, keeping }
      )
  })

/** Whether its results are gone, so that nothing can be made of it again. */
export const isClosed = (job: Job): boolean => Keeping.isTerminal(Keeping.keepingOf(job))

/** A summary repeats the transcript. */
const withoutText = (summary: Summary.State | null): Summary.State | null =>
  summary?._tag === "Completed" ? { ...summary, text: "" } : summary

/**
 * A failed transcription at the point from which it can be tried again; none when it did not fail,
 * when its media was an upload that is no longer known, or when something of it is gone.
 */
const revive = (job: Job, at: DateTime.Utc): Transcription.State | undefined => {
  const { id, request, transcription } = job
  if (transcription._tag !== "Failed" || Keeping.keepingOf(job)._tag !== "Kept") return undefined
  const { AwaitingMedia, Queued } = Transcription.State.cases
  const { media } = transcription
  if (media !== undefined) return Queued.make({ id, media, attempts: 0, dueAt: at })
  return request.source._tag === "Url"
    ? AwaitingMedia.make({ id, url: request.source.url, attempts: 0, dueAt: at })
    : undefined
}

/** The job after one commit: all of its events in order, one revision on. */
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

/** Whose job it is. */
const ownerOf = ({ keyId, workspaceId }: Pick<Job, "keyId" | "workspaceId">) =>
  keyId === undefined ? { workspaceId } : { workspaceId, keyId }

/**
 * The one piece of work a job owes, until nothing can happen to it any more. While an attempt is
 * under way the work stays owed; the lease keeps others from it.
 */
export const owedWork = (job: Job): Option.Option<Work> => {
  const now = current(job)
  return now._tag === "Idle" ? Option.none() : Option.some({ ...now.work(), ...ownerOf(job) })
}

/** Whether an attempt has begun and not ended, so that its worker holds a lease. */
export const isUnderway = (job: Job): boolean => current(job)._tag === "Underway"

/** Whether the transcription is over, so that nothing reads its media any more. */
export const isTranscriptionEnded = ({ transcription }: Job): boolean =>
  Transcription.isTerminal(transcription)

/** Whether the job owes nothing any more. Only a wish can wake it again. */
export const isTerminal = (job: Job): boolean => current(job)._tag === "Idle"

/** Whether all has ended but a notice that waits. */
export const isSettled = (job: Job): boolean => turnOfResults(job) === undefined && !isUnderway(job)

const uploadWithoutMedia = (): Error => new Error("an upload is stored before its job is made")

/** A job as it is born: an upload is queued at once, a URL waits to be fetched. */
export const createJob = (birth: {
  readonly id: JobId
  readonly workspaceId: WorkspaceId
  readonly keyId?: ApiKeyId | undefined
  readonly deliveryId: Delivery.DeliveryId
  /** The id of the notice, if the host listens for the end. */
  readonly noticeId?: Notice.NoticeId | undefined
  readonly request: TranscriptionRequest
  /** Of an upload; a URL has none yet. */
  readonly media: Option.Option<Transcription.StoredMedia>
  readonly at: DateTime.Utc
  readonly traceParent?: string | undefined
}): Job => {
  const { at, deliveryId, id, keyId, noticeId, request, traceParent, workspaceId } = birth
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
        : Queued.make({ ...first, media: Option.getOrThrowWith(birth.media, uploadWithoutMedia) }),
    ...firstStates({ id, request }, { at, id: deliveryId }),
    ...(noticeId === undefined ? {} : { notice: newNotice({ at, id: noticeId }) })
  }
}
