/**
 * Those who listen to jobs: who may, how many at a time, and what each is told, event by event,
 * from the place where it stopped the last time.
 */
import {
  Context,
  Deferred,
  Duration,
  Effect,
  Layer,
  Option,
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
import type { Principal } from "../../domain/workspace/ApiKey.ts"
import { LimitOwner } from "../../domain/workspace/Limits.ts"
import { BalanceMillis } from "../../domain/workspace/Usage.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { coreMetrics } from "../../metrics/CoreMetrics.ts"
import type { JobStoreError } from "../../ports/JobStore.ts"
import { trace } from "../../ports/Trace.ts"
import { JobRecords } from "../jobs/JobRecords.ts"
import type { RequestNotFound } from "../jobs/JobRefusals.ts"
import type { FeedNotice, JobNotice } from "./FeedNotices.ts"
import { JobFeeds } from "./JobFeeds.ts"
/** What was given as the place to go on from is none that was ever told here. */
export class PlaceUnknown extends Schema.TaggedError<PlaceUnknown>()("PlaceUnknown", {}) {
  override readonly message = "Invalid Last-Event-ID: it is no id of an event of this stream"
}

/** A job to follow. */
export interface WantedEvents {
  readonly id: string
  /** The place of the last event that was heard; without it, everything from the beginning. */
  readonly after?: string | undefined
}

/** What is told; none where all of it was heard, and nothing more will come. */
type Following = Option.Option<Stream.Stream<Told, JobStoreError>>

type Refused = JobStoreError | PlaceUnknown | TooManyListeners

export class Followings extends Context.Service<
  Followings,
  {
    /** Every event of a job. It counts as a listener until the scope ends. */
    readonly followJob: (
      principal: Principal,
      wanted: WantedEvents
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
    ) => Effect.Effect<void, JobStoreError | RequestNotFound | TooManyListeners>
    /** How many listen now. */
    readonly count: Effect.Effect<number>
    /** Ends all streams, each behind an event that was told whole: the process stops. */
    readonly end: Effect.Effect<void>
  }
>()("@verbatim/core/services/Followings") {
  static readonly layer: Layer.Layer<Followings, never, Digest.Digest | JobFeeds | JobRecords> =
    Layer.effect(
      Followings,
      Effect.gen(function* () {
        const feeds = yield* JobFeeds
        const records = yield* JobRecords
        const withDigest = Effect.provideService(Digest.Digest, yield* Digest.Digest)
        const listeners = makeListeners(yield* ListenerLimits)
        const isStopping = yield* Deferred.make<void>()
        const untilStop = Stream.haltWhen<void, never, never>(Deferred.await(isStopping))

        const followJob = trace("Followings.followJob")(function* (
          principal: Principal,
          { after, id }: WantedEvents
        ) {
          const place = yield* readPlace(after, (text) => Effect.succeed(parseJobPlace(text)))
          const job = yield* records.find(principal, id)
          const from = Option.match(place, {
            onNone: () => beginning,
            onSome: (heard) => withinHistory(job, heard)
          })
          if (isHeard(job, from)) return Option.none()
          yield* listeners.enter(principal)
          const notices = feeds.followJob(job, Math.max(0, from.revision - 1))
          return Option.some(
            Stream.flatMap(notices, (notice) =>
              Stream.fromIterable(tellOfJob(job, notice, from))
            ).pipe(untilStop)
          )
        })

        const followAll = trace("Followings.followAll")(function* (
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
          const notices = feeds.followWorkspace(workspaceId, Option.some(start))
          return Stream.flatMap(notices, (notice) =>
            Stream.fromIterableEffect(withDigest(tellOfFeed(notice, { workspaceId, from })))
          ).pipe(untilStop)
        })

        const awaitStatus = trace("Followings.awaitStatus")(
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

        return Followings.of({
          followJob,
          followAll,
          awaitStatus,
          count: Effect.sync(listeners.count),
          end: Effect.asVoid(Deferred.succeed(isStopping, undefined))
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
  return Option.isNone(place) ? yield* new PlaceUnknown() : place
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

/** What one notice of a job is to a listener. */
const tellOfJob = ({ id }: Job, notice: JobNotice, from: EventPlace): ReadonlyArray<Told> => {
  switch (notice._tag) {
    case "Committed": {
      const { revision } = notice.entry
      return toStreamed(id, notice.entry).flatMap((data, index) =>
        revision < from.revision || (revision === from.revision && index <= from.index)
          ? []
          : [{ event: "event", place: formatJobPlace({ revision, index }), data }]
      )
    }
    case "Progressed":
      return [{ event: "progress", data: { id, progress: notice.progress } }]
    case "Ended": {
      const place = formatJobPlace({ revision: notice.revision, index: Number.POSITIVE_INFINITY })
      return [{ event: "end", place, data: { id } }]
    }
    default:
      return [{ event: "deleted", data: { id } }]
  }
}

/** A listener of a workspace, and the last event that it heard. */
interface FeedListener {
  readonly workspaceId: WorkspaceId
  readonly from: Option.Option<FeedEventPlace>
}

/** What one notice of a workspace is to a listener. */
const tellOfFeed = Effect.fnUntraced(function* (
  notice: FeedNotice,
  { from, workspaceId }: FeedListener
) {
  const whole = (place: FeedPlace) =>
    formatFeedPlace(workspaceId, { place, index: Number.POSITIVE_INFINITY })
  const told: Array<Told> = []
  switch (notice._tag) {
    case "Committed": {
      const { entry, jobId, place } = notice
      const heard = heardOf(notice, from)
      for (const [index, data] of toStreamed(jobId, entry).entries()) {
        if (index <= heard) continue
        told.push({
          event: "event",
          place: yield* formatFeedPlace(workspaceId, { place, index }),
          data
        })
      }
      break
    }
    case "Deleted":
      if (heardOf(notice, from) === Number.POSITIVE_INFINITY) break
      told.push({
        event: "deleted",
        place: yield* whole(notice.place),
        data: { id: notice.jobId }
      })
      break
    case "Progressed":
      told.push({ event: "progress", data: { id: notice.jobId, progress: notice.progress } })
      break
    case "Reset":
      told.push({ event: "reset", place: yield* whole(notice.place) })
      break
    default:
      told.push({ event: "reached", place: yield* whole(notice.place) })
  }
  return told
})

/** The last event of a commit that was heard; -1 for none. */
const heardOf = (
  { jobId, place }: { readonly jobId: string; readonly place: FeedPlace },
  from: Option.Option<FeedEventPlace>
): number =>
  Option.match(from, {
    onNone: () => -1,
    onSome: ({ index, place: last }) =>
      last.ordinal === place.ordinal && last.jobId === jobId && last.revision === place.revision
        ? index
        : -1
  })

/** How many may listen to a process at the same time. */
export interface ListenerLimits {
  /** Each costs some kilobytes, and a connection. */
  readonly all: number
  readonly workspace: number
  readonly key: number
}

/** The limits of this process. A workspace can take half of it, and one key half of that. */
export const ListenerLimits: Context.Reference<ListenerLimits> = Context.Reference(
  "@verbatim/core/services/ListenerLimits",
  { defaultValue: (): ListenerLimits => ({ all: 4_000, workspace: 2_000, key: 1_000 }) }
)

/** As many listen as may. */
export class TooManyListeners extends Schema.TaggedError<TooManyListeners>()("TooManyListeners", {
  of: Schema.Union([LimitOwner, Schema.Literal("process")])
}) {
  override get message(): string {
    return this.of === "process"
      ? "Too many listeners"
      : `Too many listeners of the ${this.of} at the same time`
  }
}

/** Those who listen. */
interface Listeners {
  readonly count: () => number
  /** Counts a listener until the scope ends; fails when its key, workspace or process is full. */
  readonly enter: (principal: Principal) => Effect.Effect<void, TooManyListeners, Scope.Scope>
}

/** Counts those who listen, of each workspace and of each key. */
const makeListeners = (limits: ListenerLimits): Listeners => {
  const counts = new Map<string, number>()
  const countOf = (name: string): number => counts.get(name) ?? 0
  const add = (names: ReadonlyArray<string>, change: 1 | -1): void => {
    for (const name of names) {
      const count = countOf(name) + change
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    }
  }
  const findFull = ([, workspace = "", key]: ReadonlyArray<string>) => {
    if (countOf(everybody) >= limits.all) return "process" as const
    if (countOf(workspace) >= limits.workspace) return "workspace" as const
    return key !== undefined && countOf(key) >= limits.key ? ("key" as const) : undefined
  }
  const measure = Effect.suspend(() => coreMetrics.listeners.record({}, countOf(everybody)))
  return {
    count: () => countOf(everybody),
    enter: ({ keyId, workspaceId }: Principal) => {
      const names = [
        everybody,
        `workspace ${workspaceId}`,
        ...(keyId === undefined ? [] : [`key ${keyId}`])
      ]
      return Effect.acquireRelease(
        Effect.suspend(() => {
          const of = findFull(names)
          if (of !== undefined) return Effect.fail(new TooManyListeners({ of }))
          return Effect.andThen(
            Effect.sync(() => add(names, 1)),
            measure
          )
        }),
        () =>
          Effect.andThen(
            Effect.sync(() => add(names, -1)),
            measure
          )
      )
    }
  }
}

const everybody = "everybody"
