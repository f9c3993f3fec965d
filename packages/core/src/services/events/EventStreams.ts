/**
 * Streams the events of jobs: decides who can subscribe, how many at a time, and which events each
 * subscriber receives.
 */

import { Context, Deferred, Duration, Effect, Layer, Option, Schema, type Scope } from "effect"
import { Digest } from "effect/crypto"
import {
  type FeedCursor,
  type FeedEventCursor,
  formatFeedCursor,
  parseFeedCursor
} from "../../domain/job/FeedCursor.ts"
import { type Job, pendingWork } from "../../domain/job/Job.ts"
import { formatJobCursor, type JobCursor, parseJobCursor } from "../../domain/job/JobStream.ts"
import { isFinished, toView } from "../../domain/job/JobView.ts"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { LimitOwner } from "../../domain/workspace/Limits.ts"
import { BalanceMillis } from "../../domain/workspace/Usage.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import type { JobStore } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import { makeFindJob } from "../jobs/JobReads.ts"
import { jobCursor } from "./ChangePoller.ts"
import { JobFeeds } from "./JobFeeds.ts"
import { makeToEventStream } from "./StreamMessages.ts"

/** The given cursor does not come from this stream. */
export class CursorUnknown extends refusal<CursorUnknown>()("CursorUnknown", {
  sentence: "Invalid Last-Event-ID: not an event id of this stream"
}) {}

/** The options for `followJob`. */
export interface EventsRequest {
  readonly id: string
  /**
   * The cursor of the last event that was received. If left out, all events are sent from the
   * beginning.
   */
  readonly after?: string | undefined
}

const makeEventStreams = Effect.gen(function* () {
  const feeds = yield* JobFeeds
  const findJob = yield* makeFindJob
  const withDigest = Effect.provideService(Digest.Digest, yield* Digest.Digest)
  const subscribers = makeSubscriberCounts(yield* SubscriberLimits)
  const isStopping = yield* Deferred.make<void>()
  const toEventStream = makeToEventStream(feeds.text)

  const followJob = trace("EventStreams.followJob")(function* (
    principal: Principal,
    { after, id }: EventsRequest
  ) {
    const cursor = yield* readCursor(after, (text) => Effect.succeed(parseJobCursor(text)))
    const job = yield* findJob(principal, id)
    const from = Option.match(cursor, {
      onNone: () => beginning,
      onSome: (received) => clampToHistory(job, received)
    })
    if (hasReceivedAll(job, from)) return Option.none()
    yield* subscribers.enter(principal)
    const messages = feeds.followJob(job, Math.max(0, from.revision - 1))
    return Option.some(toEventStream(messages, toJobSubscriber(job, from)))
  })

  const followAll = trace("EventStreams.followAll")(function* (
    principal: Principal,
    after: string | undefined
  ) {
    yield* subscribers.enter(principal)
    const { workspaceId } = principal
    // The cursor is read before the response begins, so that every later event is sent.
    const now = yield* feeds.currentCursor(workspaceId)
    const from = yield* readCursor(after, (text) =>
      withDigest(parseFeedCursor(workspaceId, { feedId: now.feedId, text }))
    )
    const start = Option.match(from, { onNone: () => now, onSome: cursorBefore })
    const format = (cursor: FeedEventCursor) => withDigest(formatFeedCursor(workspaceId, cursor))
    const subscriber = { format, from, isOfJob: false, workspaceId }
    return toEventStream(feeds.followWorkspace(workspaceId, Option.some(start)), subscriber)
  })

  return {
    /** Streams every event of a job. The caller counts as a subscriber until the scope ends. */
    followJob,
    /**
     * Streams every event of the workspace's jobs after a cursor, or from now on. The caller counts
     * as a subscriber until the scope ends.
     */
    followAll,
    /**
     * Waits until the status of a job changes, but at most for `atMost`. If the job is finished,
     * the call returns immediately. The caller counts as a subscriber while it waits.
     */
    awaitStatus: yield* makeAwaitStatus({ isStopping, subscribers }),
    /** The current number of subscribers. */
    count: Effect.sync(subscribers.count),
    /** Ends all streams when the process stops, each after its current event. */
    end: Effect.andThen(Deferred.succeed(isStopping, undefined), feeds.end)
  }
})

export class EventStreams extends Context.Service<
  EventStreams,
  Effect.Success<typeof makeEventStreams>
>()("@verbatim/core/services/EventStreams") {
  static readonly layer: Layer.Layer<EventStreams, never, Digest.Digest | JobFeeds | JobStore> =
    Layer.effect(EventStreams, makeEventStreams)
}

/** Creates a subscriber to a job's events after a cursor. */
const toJobSubscriber = (job: Job, from: JobCursor) => ({
  format: ({ index, cursor: { revision } }: FeedEventCursor) =>
    Effect.succeed(formatJobCursor({ revision, index })),
  from: Option.some({ cursor: jobCursor(job.id, from.revision), index: from.index }),
  isOfJob: true,
  workspaceId: job.workspaceId
})

