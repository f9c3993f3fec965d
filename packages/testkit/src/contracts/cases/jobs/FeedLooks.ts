/** How cases look at what is told to those who listen. */
import type { FeedPlace, Job } from "@verbatim/core/job"
import {
  type FeedStretch,
  JobStore,
  type RetentionStore,
  WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import { jobId, type leaseToken, workspaceId } from "../../../samples/Ids.ts"
import { attemptReleased, attemptStarted } from "../../../samples/SampleEvent.ts"
import { foundFirst, foundWorkspace } from "../../../samples/SampleWorkspace.ts"
import { commitJob } from "../../../samples/Stored.ts"

/** What the cases about those who listen need. */
export type Needs = JobStore | RetentionStore | WorkQueue | WorkspaceStore

/** More than any case commits. */
export const many = 1_000

/** Takes longer than any transaction of another test, where a look is a round trip. */
export const looksMax = 50_000

/** What is looked for. */
export interface Look {
  readonly after?: FeedPlace | undefined
  readonly workspaceIds?: ReadonlyArray<WorkspaceId>
  readonly limit?: number
  readonly withProgress?: boolean
}

/** A stretch of the feed. */
export const look = Effect.fnUntraced(function* ({
  after,
  limit = many,
  withProgress = false,
  workspaceIds = [workspaceId(1)]
}: Look) {
  const store = yield* JobStore
  const feed = Option.some({
    workspaceIds,
    after: Option.fromUndefinedOr(after),
    limit,
    withProgress
  })
  const found = yield* store.changes({ jobs: [], feed })
  return yield* Effect.fromOption(found.feed)
})

/**
 * A stretch with at least so many commits: a transaction that somebody else leaves open on the same
 * server may hold them back.
 */
export const lookFor = Effect.fnUntraced(function* (count: number, wanted: Look) {
  let stretch = yield* look(wanted)
  for (let looks = 0; looks < looksMax && stretch.entries.length < count; looks += 1) {
    yield* Effect.yieldNow
    stretch = yield* look(wanted)
  }
  return stretch
})

/** Each commit of a stretch, as the number of its job and its revision. */
export const commitsIn = ({ entries }: Pick<FeedStretch, "entries">) =>
  entries.map(({ entry, jobId }) => {
    const what = Option.match(entry, { onNone: () => "deleted", onSome: (each) => each.revision })
    return `${Number.parseInt(jobId.slice(-4), 16)}:${what}`
  })

/** Starts an attempt and ends it as it began. */
export const twice = Effect.fnUntraced(function* (job: Job) {
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [attemptReleased()] })
})

/** Two workspaces. */
export const both = Effect.andThen(foundFirst, foundWorkspace(2))

/** Of the second one. */
export const ofSecond = { workspaceId: workspaceId(2) }

/** Reports a quarter of the work on the first job. */
export const reportProgress = Effect.fnUntraced(function* (token: ReturnType<typeof leaseToken>) {
  const queue = yield* WorkQueue
  yield* queue.renew([{ jobId: jobId(1), token, progress: 0.25 }])
})
