/** Tests the feed while host transactions begin, write and end in any order. */
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient } from "@verbatim/adapters/postgres"
import { layer as stores } from "@verbatim/adapters/sql"
import type { FeedCursor, Job } from "@verbatim/core/job"
import { JobStore, type WorkspaceStore } from "@verbatim/core/ports"
import {
  attemptReleased,
  attemptStarted,
  commitJob,
  foundFirst,
  insertJob,
  makeUploadJob,
  upTo,
  workspaceId
} from "@verbatim/testkit/samples"
import { Array, type Context, Effect, Layer, Option, Random } from "effect"
import { SqlClient } from "effect/sql"
import { newSchema } from "./TemporarySchema.ts"

const roundMax = 40
const stepMax = 40
const sessionMax = 3
const jobMax = 3

type World = JobStore | SqlClient.SqlClient | WorkspaceStore

/** A separate session. While the session is open, all its writes belong to one transaction. */
interface Session {
  readonly world: Context.Context<World>
  isOpen: boolean
  /** The states that jobs had before the open session wrote them. */
  readonly before: Map<number, Job>
}

const openSession = Effect.gen(function* () {
  const config = yield* newSchema
  return Effect.map(
    Layer.build(
      Layer.fresh(
        Layer.provideMerge(stores(), PostgresClient.layer({ ...config, maxConnections: 1 }))
      )
    ),
    (world): Session => ({ world, isOpen: false, before: new Map() })
  )
})

const say = ({ world }: Session, statement: string) =>
  Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)),
    world
  )

const readFeed = Effect.fnUntraced(function* (after: Option.Option<FeedCursor>) {
  const { changes } = yield* JobStore
  const query = { workspaceIds: [workspaceId(1)], after, limit: 3, withProgress: false }
  return yield* Effect.fromOption((yield* changes({ jobs: [], feed: Option.some(query) })).feed)
})

/** Creates a subscriber that records which revisions it receives of each job. */
const makeSubscriber = Effect.gen(function* () {
  let cursor = (yield* readFeed(Option.none())).through
  const received = new Map<string, Array<number>>()
  const poll = Effect.gen(function* () {
    let hasMore = true
    while (hasMore) {
      const page = yield* readFeed(Option.some(cursor))
      for (const { cursor: own, jobId } of page.entries) {
        received.set(jobId, [...(received.get(jobId) ?? []), own.revision])
      }
      ;({ hasMore, through: cursor } = page)
    }
  })
  return { received, poll }
})

const next = ({ transcription }: Job) =>
  transcription._tag === "Running" ? attemptReleased() : attemptStarted()

/** Runs random steps in transactions that overlap. At any time, only one of them writes a job. */
const play = Effect.fnUntraced(function* (sessions: ReadonlyArray<Session>, round: number) {
  const { received, poll } = yield* makeSubscriber
  const numbers = upTo(jobMax).map((number) => round * jobMax + number)
  const jobs = yield* Effect.forEach(numbers, (number) => insertJob(makeUploadJob(number)))

  const end = Effect.fnUntraced(function* (session: Session, isUndone: boolean) {
    yield* say(session, isUndone ? "ROLLBACK" : "COMMIT")
    if (isUndone) for (const [index, job] of session.before) jobs[index] = job
    session.before.clear()
    session.isOpen = false
  })

  const write = Effect.fnUntraced(function* (session: Session, index: number) {
    const job = jobs[index]
    const isHeld = sessions.some((other) => other !== session && other.before.has(index))
    if (job === undefined || isHeld) return
    if (session.isOpen && !session.before.has(index)) session.before.set(index, job)
    const written = commitJob(job, { events: [next(job)] })
    jobs[index] = yield* Effect.provide(written, session.world)
  })

  for (const _ of upTo(stepMax)) {
    const session = sessions[yield* Random.nextIntBetween(0, sessionMax)]
    const what = yield* Random.nextIntBetween(0, 10)
    if (session === undefined) continue
    if (what < 6) yield* write(session, yield* Random.nextIntBetween(0, jobMax))
    else if (what < 8) yield* poll
    else if (session.isOpen) yield* end(session, yield* Random.nextBoolean)
    else {
      // This query makes Postgres give the transaction an id.
      yield* say(session, "BEGIN")
      yield* say(session, "SELECT pg_current_xact_id()::text")
      session.isOpen = true
    }
  }
  for (const session of sessions) if (session.isOpen) yield* end(session, false)
  const isReported = () => jobs.every(({ id, revision }) => received.get(id)?.includes(revision))
  // A transaction of another test on this server can delay the feed.
  for (let looks = 0; looks < 50_000 && !isReported(); looks += 1) yield* poll
  yield* poll
  return { received, jobs }
})

describe("the feed on a Postgres server", () => {
  it.live("reports each commit once, in order for each job, even if transactions overlap", () =>
    Effect.gen(function* () {
      const open = yield* openSession
      const sessions = yield* Effect.all(Array.makeBy(sessionMax, () => open))
      const { world } = yield* open
      const rounds = Effect.gen(function* () {
        yield* foundFirst
        for (const round of upTo(roundMax)) {
          const { received, jobs } = yield* play(sessions, round)
          for (const { id, revision } of jobs) {
            assert.deepStrictEqual(received.get(id), upTo(revision))
          }
        }
      })
      yield* Effect.provide(rounds, world)
    }).pipe(Random.withSeed("feed"))
  )
})
