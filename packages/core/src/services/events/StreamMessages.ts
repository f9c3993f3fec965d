/**
 * Converts the messages of a job or a workspace to events for subscribers, with the text that
 * became readable. Each message is converted once for all subscribers to a channel.
 */
import { Array as Arr, Duration, Effect, Option, type Pull, Stream } from "effect"
import type { FeedCursor, FeedEventCursor } from "../../domain/job/FeedCursor.ts"
import type { JobEvent } from "../../domain/job/JobEvent.ts"
import { type StreamMessage, toStreamedEvents, withText } from "../../domain/job/JobStream.ts"
import type * as Transcription from "../../domain/transcription/Transcription.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import type { JobStoreError } from "../../ports/JobStore.ts"
import { shareInFlight } from "../quota/SharedAnswers.ts"
import type { FeedMessage, JobFeeds } from "./JobFeeds.ts"

/**
 * Creates a function that converts messages to events for a subscriber. The text in them is cached
 * for the whole process.
 */
export const makeToEventStream = (text: JobFeeds["Service"]["text"]) => {
  const share = makeShareEvents()

  return (messages: Stream.Stream<FeedMessage, JobStoreError>, subscriber: Subscriber) =>
    Stream.transformPull(messages, (pull) => {
      const reader = { ...subscriber, share, text }
      let rest: ReadonlyArray<FeedMessage> = []
      const take = Effect.map(
        Effect.suspend(() => (rest.length > 0 ? Effect.succeed(rest) : pull)),
        (page) => {
          rest = page.slice(eventBatch)
          return page.slice(0, eventBatch)
        }
      )
      const next: Pull.Pull<
        Arr.NonEmptyReadonlyArray<StreamMessage>,
        JobStoreError,
        void
      > = take.pipe(
        Effect.flatMap((page) =>
          Effect.forEach(page, (message) => toStreamEvents(message, reader))
        ),
        Effect.map((events) => events.flat()),
        Effect.flatMap((all) => (Arr.isReadonlyArrayNonEmpty(all) ? Effect.succeed(all) : next))
      )
      return Effect.succeed(next)
    })
}

/** A subscriber, and the last event that it received. */
export interface Subscriber {
  /** Formats a cursor in the history of one job, or in the feed of its workspace. */
  readonly format: (cursor: FeedEventCursor) => Effect.Effect<string>
  readonly from: Option.Option<FeedEventCursor>
  /** In the stream of one job, `deleted` has no cursor, and `reached` and `reset` are not sent. */
  readonly isOfJob: boolean
  readonly workspaceId: WorkspaceId
}

/** A subscriber, with the caches that all subscribers in a process share. */
interface Reader extends Subscriber {
  readonly text: JobFeeds["Service"]["text"]
  readonly share: ReturnType<typeof makeShareEvents>
}

/**
 * Number of messages that are converted to events at a time. The text of a long job is thus read
 * only as fast as its subscriber receives it.
 */
const eventBatch = 16

type Events = Effect.Effect<ReadonlyArray<StreamMessage>, JobStoreError>

type PieceRecognised = typeof Transcription.Event.cases.PieceRecognised.Type

/** Returns an event if it made text readable. */
const readableWith = (happened: JobEvent | undefined): PieceRecognised | undefined =>
  happened?.event._tag === "PieceRecognised" && happened.event.readyFrom < happened.event.readyTo
    ? happened.event
    : undefined

const hasText = (message: FeedMessage): boolean =>
  message._tag === "Committed" &&
  Option.exists(message.entry.events, (events) =>
    events.some((happened) => readableWith(happened) !== undefined)
  )

/** Returns the events of a commit, with the text that the commit made readable. */
const toCommitEvents = Effect.fnUntraced(function* (
  { cursor: committed, entry, jobId }: Extract<FeedMessage, { readonly _tag: "Committed" }>,
  { format, text, workspaceId }: Reader
): Effect.fn.Return<ReadonlyArray<StreamMessage>, JobStoreError> {
  const known = Option.getOrElse(entry.events, (): ReadonlyArray<JobEvent> => [])
  return yield* Effect.forEach(
    toStreamedEvents(jobId, entry),
    Effect.fnUntraced(function* (event, index) {
      const readable = readableWith(known[index])
      const segments =
        readable === undefined ? [] : yield* text({ id: jobId, workspaceId }, readable)
      const cursor = yield* format({ cursor: committed, index })
      return { event: "event", cursor, data: withText(event, segments) } satisfies StreamMessage
    })
  )
})

/** Returns all events for a message. */
const toAllEvents = Effect.fnUntraced(function* (
  message: FeedMessage,
  subscriber: Reader
): Effect.fn.Return<ReadonlyArray<StreamMessage>, JobStoreError> {
  const { format, isOfJob } = subscriber
  if (message._tag === "Progressed") {
    return [{ event: "progress", data: { id: message.jobId, progress: message.progress } }]
  }
  if (message._tag === "Quiet") return [quiet]
  const whole = format({ cursor: message.cursor, index: Number.POSITIVE_INFINITY })
  switch (message._tag) {
    case "Committed":
      return yield* toCommitEvents(message, subscriber)
    case "Deleted": {
      const data = { id: message.jobId }
      return [
        isOfJob ? { event: "deleted", data } : { event: "deleted", cursor: yield* whole, data }
      ]
    }
    case "Ended":
      return [{ event: "end", cursor: yield* whole, data: { id: message.cursor.jobId } }]
    default:
      if (isOfJob) return []
      return [{ event: message._tag === "Reset" ? "reset" : "reached", cursor: yield* whole }]
  }
})

const quiet: StreamMessage = { event: "quiet" }

/**
 * How long events with text are cached. Subscribers that keep up read them within this time, and
 * deleted text is not sent for longer.
 */
const sharedTime = Duration.seconds(5)

/**
 * Creates a function that converts a message to events once for all subscribers to its channel.
 * Reading the text continues even if the first subscriber leaves, and a failure is not cached.
 */
const makeShareEvents = () => {
  const shared = new WeakMap<FeedMessage, Events>()
  const keep = (message: FeedMessage, events: Events) => {
    shared.set(message, events)
    return events
  }
  return (message: FeedMessage, make: Events): Events => {
    const known = shared.get(message)
    if (known !== undefined) return known
    if (!hasText(message)) {
      return Effect.flatMap(make, (events) => keep(message, Effect.succeed(events)))
    }
    const forget = Effect.sync(() => shared.delete(message))
    const read = Effect.onError(make, () => forget)
    return keep(message, shareInFlight(read, sharedTime))
  }
}

/**
 * Returns the events for a message that a subscriber has not received: all of them, or the rest if
 * it has received some.
 */
const toStreamEvents = (message: FeedMessage, subscriber: Reader): Events => {
  const events = subscriber.share(message, toAllEvents(message, subscriber))
  if (message._tag !== "Committed" && message._tag !== "Deleted") return events
  const received = lastReceivedIndex(message.cursor, subscriber.from)
  if (message._tag === "Committed") {
    return received === -1 ? events : Effect.map(events, (all) => all.slice(received + 1))
  }
  return received === Number.POSITIVE_INFINITY && !subscriber.isOfJob ? Effect.succeed([]) : events
}

/** Returns the index of the last event of a commit that was received; -1 if none was. */
const lastReceivedIndex = (
  { jobId, ordinal, revision }: FeedCursor,
  from: Option.Option<FeedEventCursor>
): number =>
  Option.match(from, {
    onNone: () => -1,
    onSome: ({ cursor, index }) =>
      cursor.ordinal === ordinal && cursor.jobId === jobId && cursor.revision === revision
        ? index
        : -1
  })
