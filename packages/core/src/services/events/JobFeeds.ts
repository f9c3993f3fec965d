/**
 * Follows jobs and workspaces for many subscribers in one process, with only one query a second for
 * all of them. Each subscriber reads from its own cursor at its own pace, and its failure does not
 * affect others.
 */
import { Context, type Duration, Effect, Layer, Option, Stream } from "effect"
import type { JobId } from "../../domain/attempt/Attempt.ts"
import type { FeedCursor } from "../../domain/job/FeedCursor.ts"
import type { Job } from "../../domain/job/Job.ts"
import type { Event } from "../../domain/transcription/Transcription.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import type { ChangesQuery, FeedPage } from "../../ports/Changes.ts"
import { withDeadline } from "../../ports/Deadline.ts"
import { JobStore, type JobStoreError, unanswered } from "../../ports/JobStore.ts"
import { makeReadPieces } from "../jobs/PartialTranscripts.ts"
import * as Quota from "../quota/Quota.ts"
import {
  type ChangePoller,
  type Channel,
  type FeedEntryMessage,
  feedPageMax,
  hasNewer,
  jobCursor,
  makeChangePoller,
  type Page,
  pageAfter,
  toJobPage,
  toMessage
} from "./ChangePoller.ts"

/** Options for `awaitChange`. */
export interface Waiting {
  /** The revision after which a commit is awaited. */
  readonly beyond: number
  readonly atMost: Duration.Duration
}

/** A job to follow, and its workspace, which has its own queue for queries. */
export type FollowedJob = Pick<Job, "id" | "workspaceId">

const makeJobFeeds = Effect.gen(function* () {
  const store = yield* JobStore
  const changes = (query: ChangesQuery) =>
    withDeadline({ timeoutError: () => unanswered("changes") })(store.changes(query))
  const poller = yield* makeChangePoller(changes)
  const { currentCursor, readJob, readWorkspace } = makeCatchUpReads(changes, poller)

  const followJob = (job: FollowedJob, beyond: number) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const first = yield* readJob(job, beyond)
        const channel = yield* poller.joinJob(job.id, first.through)
        return follow({ channel, poller, read: ({ revision }) => readJob(job, revision) }, first)
      })
    )

  const followWorkspace = (id: WorkspaceId, after: Option.Option<FeedCursor>) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const channel = yield* poller.joinFeed(id)
        const read = (cursor: FeedCursor) => readWorkspace(id, cursor)
        const cursor = Option.isSome(after) ? after.value : yield* currentCursor(id)
        const known = Option.isSome(after)
          ? pageAfter(channel, cursor)
          : Option.some(toPage(nothingIn(Option.some(cursor))))
        const page = Option.isSome(known) ? known.value : yield* read(cursor)
        return follow({ channel, poller, read }, { ...page, progress: undefined })
      })
    )

  return {
    /**
     * Waits until a job has a commit after a revision, or no longer exists, but at most for
     * `atMost`. Returns whether that happened. Commits are noticed within a second, even if long
     * host transactions are open elsewhere.
     */
    awaitChange: makeAwaitChange(poller),
    /**
     * Streams every commit of a job after a revision (0 for all commits), as it happens. The stream
     * ends when the job ends, and fails if this subscriber cannot be served.
     */
    followJob,
    /**
     * Returns the current cursor of the feed, for a client that follows a workspace from now on.
     */
    currentCursor,
    /**
     * Streams every commit and deletion in a workspace after a cursor, or from now on, and the
     * progress of the workspace's jobs. The stream never ends.
     */
    followWorkspace,
    /**
     * Returns the text that became readable when a piece was recognised; empty if its pieces were
     * since deleted or replaced. The query waits in the queue of the job's workspace.
     */
    text: yield* makeText,
    /** Ends all streams, each after its current message. */
    end: poller.end
  }
})

export class JobFeeds extends Context.Service<JobFeeds, Effect.Success<typeof makeJobFeeds>>()(
  "@verbatim/core/services/JobFeeds"
) {
  static readonly layer: Layer.Layer<JobFeeds, never, JobStore> = Layer.effect(
    JobFeeds,
    makeJobFeeds
  )
}

/** Creates the method that waits for a job's next commit. */
const makeAwaitChange =
  ({ joinJob }: ChangePoller) =>
  (id: JobId, { atMost, beyond }: Waiting) =>
    Effect.scoped(
      Effect.gen(function* () {
        const at = jobCursor(id, beyond)
        const channel = yield* joinJob(id, at)
        while (!hasNewer(channel, at)) yield* channel.news.await
        return true
      })
    ).pipe(Effect.timeoutOrElse({ duration: atMost, orElse: () => Effect.succeed(false) }))

