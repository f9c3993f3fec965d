/**
 * What a version reads that an older one has written, before its migration or beside it. The rows
 * are written as the older version does, which no store of this one can do.
 */
import { assert, describe, it } from "@effect/vitest"
import { type Job, notedEnd } from "@verbatim/core/job"
import { JobStore, RetentionStore, type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { createWorkspace } from "@verbatim/core/workspace"
import {
  apiKey,
  apiKeyId,
  attemptStarted,
  commitJob,
  type commitOf,
  deliveryId,
  foundFirst,
  givenUp,
  insertJob,
  instant,
  jobId,
  keyHash,
  later,
  makeUploadJob,
  request,
  transcriptProduced,
  userId,
  workspaceId
} from "@verbatim/testkit/samples"
import { DateTime, Effect, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"

const millis = DateTime.toEpochMillis

/** A workspace with a key, without what came with 0012. */
const foundsTenant = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO verbatim_workspaces ${sql.insert({
    id: workspaceId(1),
    name: "old",
    first_user_id: userId(1),
    created_at: millis(instant),
    balance_millis: 7
  })}`
  const { createdAt, hash, hint, id, kind, userId: user } = apiKey(1)
  yield* sql`INSERT INTO verbatim_api_keys ${sql.insert({
    id,
    workspace_id: workspaceId(1),
    user_id: user,
    kind,
    hash,
    hint,
    created_at: millis(createdAt),
    revoked_at: null
  })}`
})

const readsTenant = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const workspace = createWorkspace({
    id: workspaceId(1),
    name: "old",
    externalId: null,
    firstUserId: userId(1),
    createdAt: instant
  })
  assert.deepStrictEqual(yield* store.accounts({ after: null, limit: 2 }), [
    { workspace, balanceMillis: 7 }
  ])
  const found = yield* store.findKey(keyHash(1))
  assert.deepStrictEqual(found, Option.some({ key: apiKey(1), workspace }))
  const disabled = { ...workspace, _tag: "Disabled" as const, revision: 2 }
  assert.isTrue(yield* store.replace(disabled))
  const rotation = { id: apiKeyId(1), until: instant, successor: apiKey(2) }
  assert.isTrue(yield* store.rotateKey(rotation))
})

/** The older version goes on, and knows neither standings nor ends: it takes the key for valid. */
const goesOn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT id, workspace_id, user_id, kind, hash, hint, created_at, revoked_at
    FROM verbatim_api_keys WHERE hash = ${keyHash(1)} AND revoked_at IS NULL`
  assert.lengthOf(rows, 1)
})

/** Commits as an older version does: the columns that it does not know stay as they were. */
const commitsAsBefore = Effect.fnUntraced(function* (
  job: Job,
  change: Parameters<typeof commitOf>[1]
) {
  const sql = yield* SqlClient.SqlClient
  const [before] = yield* sql<Record<string, unknown>>`
    SELECT ended_at, holding FROM verbatim_jobs WHERE id = ${job.id}`
  const next = yield* commitJob(job, change)
  yield* sql`UPDATE verbatim_jobs SET ${sql.update({ ...before })} WHERE id = ${job.id}`
  return next
})

const query = { workspaceId: workspaceId(1), until: later(1_000), after: Option.none(), limit: 9 }

const idsOf = (found: ReadonlyArray<{ readonly id: string }>) => found.map(({ id }) => id)

/** A job that the older version accepted, beside this one, is found by its callback id, too. */
const findsCallbacks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* JobStore
  yield* foundFirst
  for (const [number, callbackId] of [
    [1, "a"],
    [2, "b"],
    [3, null],
    [4, "a"]
  ] as const) {
    yield* insertJob(makeUploadJob(number, { request: { ...request, callbackId } }))
  }
  yield* sql`UPDATE verbatim_jobs SET callback_id = NULL WHERE id <> ${jobId(4)}`
  const wanted = { workspaceId: workspaceId(1), status: Option.none(), after: Option.none() }
  const found = yield* jobs.list({ ...wanted, callbackId: "a", limit: 9 })
  assert.deepStrictEqual(idsOf(found), [jobId(4), jobId(1)])
  assert.deepStrictEqual(yield* sql`SELECT id FROM verbatim_jobs WHERE callback_id IS NULL`, [])
})

/** A job that the older version ended is found by the newer one; so is one that it ran again. */
const findsEnds = Effect.gen(function* () {
  const store = yield* RetentionStore
  yield* foundFirst
  const begun = yield* commitJob(yield* insertJob(makeUploadJob(1)), { events: [attemptStarted()] })
  const ended = yield* commitsAsBefore(begun, { events: [transcriptProduced(later(7))] })
  assert.deepStrictEqual(idsOf(yield* store.ended({ ...query, holding: "Media" })), [])
  assert.deepStrictEqual(idsOf(yield* store.unnoted(query)), [jobId(1)])
  yield* store.note([{ ...ended, ...notedEnd(ended) }])
  assert.deepStrictEqual(idsOf(yield* store.unnoted(query)), [])
  assert.deepStrictEqual(idsOf(yield* store.ended({ ...query, holding: "Media" })), [jobId(1)])
  // The newer version noted that this one failed; then the older one ran it again.
  const failing = yield* commitJob(yield* insertJob(makeUploadJob(2)), {
    events: [attemptStarted()]
  })
  const failed = yield* commitJob(failing, { events: [givenUp({ _tag: "AudioMissing" })] })
  const again = yield* commitsAsBefore(failed, {
    events: [{ _tag: "Retry", event: { _tag: "RetryRequested", at: later(8), id: deliveryId(1) } }]
  })
  const running = yield* commitsAsBefore(again, { events: [attemptStarted()] })
  const done = yield* commitsAsBefore(running, { events: [transcriptProduced(later(9))] })
  const found = yield* store.ended({ ...query, holding: "Media" })
  // It is found at its first end, with its second one in its state.
  assert.deepStrictEqual(idsOf(found), [jobId(2), jobId(1)])
  assert.deepStrictEqual(found[0]?.job, Option.some(done))
})

/** The cases, over the stores of one dialect with a client beside them. */
export const suite = (name: string, stores: Layer.Layer<Stores | SqlClient.SqlClient, unknown>) =>
  describe(`${name}, where an older version writes too`, () => {
    it.live("find the jobs that it accepted by their callback id", () =>
      Effect.provide(findsCallbacks, stores)
    )

    it.live("find the jobs that it ended", () => Effect.provide(findsEnds, stores))

    it.live("take its workspaces for active, and its keys for keys without an end", () =>
      Effect.all([foundsTenant, readsTenant, goesOn]).pipe(Effect.provide(stores))
    )
  })
