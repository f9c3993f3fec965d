/**
 * Tests this version with rows of a newer one. The tests write these rows directly, because the
 * stores of this version cannot write them.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Job } from "@verbatim/core/job"
import {
  JobStore,
  PresetStore,
  RetentionStore,
  type Stores,
  WorkQueue,
  WorkspaceStore
} from "@verbatim/core/ports"
import { scaleRuns } from "@verbatim/testkit/laws"
import {
  apiKey,
  attemptStarted,
  commitOf,
  creation,
  foundFirst,
  insertJob,
  instant,
  jobId,
  keyHash,
  leaseToken,
  makeCapacity,
  makeDraft,
  makeOldJob,
  makeUploadJob,
  transcript,
  transcriptProduced,
  upTo,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Exit, type Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"

/** Gives a job a format that this version does not know. */
const inNewFormat = (number: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE verbatim_jobs SET format = 1000 WHERE id = ${jobId(number)}`
  )

/** Tests that damaged jobs and jobs in a newer format stay unchanged. */
const skipsUnreadableJobs = withWorkspace(function* () {
  const store = yield* RetentionStore
  const sql = yield* SqlClient.SqlClient
  const old = upTo(4).map((number) => makeOldJob(number))
  yield* Effect.forEach(old, insertJob)
  yield* inNewFormat(1)
  yield* sql`UPDATE verbatim_jobs SET state = '{}' WHERE id = ${jobId(2)}`
  const query = { workspaceId: workspaceId(1), until: instant, after: Option.none(), limit: 2 }
  const page = yield* store.ended({ ...query, holding: "Transcript" })
  // Both rows count towards the page; otherwise, a page of unreadable rows would lead to a scan of
  // all others.
  assert.deepStrictEqual(page, [
    { id: jobId(1), at: instant, job: Option.none() },
    { id: jobId(2), at: instant, job: Option.none() }
  ])
  const after = Option.fromUndefinedOr(page.at(-1))
  const next = yield* store.ended({ ...query, holding: "Transcript", after })
  assert.deepStrictEqual(
    next.map(({ job }) => job),
    [old[2], old[3]].map(Option.fromUndefinedOr)
  )
  const removed = yield* store.remove(workspaceId(1), old)
  assert.notInclude(removed, jobId(1))
})

type Json = Readonly<Record<string, unknown>>

/** A job as its row stores it. */
interface Stored extends Json {
  readonly request: Json
  readonly transcription: Json
}

const stored = (number: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ readonly state: string }>`SELECT state FROM verbatim_jobs WHERE id = ${jobId(number)}`,
      ([row]): Stored => JSON.parse(row?.state ?? "null")
    )
  )

const rewrite = (number: number, change: (state: Stored) => Json) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const state = JSON.stringify(change(yield* stored(number)))
    yield* sql`UPDATE verbatim_jobs SET state = ${state} WHERE id = ${jobId(number)}`
  })

const paused = (state: Stored): Json => ({
  ...state,
  transcription: { ...state.transcription, _tag: "Paused" }
})

const inserted = (...numbers: ReadonlyArray<number>) =>
  Effect.forEach(
    numbers,
    (number) => Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(makeUploadJob(number)))),
    { discard: true }
  )

const found = (number: number) =>
  Effect.flatMap(JobStore, (jobs) => jobs.find(workspaceId(1), jobId(number)))

const listed = (limit: number) =>
  Effect.flatMap(JobStore, (jobs) =>
    jobs.list({ workspaceId: workspaceId(1), status: Option.none(), after: Option.none(), limit })
  ).pipe(Effect.map((jobs) => jobs.map(({ id }) => id)))

const committed = (job: Job, change: Parameters<typeof commitOf>[1]) =>
  Effect.flatMap(JobStore, (jobs) => jobs.commit(commitOf(job, change)))

/**
 * Fields that this version does not have. A prefix keeps their names apart from those of its own
 * fields.
 */
const moreFields = fc.dictionary(
  fc.oneof(
    fc.constant("__proto__"),
    fc.string({ maxLength: 8 }).map((name) => `new ${name}`)
  ),
  // The values are written as JSON first, which turns -0 into 0.
  fc.json({ maxDepth: 3 }).map((text): unknown => JSON.parse(text)),
  { maxKeys: 4 }
)

/** Returns the added fields that the states, the request and the job still have. */
const picked = (from: Json, fields: Json) =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, from[field]]))

const keepsFields: Effect.Effect<void, unknown, Stores | SqlClient.SqlClient> = Effect.gen(
  function* () {
    yield* foundFirst
    const context = yield* Effect.context<Stores | SqlClient.SqlClient>()
    let number = 0
    const property = fc.asyncProperty(
      moreFields,
      moreFields,
      moreFields,
      (root, request, state) => {
        number += 1
        return Effect.runPromiseWith(context)(
          Effect.gen(function* () {
            yield* inserted(number)
            yield* rewrite(number, (before) => ({
              ...before,
              ...root,
              request: { ...before.request, ...request },
              transcription: { ...before.transcription, ...state }
            }))
            const read = Option.getOrThrow(yield* found(number))
            assert.deepStrictEqual(
              JSON.parse(JSON.stringify(read)).request,
              makeUploadJob(1).request
            )
            yield* committed(read, { events: [attemptStarted()] })
            const again = Option.getOrThrow(yield* found(number))
            yield* committed(again, { events: [transcriptProduced()], transcript })
            const after = yield* stored(number)
            assert.strictEqual(after.transcription._tag, "Transcribed")
            assert.deepStrictEqual(picked(after, root), { ...root })
            assert.deepStrictEqual(picked(after.request, request), { ...request })
          })
        )
      }
    )
    yield* Effect.promise(() => fc.assert(property, { numRuns: scaleRuns(20) }))
  }
)

const leavesAlone = withWorkspace(function* () {
  yield* inserted(1, 2, 3)
  const jobs = yield* JobStore
  const known = Option.getOrThrow(yield* found(2))
  // A job in a newer format is never used, even if it can be decoded, because the meaning of its
  // fields may have changed.
  yield* inNewFormat(2)
  const before = yield* stored(2)
  assert.deepStrictEqual(yield* listed(2), [jobId(3), jobId(1)])
  for (const number of [1, 3]) yield* jobs.remove(workspaceId(1), jobId(number))
  assert.isTrue(yield* jobs.hasAny(workspaceId(1)))
  const unreadable = [jobs.find(workspaceId(1), jobId(2)), jobs.remove(workspaceId(1), jobId(2))]
  for (const question of unreadable) {
    assert.strictEqual((yield* Effect.flip(question)).reason._tag, "Unreadable")
  }
  const { reason } = yield* Effect.flip(
    jobs.commit(commitOf(known, { events: [attemptStarted()] }))
  )
  assert.strictEqual(reason._tag, "Superseded")
  assert.deepStrictEqual(yield* stored(2), before)
})

const listsOthers = withWorkspace(function* () {
  yield* inserted(...upTo(7))
  for (const number of [6, 5, 2]) yield* rewrite(number, paused)
  assert.deepStrictEqual(yield* listed(3), [jobId(7), jobId(4), jobId(3)])
  assert.deepStrictEqual(yield* listed(9), [jobId(7), jobId(4), jobId(3), jobId(1)])
  const queue = yield* WorkQueue
  const room = makeCapacity({ kinds: ["Transcribe"], limit: 7 })
  const { jobs } = yield* queue.claim({ token: leaseToken(1), ...room })
  assert.deepStrictEqual(
    jobs.map(({ id }) => id),
    [1, 3, 4, 7].map(jobId)
  )
})

const readsNoFurther = withWorkspace(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* JobStore
  yield* inserted(1)
  yield* sql`UPDATE verbatim_job_history SET events = '[{"_tag":"Pause"}]'`
  const row = { job_id: jobId(1), ordinal: 0, content: '{"spoken":[]}' }
  yield* sql`INSERT INTO verbatim_transcript_chunks ${sql.insert(row)}`
  const questions = [
    Effect.asVoid(jobs.history(jobId(1))),
    Effect.asVoid(jobs.transcript(jobId(1)))
  ]
  for (const question of questions) {
    assert.strictEqual((yield* Effect.flip(question)).reason._tag, "Unreadable")
  }
})

const leavesPresets = withWorkspace(function* () {
  const sql = yield* SqlClient.SqlClient
  const presets = yield* PresetStore
  const { preset } = yield* presets.append(makeDraft(1))
  const page = { offset: 0, limit: 10 }
  const other = yield* presets.append({ ...makeDraft(2), slug: "other" as typeof preset.slug })
  yield* sql`UPDATE verbatim_presets SET status = 'Frozen' WHERE id = ${preset.id}`
  const list = yield* presets.list(workspaceId(1), page)
  assert.deepStrictEqual(
    list.presets.map(({ id }) => id),
    [other.preset.id]
  )
  assert.strictEqual(list.total, 2)
  yield* Effect.flip(presets.append(makeDraft(3)))
  const [row] =
    yield* sql`SELECT latest_version AS latest FROM verbatim_presets WHERE id = ${preset.id}`
  assert.strictEqual(row?.latest, 1)
})

const findsOthers = withWorkspace(function* () {
  const sql = yield* SqlClient.SqlClient
  const store = yield* WorkspaceStore
  const [account] = yield* store.accounts({ after: null, limit: 1 })
  const { workspace } = yield* Effect.fromNullishOr(account)
  yield* store.create({ ...workspace, id: workspaceId(2) })
  yield* store.addKey({ ...apiKey(2), workspaceId: workspaceId(2) })
  yield* sql`UPDATE verbatim_workspaces SET status = 'Frozen' WHERE id = ${workspaceId(2)}`
  const [own, other] = yield* Effect.all(
    [store.findKey(keyHash(1)), Effect.exit(store.findKey(keyHash(2)))],
    { concurrency: "unbounded" }
  )
  assert.deepStrictEqual(own, Option.some({ key: apiKey(1), workspace }))
  assert.isTrue(Exit.isFailure(other))
})

/**
 * Time limit for a test that runs twenty jobs with about ten statements each, on a machine that may
 * be busy.
 */
const timeout = 60_000

/** Runs all cases with the stores of a database and a client of the same database. */
export const suite = (name: string, stores: Layer.Layer<Stores | SqlClient.SqlClient, unknown>) =>
  describe(`${name} shared with a newer version`, () => {
    const cases: Readonly<
      Record<string, Effect.Effect<void, unknown, Stores | SqlClient.SqlClient>>
    > = {
      "keep the newer version's fields in every commit": keepsFields,
      "do not change a job in the newer format, and list the other jobs": leavesAlone,
      "do not change an old job in the newer format, and skip a damaged job": skipsUnreadableJobs,
      "list and lease as many rows as requested, and skip rows that cannot be decoded": listsOthers,
      "fail, but do not crash, when reading a history and transcript in the newer format":
        readsNoFurther,
      "find other workspaces' keys, but no key of a workspace with a newer status": findsOthers,
      "list the other presets, and add no version to a preset with a newer status": leavesPresets
    }
    for (const [title, effect] of Object.entries(cases)) {
      it.live(title, () => Effect.provide(effect, stores), timeout)
    }
  })