/** Creates the method that reads the text of recognised pieces. */
const makeText = Effect.map(makeReadPieces, (readPieces) => {
  const runInQueue = makeCatchUpQueue()
  return (
    { id, workspaceId }: FollowedJob,
    { plan, readyFrom: from, readyTo: to }: typeof Event.cases.PieceRecognised.Type
  ) =>
    runInQueue(
      workspaceId,
      Effect.map(readPieces({ id, plan, from, to }), ({ segments }) => segments)
    )
})

const nothingIn = (after: Option.Option<FeedCursor>): FeedPage => ({
  entries: [],
  through: Option.getOrElse(after, () => ({ feedId: "", ordinal: 0, jobId: "", revision: 0 })),
  hasMore: false,
  isContinued: true,
  progress: []
})

const toPage = (feed: FeedPage): Page => ({
  ...feed,
  entries: feed.entries.map(toMessage),
  progress: undefined,
  end: "Open"
})

/**
 * Maximum number of concurrent queries for subscribers that are behind, which leaves the rest of
 * the store to other callers.
 */
const catchUpMax = 4

/** Maximum number of concurrent queries for the subscribers of one workspace that are behind. */
const catchUpShare = 1

/** A function that runs a query in the queue of its workspace. */
type RunInQueue = <A, E>(id: WorkspaceId, question: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Creates a queue for one kind of query. A caller waits for the queries of its own workspace, and
 * for at most one query of each other workspace.
 */
const makeCatchUpQueue = (): RunInQueue => {
  const { hold } = Quota.make({ share: catchUpShare, total: catchUpMax })
  return (id, question) => Effect.scoped(Effect.andThen(hold(id), question))
}

/** Creates the functions that read the store for subscribers that are behind. */
const makeCatchUpReads = (changes: JobStore["Service"]["changes"], poller: ChangePoller) => {
  const jobQueue = makeCatchUpQueue()
  const feedQueue = makeCatchUpQueue()

  const readJob = ({ id, workspaceId }: FollowedJob, beyond: number) =>
    jobQueue(
      workspaceId,
      Effect.map(changes({ jobs: [{ id, beyond }], feed: Option.none() }), ({ jobs }) =>
        toJobPage({ id, beyond }, jobs.get(id))
      )
    )

  const readFeed = (id: WorkspaceId, after: Option.Option<FeedCursor>) =>
    Effect.map(
      changes({
        jobs: [],
        feed: Option.some({
          workspaceIds: [id],
          after,
          limit: feedPageMax,
          withProgress: false
        })
      }),
      ({ feed }) => toPage(Option.getOrElse(feed, () => nothingIn(after)))
    )

  /**
   * Reads the cursor of the poller, both before and after waiting in the queue, because the poller
   * knows it while the process has subscribers.
   */
  const currentCursor = (id: WorkspaceId) => {
    const ask = Effect.map(readFeed(id, Option.none()), ({ through }) => through)
    const known = (otherwise: Effect.Effect<FeedCursor, JobStoreError>) =>
      Effect.suspend(() =>
        Option.match(poller.currentCursor(), {
          onNone: () => otherwise,
          onSome: Effect.succeed
        })
      )
    return known(feedQueue(id, known(ask)))
  }

  return {
    currentCursor,
    readJob,
    readWorkspace: (id: WorkspaceId, cursor: FeedCursor) =>
      feedQueue(id, readFeed(id, Option.some(cursor)))
  }
}

/** A message about a job or a workspace to a subscriber. */
export type FeedMessage =
  | FeedEntryMessage
  /**
   * The progress of a job, from 0 to 1. It has no cursor, because only the latest progress is sent.
   */
  | { readonly _tag: "Progressed"; readonly jobId: JobId; readonly progress: number }
  /** The job has ended, and changes only if a caller requests it. This is the last message. */
  | { readonly _tag: "Ended"; readonly cursor: FeedCursor }
  /** All entries up to this cursor were sent. */
  | { readonly _tag: "Reached"; readonly cursor: FeedCursor }
  /** The feed no longer has the entries after the previous cursor, and resumes here. */
  | { readonly _tag: "Reset"; readonly cursor: FeedCursor }
  /** A keep-alive message, which is sent if nothing has happened for a while. */
  | { readonly _tag: "Quiet" }

const quiet: FeedMessage = { _tag: "Quiet" }

/** A subscriber's cursor, and the last progress that it received. */
interface Position {
  readonly cursor: FeedCursor
  readonly progress: ReadonlyMap<JobId, number>
  readonly beats: number
}

/**
 * A subscriber's channel, and the function that reads the store while the subscriber is behind the
 * channel.
 */
interface Source {
  readonly channel: Channel
  readonly poller: ChangePoller
  readonly read: (cursor: FeedCursor) => Effect.Effect<Page, JobStoreError>
}

/**
 * Caches the result of a function for each argument, so that it is computed once for all
 * subscribers.
 */
const once = <A extends object, B>(make: (from: A) => B): ((from: A) => B) => {
  const made = new WeakMap<A, B>()
  return (from) => {
    const known = made.get(from) ?? make(from)
    made.set(from, known)
    return known
  }
}

const toProgressMessages = once((progress: Position["progress"]) =>
  Array.from(progress, ([jobId, share]) => ({
    _tag: "Progressed" as const,
    jobId,
    progress: share
  }))
)

const newProgress = (
  progress: Position["progress"],
  known: Position["progress"]
): ReadonlyArray<FeedMessage> =>
  progress === known
    ? []
    : toProgressMessages(progress).filter(
        ({ jobId, progress: share }) => known.get(jobId) !== share
      )

/**
 * The cache has separate results for each channel, because equal cursors in several workspaces lead
 * to different text.
 */
const reachedOf = once((_channel: Channel) =>
  once((cursor: FeedCursor): FeedMessage => ({ _tag: "Reached", cursor }))
)

/** Returns the message that follows all entries of a page; none if the job was deleted. */
const lastMessages = (
  channel: Channel,
  { end, isContinued, through: cursor }: Page
): ReadonlyArray<FeedMessage> => {
  if (end === "Gone") return []
  if (end === "Ended") return [{ _tag: "Ended", cursor }]
  return [isContinued ? reachedOf(channel)(cursor) : { _tag: "Reset", cursor }]
}

/**
 * Returns the messages of a page, and the subscriber's position after it; none if nothing follows.
 */
const toMessages = (
  channel: Channel,
  page: Page,
  { beats, ...before }: Partial<Position> & Pick<Position, "beats">
): readonly [ReadonlyArray<FeedMessage>, Option.Option<Position>] => {
  const known = before.progress ?? new Map<JobId, number>()
  const progress = page.progress ?? known
  const messages = [
    ...page.entries,
    ...(page.through === before.cursor ? [] : lastMessages(channel, page)),
    ...newProgress(progress, known)
  ]
  const next = { beats, cursor: page.through, progress: progress.size === 0 ? known : progress }
  return [messages, page.end === "Open" ? Option.some(next) : Option.none()]
}

/**
 * Whether there is new progress for a subscriber. A channel that has not reached the subscriber's
 * cursor may still have progress of deleted jobs.
 */
const hasProgress = ({ channel }: Source, { cursor, progress }: Position): boolean =>
  channel.progress !== progress &&
  newProgress(channel.progress, progress).length > 0 &&
  Option.isSome(pageAfter(channel, cursor))

/**
 * Waits for new entries, new progress or the time of a keep-alive message, and returns the
 * messages.
 */
const next = Effect.fnUntraced(function* (source: Source, position: Position) {
  const { channel, poller, read } = source
  const { cursor } = position
  while (!poller.isEnded() && !hasNewer(channel, cursor) && !hasProgress(source, position)) {
    const beats = poller.beats()
    if (beats !== position.beats) return [[quiet], Option.some({ ...position, beats })] as const
    yield* channel.news.await
  }
  if (poller.isEnded()) return [[], Option.none<Position>()] as const
  const known = pageAfter(channel, position.cursor)
  return toMessages(channel, Option.isSome(known) ? known.value : yield* read(cursor), position)
})

/** Streams the messages of a first page, followed by all later ones. */
const follow = (source: Source, first: Page): Stream.Stream<FeedMessage, JobStoreError> => {
  const [messages, position] = toMessages(source.channel, first, { beats: source.poller.beats() })
  const live = Option.match(position, {
    onNone: () => Stream.empty,
    onSome: (from) =>
      Stream.paginate<Position, FeedMessage, JobStoreError>(from, (at) => next(source, at))
  })
  return Stream.concat(Stream.fromIterable(messages), live)
}
