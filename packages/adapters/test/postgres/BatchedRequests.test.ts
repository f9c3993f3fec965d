/** Tests concurrent requests from several fibers on Postgres. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { PresetStore, WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import type { PresetSlug } from "@verbatim/core/preset"
import { createWorkspace } from "@verbatim/core/workspace"
import {
  commitJob,
  instant,
  jobId,
  makeDraft,
  makePresetVersions,
  makeUploadJob,
  presetId,
  readWholeJob,
  slug,
  transcriptProduced,
  upTo,
  userId,
  versionId,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Duration, Effect, Fiber, Layer, Option, Ref, Result, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { atOnce } from "../sql/TwoClients.ts"
import { begun, holdJobs, token, untilWaiting } from "./HeldJobs.ts"
import { newSchema, oneClient, onServer } from "./TemporarySchema.ts"

/** Runs an effect, and counts the statements that it sends. */
const counted = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const count = yield* Ref.make(0)
  const seen: Statement.Transformer = (statement) =>
    Effect.as(
      Ref.update(count, (before) => before + 1),
      statement
    )
  yield* Effect.provideService(effect, Statement.CurrentTransformer, seen)
  return yield* Ref.get(count)
})

const transcript = { durationMillis: 60_000, language: "en" as const, segments: [] }

/** Runs several jobs concurrently, from their acceptance to the end of their first attempt. */
const transcribed = Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
  const jobs = numbers.map((number) => makeUploadJob(number))
  yield* holdJobs(jobs)
  const running = yield* Effect.forEach(
    jobs,
    (job) => commitJob(job, { ...begun, isLeaseKept: true }),
    atOnce
  )
  const change = { events: [transcriptProduced()], token, transcript, chargeMillis: 60_000 }
  return yield* Effect.forEach(running, (job) => commitJob(job, change), atOnce)
})

describe("concurrent fibers on Postgres", () => {
  it.live("share statements", () =>
    withWorkspace(function* () {
      // There is one claim, and there are three rounds of forty writes that take at least two
      // batches each. The limit allows a few more.
      assert.isAtMost(yield* counted(transcribed(upTo(40))), 1 + 3 * 4)
      const store = yield* WorkspaceStore
      const account = Effect.forEach(upTo(100), () => store.account(workspaceId(1)), atOnce)
      assert.isAtMost(yield* counted(account), 4)
    }).pipe(Effect.provide(onServer))
  )

  it.live("fail only if they would also fail in a separate statement", () =>
    Effect.gen(function* () {
      const config = { ...(yield* newSchema), statementTimeout: Duration.millis(500) }
      yield* withWorkspace(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* holdJobs(upTo(9).map((number) => makeUploadJob(number)))
        const started = (number: number) =>
          commitJob(makeUploadJob(number), { ...begun, isLeaseKept: true })
        const results = yield* sql.withTransaction(
          Effect.andThen(
            sql`SELECT id FROM verbatim_jobs WHERE id = ${jobId(5)} FOR UPDATE`,
            Effect.forEach(upTo(9), (number) => Effect.result(started(number)), atOnce)
          )
        )
        assert.deepStrictEqual(
          results.map(({ _tag }) => _tag),
          upTo(9).map((number) => (number === 5 ? "Failure" : "Success"))
        )
      }).pipe(
        Effect.provide(
          Layer.merge(
            layer(config),
            oneClient({ ...(yield* newSchema), ...config, statementTimeout: Duration.seconds(10) })
          )
        )
      )
    })
  )

  it.live("never deadlock", () =>
    Effect.gen(function* () {
      const config = yield* newSchema
      yield* withWorkspace(function* () {
        const queue = yield* WorkQueue
        const sql = yield* SqlClient.SqlClient
        const numbers = upTo(30)
        yield* holdJobs(numbers.map((number) => makeUploadJob(number)))
        const leases = numbers.toReversed().map((number) => ({ jobId: jobId(number), token }))
        const committing = Effect.forEach(
          numbers.toReversed(),
          (number) => commitJob(makeUploadJob(number), { ...begun, isLeaseKept: true }),
          atOnce
        ).pipe(counted)
        // While one row in the middle is locked, each transaction updates all rows that it can
        // lock.
        const [renewed, commits] = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT job_id FROM verbatim_work WHERE job_id = ${jobId(15)} FOR UPDATE`
            const extended = yield* queue.renew(leases)
            const fiber = yield* Effect.forkChild(committing)
            yield* untilWaiting(sql, 1)
            yield* queue.renew(leases)
            return [extended, fiber] as const
          })
        )
        const statements = yield* Fiber.join(commits)
        assert.strictEqual(renewed.extended.size, numbers.length - 1)
        // The commit that waited for the locked row was written in a separate statement.
        assert.isAtMost(statements, 2 + 1)
      }).pipe(Effect.provide(Layer.merge(layer(config), oneClient(config))))
    })
  )

  it.live("cancel a statement when no caller waits for it any more", () =>
    Effect.gen(function* () {
      // With the usual time limit, the statement would end after four seconds even if it were not
      // cancelled.
      const config = { ...(yield* newSchema), statementTimeout: Duration.hours(1) }
      yield* withWorkspace(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* holdJobs(upTo(4).map((number) => makeUploadJob(number)))
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT id FROM verbatim_jobs WHERE id = ${jobId(3)} FOR UPDATE`
            const commits = yield* Effect.forkChild(
              Effect.forEach(upTo(4), (number) => commitJob(makeUploadJob(number), begun), atOnce)
            )
            yield* untilWaiting(sql, 1)
            yield* Fiber.interrupt(commits)
            yield* untilWaiting(sql, 0)
          })
        )
        // The other commits did not wait for the locked row.
        const lengths = yield* Effect.forEach(upTo(4), (number) =>
          Effect.map(readWholeJob(jobId(number)), ({ history }) => history.length)
        )
        assert.deepStrictEqual(lengths, [2, 2, 1, 2])
      }).pipe(Effect.provide(Layer.merge(layer(config), oneClient(config))))
    })
  )
})

