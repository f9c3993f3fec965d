/**
 * Those who listen to jobs: who may, how many at a time, and what each is told, event by event,
 * from the place where it stopped the last time.
 */

import {
  Array as Arr,
  Context,
  Deferred,
  Duration,
  Effect,
  Layer,
  Option,
  type Pull,
  Schema,
  type Scope,
  Stream
} from "effect"
import { Digest } from "effect/crypto"
import {
  type FeedEventPlace,
  type FeedPlace,
  formatFeedPlace,
  parseFeedPlace
} from "../../domain/job/FeedPlace.ts"
import { type Job, owedWork } from "../../domain/job/Job.ts"
import {
  type EventPlace,
  formatJobPlace,
  parseJobPlace,
  type Told,
  toStreamed
} from "../../domain/job/JobStream.ts"
import { isFinished, toView } from "../../domain/job/JobView.ts"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { LimitOwner } from "../../domain/workspace/Limits.ts"
import { BalanceMillis } from "../../domain/workspace/Usage.ts"
import { coreMetrics } from "../../metrics/CoreTable.ts"
import type { JobStoreError } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import { JobRecords } from "../jobs/JobRecords.ts"
import type { RequestNotFound } from "../jobs/JobRefusals.ts"
import { jobPlace } from "./ChangePoller.ts"
import type { FeedMessage } from "./FeedMessages.ts"
import { JobFeeds } from "./JobFeeds.ts"

/** What was given as the place to go on from is none that was ever told here. */
export class CursorUnknown extends refusal<CursorUnknown>()("CursorUnknown", {
  sentence: "Invalid Last-Event-ID: it is no id of an event of this stream"
}) {}

/** A job to follow. */
export interface EventsRequest {
  readonly id: string
  /** The place of the last event that was heard; without it, everything from the beginning. */
  readonly after?: string | undefined
}

/** What is told; none where all of it was heard, and nothing more will come. */
type Following = Option.Option<Stream.Stream<Told, JobStoreError>>

type Refused = JobStoreError | CursorUnknown | TooManySubscribers

export class EventStreams extends Context.Service<
  EventStreams,
  {
    /** Every event of a job. It counts as a listener until the scope ends. */
    readonly followJob: (
      principal: Principal,
      wanted: EventsRequest
    ) => Effect.Effect<Following, Refused | RequestNotFound, Scope.Scope>
    /**
     * Every event of the workspace's jobs after a place, or from now on. It counts as a listener
     * until the scope ends.
     */
    readonly followAll: (
      principal: Principal,
      after: string | undefined
    ) => Effect.Effect<Stream.Stream<Told, JobStoreError>, Refused, Scope.Scope>
    /**
     * Waits until the status of a job changes, or for a while at most; not at all where it is
     * finished. Whoever waits counts as a listener.
     */
    readonly awaitStatus: (
      principal: Principal,
      wanted: { readonly id: string; readonly atMost: Duration.Duration }
    ) => Effect.Effect<void, JobStoreError | RequestNotFound | TooManySubscribers>
    /** How many listen now. */
    readonly count: Effect.Effect<number>
    /** Ends all streams, each behind an event that was told whole: the process stops. */
    readonly end: Effect.Effect<void>
  }