/** Creates the method that waits for a change of a job's status. */
const makeAwaitStatus = Effect.fnUntraced(function* (process: {
  readonly isStopping: Deferred.Deferred<void>
  readonly subscribers: ReturnType<typeof makeSubscriberCounts>
}) {
  const { isStopping, subscribers } = process
  const feeds = yield* JobFeeds
  const findJob = yield* makeFindJob

  return trace("EventStreams.awaitStatus")(
    (principal: Principal, { atMost, id }: { id: string; atMost: Duration.Duration }) =>
      Effect.scoped(
        Effect.gen(function* () {
          const first = yield* findJob(principal, id)
          if (statusOf(first) === undefined) return
          yield* subscribers.enter(principal)
          let job = first
          while (statusOf(job) === statusOf(first)) {
            yield* feeds.awaitChange(job.id, { beyond: job.revision, atMost: forever })
            job = yield* findJob(principal, id)
          }
        })
      ).pipe(
        Effect.raceFirst(Deferred.await(isStopping)),
        Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.void })
      )
  )
})

/**
 * Maximum time to wait for the next commit, which is longer than any caller waits for a status
 * change.
 */
const forever = Duration.hours(1)

const beginning: JobCursor = { revision: 0, index: Number.POSITIVE_INFINITY }

const readCursor = Effect.fnUntraced(function* <A>(
  text: string | undefined,
  parse: (text: string) => Effect.Effect<Option.Option<A>>
) {
  if (text === undefined) return Option.none<A>()
  const cursor = yield* parse(text)
  return Option.isNone(cursor) ? yield* new CursorUnknown() : cursor
})

/**
 * Returns the cursor before a commit, because the client may not have received all events of that
 * commit.
 */
const cursorBefore = ({ cursor }: FeedEventCursor): FeedCursor => ({
  ...cursor,
  revision: Math.max(0, cursor.revision - 1)
})

/**
 * Moves a cursor beyond the end of the history to its end. A client can have such a cursor if, for
 * example, an older backup of the database was restored. It would otherwise receive nothing until
 * the job reached that revision, and would never learn that the job ended earlier.
 */
const clampToHistory = ({ revision }: Job, received: JobCursor): JobCursor =>
  received.revision > revision ? { revision, index: Number.POSITIVE_INFINITY } : received

/**
 * Whether a client already knows that a job has ended, and the job has had no pending work since.
 */
const hasReceivedAll = (job: Job, { index, revision }: JobCursor): boolean =>
  index === Number.POSITIVE_INFINITY && revision === job.revision && Option.isNone(pendingWork(job))

/**
 * Returns a job's status as a waiting caller sees it; undefined when there is nothing to wait for.
 */
const statusOf = (job: Job): string | undefined => {
  const view = toView(job, { balanceMillis: noBalance, transcript: Option.none() })
  return isFinished(view) ? undefined : JSON.stringify(view)
}

const noBalance = BalanceMillis.make(0)

/** Maximum numbers of concurrent subscribers in a process. */
export interface SubscriberLimits {
  /** The maximum for the whole process. Each subscriber costs a few kilobytes and a connection. */
  readonly all: number
  readonly workspace: number
  readonly key: number
}

/**
 * The limits on subscribers in this process. A workspace can use half of the total, and a key half
 * of its workspace's share.
 */
export const SubscriberLimits: Context.Reference<SubscriberLimits> = Context.Reference(
  "@verbatim/core/services/SubscriberLimits",
  { defaultValue: (): SubscriberLimits => ({ all: 4_000, workspace: 2_000, key: 1_000 }) }
)

/** The limit on subscribers is reached. */
export class TooManySubscribers extends refusal<TooManySubscribers>()("TooManySubscribers", {
  fields: {
    of: Schema.Union([LimitOwner, Schema.Literal("process")])
  },
  sentence: ({ of }) =>
    of === "process" ? "Too many subscribers" : `Too many subscribers of the ${of} at the same time`
}) {}

/** Creates counters for the subscribers of the process, of each workspace and of each key. */
const makeSubscriberCounts = (limits: SubscriberLimits) => {
  const counts = new Map<string, number>()
  const countOf = (name: string): number => counts.get(name) ?? 0
  const countersOf = ({ keyId, workspaceId }: Principal) => [
    { of: "process" as const, name: processName, max: limits.all },
    { of: "workspace" as const, name: workspaceId, max: limits.workspace },
    ...(keyId === undefined ? [] : [{ of: "key" as const, name: keyId, max: limits.key }])
  ]
  return {
    count: () => countOf(processName),
    /**
     * Counts a subscriber until the scope ends. Fails if the key, the workspace or the process is
     * at its limit.
     */
    enter: (principal: Principal): Effect.Effect<void, TooManySubscribers, Scope.Scope> => {
      const counters = countersOf(principal)
      const add = (change: 1 | -1) =>
        Effect.suspend(() => {
          for (const { name } of counters) {
            counts.set(name, countOf(name) + change)
            if (countOf(name) === 0) counts.delete(name)
          }
          return coreMetrics.listeners.record({}, countOf(processName))
        })
      return Effect.acquireRelease(
        Effect.suspend(() => {
          const full = counters.find(({ max, name }) => countOf(name) >= max)
          return full === undefined ? add(1) : Effect.fail(new TooManySubscribers({ of: full.of }))
        }),
        () => add(-1)
      )
    }
  }
}

const processName = "process"