/** Names of presets that exist in both workspaces, in one, or in neither. */
const plain = ["support", "notes", "other", "nobody's", "", '","'] as const

/**
 * Names that no column can store. If a batch contains one, Postgres refuses the whole statement.
 */
const refused = ["\u0000", "\ud800"] as const

const names = [...plain, ...refused]

const looked = Schema.Tuple([Schema.Literals([1, 2, 3]), Schema.Literals(names)])

const find = ([workspace, name]: typeof looked.Type) =>
  Effect.flatMap(PresetStore, (store) =>
    Effect.result(store.find(workspaceId(workspace), name as PresetSlug))
  )

/** Hides the details of failures, because they contain the statement, which differs for a batch. */
const reported = <A, E>(results: ReadonlyArray<Result.Result<A, E>>) =>
  results.map((result) => (Result.isSuccess(result) ? result.success : "failed"))

const second = createWorkspace({
  id: workspaceId(2),
  name: "second",
  externalId: null,
  firstUserId: userId(2),
  createdAt: instant
})

const inSecond = { workspaceId: second.id }

/** Creates presets in two workspaces, with one name in common. */
const filled = Effect.gen(function* () {
  yield* Effect.flatMap(WorkspaceStore, (workspaces) => workspaces.create(second))
  const store = yield* PresetStore
  yield* makePresetVersions(3)
  yield* makePresetVersions(1, { first: 10, text: "notes" })
  const [support, other] = [makeDraft(20, inSecond), makeDraft(21, inSecond)]
  yield* store.append({ ...support, presetId: presetId(20), versionId: versionId(20) })
  yield* store.append({ ...other, slug: slug("other") })
})

describe("Preset lookups on Postgres", () => {
  for (const [who, asked] of Object.entries({ plain, refused: names })) {
    it.live(`get the same results in a batch as alone, including ${who} names`, () =>
      withWorkspace(function* () {
        yield* filled
        const all = asked.flatMap((name) => ([1, 2, 3] as const).map((of) => [of, name] as const))
        const many = [...all, ...all.toReversed(), ...all]
        const together = yield* Effect.forEach(many, find, atOnce)
        const alone = yield* Effect.forEach(many, find)
        assert.deepStrictEqual(reported(together), reported(alone))
        const there = alone.filter(
          (result) => Result.isSuccess(result) && Option.isSome(result.success)
        )
        assert.strictEqual(there.length, 3 * 4)
      }).pipe(Effect.provide(onServer))
    )
  }
})