>()("@verbatim/core/services/EventStreams") {
  static readonly layer: Layer.Layer<EventStreams, never, Digest.Digest | JobFeeds | JobRecords> =
    Layer.effect(
      EventStreams,
      Effect.gen(function* () {
        const feeds = yield* JobFeeds
        const records = yield* JobRecords
        const withDigest = Effect.provideService(Digest.Digest, yield* Digest.Digest)
        const listeners = makeListeners(yield* SubscriberLimits)
        const isStopping = yield* Deferred.make<void>()

        const tell = (notices: Stream.Stream<FeedMessage, JobStoreError>, listener: Listener) =>
          Stream.transformPull(notices, (pull) => {
            const next: Pull.Pull<Arr.NonEmptyReadonlyArray<Told>, JobStoreError, void> = pull.pipe(
              Effect.flatMap((page) => Effect.forEach(page, (notice) => toTold(notice, listener))),
              Effect.map((told) => told.flat()),
              Effect.flatMap((all) =>
                Arr.isReadonlyArrayNonEmpty(all) ? Effect.succeed(all) : next
              )
            )
            return Effect.succeed(next)
          })

        const followJob = trace("EventStreams.followJob")(function* (
          principal: Principal,
          { after, id }: EventsRequest
        ) {
          const place = yield* readPlace(after, (text) => Effect.succeed(parseJobPlace(text)))
          const job = yield* records.find(principal, id)
          const from = Option.match(place, {
            onNone: () => beginning,
            onSome: (heard) => withinHistory(job, heard)
          })
          if (isHeard(job, from)) return Option.none()
          yield* listeners.enter(principal)
          const listener = {
            format: ({ index, place: { revision } }: FeedEventPlace) =>
              Effect.succeed(formatJobPlace({ revision, index })),
            from: Option.some({ place: jobPlace(job.id, from.revision), index: from.index }),
            isOfJob: true
          }
          return Option.some(tell(feeds.followJob(job, Math.max(0, from.revision - 1)), listener))
        })

        const followAll = trace("EventStreams.followAll")(function* (
          principal: Principal,
          after: string | undefined
        ) {
          yield* listeners.enter(principal)
          const { workspaceId } = principal
          // Before anything is answered: what happens after the answer has begun is told.
          const now = yield* feeds.placeNow(workspaceId)
          const from = yield* readPlace(after, (text) =>
            withDigest(parseFeedPlace(workspaceId, { mark: now.mark, text }))
          )
          const start = Option.match(from, { onNone: () => now, onSome: justBefore })
          const format = (place: FeedEventPlace) => withDigest(formatFeedPlace(workspaceId, place))
          const listener = { format, from, isOfJob: false }
          return tell(feeds.followWorkspace(workspaceId, Option.some(start)), listener)
        })

        const awaitStatus = trace("EventStreams.awaitStatus")(
          (principal: Principal, { atMost, id }: { id: string; atMost: Duration.Duration }) =>
            Effect.scoped(
              Effect.gen(function* () {
                const first = yield* records.find(principal, id)
                if (statusOf(first) === undefined) return
                yield* listeners.enter(principal)
                let job = first
                while (statusOf(job) === statusOf(first)) {
                  yield* feeds.awaitChange(job.id, { beyond: job.revision, atMost: forever })
                  job = yield* records.find(principal, id)
                }
              })
            ).pipe(
              Effect.raceFirst(Deferred.await(isStopping)),
              Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.void })
            )
        )

        return EventStreams.of({
          followJob,
          followAll,
          awaitStatus,
          count: Effect.sync(listeners.count),
          end: Effect.andThen(Deferred.succeed(isStopping, undefined), feeds.end)
        })
      })
    )
}

/** Longer than anybody waits. */
const forever = Duration.hours(1)

const beginning: EventPlace = { revision: 0, index: Number.POSITIVE_INFINITY }

const readPlace = Effect.fnUntraced(function* <A>(
  text: string | undefined,
  parse: (text: string) => Effect.Effect<Option.Option<A>>
) {
  if (text === undefined) return Option.none<A>()
  const place = yield* parse(text)
  return Option.isNone(place) ? yield* new CursorUnknown() : place
})

/** The place before a commit of which perhaps not all events were told. */
const justBefore = ({ place }: FeedEventPlace): FeedPlace => ({
  ...place,
  revision: Math.max(0, place.revision - 1)
})

/**
 * The end of what there is for whoever heard more, as from a database before an older backup of it
 * was restored. Counted from a revision that is still to come, it would be told nothing until the
 * job has come as far, and of an end before that never.
 */
const withinHistory = ({ revision }: Job, heard: EventPlace): EventPlace =>
  heard.revision > revision ? { revision, index: Number.POSITIVE_INFINITY } : heard

/** Whether somebody has heard the end of a job that has not been set to work since. */
const isHeard = (job: Job, { index, revision }: EventPlace): boolean =>
  index === Number.POSITIVE_INFINITY && revision === job.revision && Option.isNone(owedWork(job))

/** What callers see of a job while they wait for it; nothing when they need not wait. */
const statusOf = (job: Job): string | undefined => {
  const view = toView(job, { balanceMillis: noBalance, transcript: Option.none() })
  return isFinished(view) ? undefined : JSON.stringify(view)
}

const noBalance = BalanceMillis.make(0)

/** A subscriber, and the last event that it heard. */
interface Listener {
  /** The text of a place; of a job alone, or of its workspace. */
  readonly format: (place: FeedEventPlace) => Effect.Effect<string>
  readonly from: Option.Option<FeedEventPlace>
  /** In the stream of one job, `deleted` has no place, and how far it has come is not sent. */
  readonly isOfJob: boolean
}

