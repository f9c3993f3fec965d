/**
 * A subscriber to the workspace's events, which is repeatedly disconnected, reconnects to any
 * process and resumes from its last cursor.
 */
import { JobId } from "@verbatim/core/attempt"
import type { FeedCursor } from "@verbatim/core/job"
import type { JobStore } from "@verbatim/core/ports"
import { type FeedMessage, JobFeeds } from "@verbatim/core/services"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Duration, Effect, Exit, Option, Stream } from "effect"
import { factsOf } from "../record/Facts.ts"
import type { Clients } from "./Clients.ts"

/**
 * Share of runs with a subscriber. It is small, because a process with a subscriber reads the store
 * every second.
 */
const followedChance = 0.25

/** Maximum duration of a connection. */
const connectionMaxMillis = 20_000
const pauseMaxMillis = 4_000

/** A subscriber, and the events that it has received. */
export interface Follower {
  readonly heard: Array<string>
  cursor: Option.Option<FeedCursor>
  /** The time at which the subscriber subscribed. */
  since: number
  /** The subscriber's current connection. Events from other connections are lost. */
  connection: number
  /**
   * How often the subscriber received `reset`, because the events after its cursor no longer
   * existed.
   */
  resets: number
}

/** Creates the subscriber for a run. Most runs have no subscriber. */
export const planFollower = ({ world }: Clients): Follower | undefined =>
  world.dice("follower").chance(followedChance)
    ? { heard: [], cursor: Option.none(), since: 0, connection: 0, resets: 0 }
    : undefined

const hear = (follower: Follower, notice: FeedMessage): void => {
  if (notice._tag === "Progressed" || notice._tag === "Quiet") return
  if (notice._tag === "Committed") follower.heard.push(`${notice.jobId} ${notice.entry.revision}`)
  if (notice._tag === "Deleted") follower.heard.push(`${notice.jobId} deleted`)
  if (notice._tag === "Reset") follower.resets += 1
  follower.cursor = Option.some(notice.cursor)
}

/** Connects to any process for a while. Returns `false` if no process answers. */
export const connect = Effect.fnUntraced(function* (
  { call, world }: Clients,
  follower: Follower,
  { id, millis }: { readonly id: WorkspaceId; readonly millis: number }
) {
  const { cursor } = follower
  follower.connection += 1
  const { connection } = follower
  const operation = Effect.flatMap(JobFeeds, (feeds) =>
    Option.isNone(cursor)
      ? Effect.map(feeds.currentCursor(id), Option.some)
      : Stream.runForEach(feeds.followWorkspace(id, cursor), (notice) =>
          Effect.sync(() => {
            if (follower.connection === connection) hear(follower, notice)
          })
        ).pipe(Effect.timeoutOption(Duration.millis(millis)), Effect.as(Option.none<FeedCursor>()))
  )
  const answer = yield* call(operation, millis + pauseMaxMillis)
  follower.connection += 1
  if (answer === null || Exit.isFailure(answer)) return false
  if (Option.isSome(answer.value)) {
    follower.cursor = answer.value
    follower.since = world.timeline.now()
  }
  return true
})

/** Reconnects the run's subscriber, if the run has one, until interrupted. */
export const follow = Effect.fnUntraced(function* (
  clients: Clients,
  follower: Follower | undefined,
  id: WorkspaceId
) {
  if (follower === undefined) return
  const chance = clients.world.dice("connections")
  while (true) {
    yield* connect(clients, follower, { id, millis: chance.below(connectionMaxMillis) })
    yield* Effect.sleep(Duration.millis(chance.below(pauseMaxMillis)))
  }
})

/**
 * Reads the commits that the subscriber should have received: all commits to jobs submitted after
 * it subscribed.
 */
export const readFollowed = Effect.fnUntraced(function* (
  { world }: Clients,
  { heard, cursor, resets, since }: Follower,
  store: JobStore["Service"]
) {
  const submitted = factsOf(world.facts, "Submitted").filter(
    ({ submission }) => submission.isNeighbours !== true
  )
  const own = factsOf(world.facts, "Accepted").filter(({ marker }) =>
    submitted.some((each) => each.submission.marker === marker && each.at > since)
  )
  const committed = yield* Effect.forEach(Option.isNone(cursor) ? [] : own, ({ id }) =>
    Effect.map(store.history(JobId.make(id)), (history) =>
      history.map(({ revision }) => `${id} ${revision}`)
    )
  )
  world.facts.push({ _tag: "Followed", heard, resets, committed: committed.flat() })
})
