/** Defines tests of stored rows for every SQL database. */
import { assert } from "@effect/vitest"
import { JobStore, PresetStore, type Stores } from "@verbatim/core/ports"
import {
  attemptStarted,
  commitOf,
  creation,
  designate,
  designationsOf,
  findPreset,
  later,
  makeDraft,
  makeUploadJob,
  pieceRecognised,
  revisionOf,
  transcript,
  transcriptProduced,
  withWorkspace
} from "@verbatim/testkit/samples"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { schemaDigest } from "#src/sql/StoreTables"

/** The number and name of every migration. */
export const allMigrations: Array<readonly [id: number, name: string]> = [
  [1, `schema_${schemaDigest}`]
]

/** Tests that a new client can read everything that the previous one wrote. */
export const keepsEverything = Effect.fnUntraced(function* <E, R>(
  stores: Layer.Layer<Stores, E, R>
) {
  const write = withWorkspace(function* () {
    yield* Effect.flatMap(PresetStore, (presets) => presets.append(makeDraft(1)))
    yield* Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(makeUploadJob(1))))
    return yield* findPreset()
  })
  const written = yield* Effect.provide(write, Layer.fresh(stores))
  const read = Effect.gen(function* () {
    const { id, workspaceId: owner } = makeUploadJob(1)
    const job = yield* Effect.flatMap(JobStore, (jobs) => jobs.find(owner, id))
    return { job, preset: yield* findPreset() }
  })
  const found = yield* Effect.provide(read, Layer.fresh(stores))
  assert.deepStrictEqual(found.preset, written)
  assert.deepStrictEqual(found.job, Option.some(makeUploadJob(1)))
})

/** Tests that the error names a job that cannot be decoded. */
export const namesUnreadableJob = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* JobStore
  const { id, workspaceId: owner } = makeUploadJob(1)
  yield* jobs.insert(creation(makeUploadJob(1)))
  yield* sql`UPDATE verbatim_jobs SET state = '{"id":1}'`
  const error = yield* Effect.flip(jobs.find(owner, id))
  assert.strictEqual(error.reason._tag, "Unreadable")
  assert.include(String(error.cause), `jobs ${id} does not decode`)
})

/**
 * Tests that a damaged piece of a recording counts as missing, and is therefore recognised again.
 */
export const leavesOutDamagedPieces = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* JobStore
  yield* jobs.insert(creation(makeUploadJob(1)))
  const begun = commitOf(makeUploadJob(1), { events: [attemptStarted()] })
  yield* jobs.commit(begun)
  const result = { segments: [] }
  const piece = { index: 0, startMillis: 0, endMillis: 1_000, digest: "digest", result }
  yield* jobs.commit(commitOf(begun.next, { events: [pieceRecognised(0)], piece }))
  assert.deepStrictEqual(yield* jobs.pieces(begun.next.id), [piece])
  yield* sql`UPDATE verbatim_pieces SET content = '{"result":1}'`
  assert.deepStrictEqual(yield* jobs.pieces(begun.next.id), [])
  const found = yield* jobs.findPiece(begun.next.workspaceId, "digest")
  assert.deepStrictEqual(found, Option.none())
})

/** Tests that each peak takes one byte, in base64. */
export const keepsPeaksAsBytes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const jobs = yield* JobStore
  const job = makeUploadJob(1)
  yield* jobs.insert(creation(job))
  const begun = commitOf(job, { events: [attemptStarted()] })
  yield* jobs.commit(begun)
  const values = Array.from({ length: 2_000 }, (_, index) => (index % 256) - 128)
  const peaks = { sampleCount: 320_000, interval: 320, values }
  yield* jobs.commit(commitOf(begun.next, { events: [transcriptProduced()], transcript, peaks }))
  const [row] = yield* sql<{ readonly size: number }>`SELECT length(peaks) AS size
    FROM verbatim_transcript_chunks`
  assert.isBelow(row?.size ?? 0, (2_000 * 4) / 3 + 100)
  assert.deepStrictEqual(yield* jobs.peaks(job.id), Option.some(peaks))
})

/** Tests that a preset stays unchanged if its new designation cannot be stored. */
export const revisesAllOrNothing = withWorkspace(function* () {
  const store = yield* PresetStore
  const before = yield* store.append(makeDraft(1))
  const stray = { ...before.version, version: 2 }
  const revision = revisionOf(before.preset, { event: designate(stray, later(2)) })
  const { reason } = yield* Effect.flip(store.revise(revision))
  assert.strictEqual(reason._tag, "Unavailable")
  assert.deepStrictEqual(yield* findPreset(), Option.some(before))
  assert.strictEqual((yield* designationsOf(before.preset.id)).length, 1)
})