/** Everything that subscribers of a channel are told of one notice. */
const toWhole = Effect.fnUntraced(function* (
  notice: FeedMessage,
  { format, isOfJob }: Listener
): Effect.fn.Return<ReadonlyArray<Told>> {
  if (notice._tag === "Progressed") {
    return [{ event: "progress", data: { id: notice.jobId, progress: notice.progress } }]
  }
  if (notice._tag === "Quiet") return [quiet]
  const whole = format({ place: notice.place, index: Number.POSITIVE_INFINITY })
  switch (notice._tag) {
    case "Committed":
      return yield* Effect.forEach(toStreamed(notice.jobId, notice.entry), (data, index) =>
        Effect.map(
          format({ place: notice.place, index }),
          (place): Told => ({ event: "event", place, data })
        )
      )
    case "Deleted": {
      const data = { id: notice.jobId }
      return [
        isOfJob ? { event: "deleted", data } : { event: "deleted", place: yield* whole, data }
      ]
    }
    case "Ended":
      return [{ event: "end", place: yield* whole, data: { id: notice.place.jobId } }]
    default:
      if (isOfJob) return []
      return [{ event: notice._tag === "Reset" ? "reset" : "reached", place: yield* whole }]
  }
})

const quiet: Told = { event: "quiet" }

/** Notices of a channel are made once for all its subscribers, and so is what these are told. */
const written = new WeakMap<FeedMessage, ReadonlyArray<Told>>()

const writeOnce = (notice: FeedMessage, listener: Listener): Effect.Effect<ReadonlyArray<Told>> => {
  const known = written.get(notice)
  return known === undefined
    ? Effect.tap(toWhole(notice, listener), (told) => Effect.sync(() => written.set(notice, told)))
    : Effect.succeed(known)
}

/** What a subscriber receives of one notice: of the last commit that it heard, the rest. */
const toTold = (notice: FeedMessage, listener: Listener): Effect.Effect<ReadonlyArray<Told>> => {
  const told = writeOnce(notice, listener)
  if (notice._tag !== "Committed" && notice._tag !== "Deleted") return told
  const heard = lastHeard(notice.place, listener.from)
  if (notice._tag === "Committed") {
    return heard === -1 ? told : Effect.map(told, (all) => all.slice(heard + 1))
  }
  return heard === Number.POSITIVE_INFINITY && !listener.isOfJob ? Effect.succeed([]) : told
}

/** The last event of a commit that was heard; -1 for none. */
const lastHeard = (
  { jobId, ordinal, revision }: FeedPlace,
  from: Option.Option<FeedEventPlace>
): number =>
  Option.match(from, {
    onNone: () => -1,
    onSome: ({ index, place }) =>
      place.ordinal === ordinal && place.jobId === jobId && place.revision === revision ? index : -1
  })

/** How many may listen to a process at the same time. */
export interface SubscriberLimits {
  /** Each costs some kilobytes, and a connection. */
  readonly all: number
  readonly workspace: number
  readonly key: number
}

/** The limits of this process. A workspace can take half of it, and one key half of that. */
export const SubscriberLimits: Context.Reference<SubscriberLimits> = Context.Reference(
  "@verbatim/core/services/SubscriberLimits",
  { defaultValue: (): SubscriberLimits => ({ all: 4_000, workspace: 2_000, key: 1_000 }) }
)

/** As many listen as may. */
export class TooManySubscribers extends refusal<TooManySubscribers>()("TooManySubscribers", {
  fields: {
    of: Schema.Union([LimitOwner, Schema.Literal("process")])
  },
  sentence: ({ of }) =>
    of === "process" ? "Too many listeners" : `Too many listeners of the ${of} at the same time`
}) {}

/** Counts subscribers, of the process, of each workspace and of each key. */
const makeListeners = (limits: SubscriberLimits) => {
  const counts = new Map<string, number>()
  const countOf = (name: string): number => counts.get(name) ?? 0
  const placesOf = ({ keyId, workspaceId }: Principal) => [
    { of: "process" as const, name: everybody, max: limits.all },
    { of: "workspace" as const, name: workspaceId, max: limits.workspace },
    ...(keyId === undefined ? [] : [{ of: "key" as const, name: keyId, max: limits.key }])
  ]
  return {
    count: () => countOf(everybody),
    /** Counts a subscriber until the scope ends; fails when key, workspace or process is full. */
    enter: (principal: Principal): Effect.Effect<void, TooManySubscribers, Scope.Scope> => {
      const places = placesOf(principal)
      const add = (change: 1 | -1) =>
        Effect.suspend(() => {
          for (const { name } of places) {
            counts.set(name, countOf(name) + change)
            if (countOf(name) === 0) counts.delete(name)
          }
          return coreMetrics.listeners.record({}, countOf(everybody))
        })
      return Effect.acquireRelease(
        Effect.suspend(() => {
          const full = places.find(({ max, name }) => countOf(name) >= max)
          return full === undefined ? add(1) : Effect.fail(new TooManySubscribers({ of: full.of }))
        }),
        () => add(-1)
      )
    }
  }
}

const everybody = "process"
