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
import { type FeedEventPlace, type FeedPlace, parseFeedPlace } from "../domain/job/FeedPlace.ts"
import { type Job, owedWork } from "../domain/job/Job.ts"
import { type EventPlace, parseJobPlace, type Told } from "../domain/job/JobStream.ts"
import { isFinished, toView } from "../domain/job/JobView.ts"
import type { Principal } from "../domain/workspace/ApiKey.ts"
import { BalanceMillis } from "../domain/workspace/Usage.ts"
import type { JobStoreError } from "../ports/JobStore.ts"
import { trace } from "../ports/Trace.ts"
import { JobFeeds } from "./JobFeeds.ts"
import { JobRecords } from "./JobRecords.ts"
import type { RequestNotFound } from "./JobRefusals.ts"
import { ListenerLimits, makeListeners, type TooManyListeners } from "./Listeners.ts"
import { tellOfFeed, tellOfJob } from "./ToldEvents.ts"

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
