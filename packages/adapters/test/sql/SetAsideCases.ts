/** Jobs with more corrections than one statement deletes: gone at once, swept in small steps. */
import { assert } from "@effect/vitest"
import type { CorrectionWish } from "@verbatim/core/correction"
import type { Job } from "@verbatim/core/job"
import { CorrectionStore, JobStore, RetentionStore } from "@verbatim/core/ports"
import {
  attemptStarted,
  commitJob,
  correctInTurn,
  insertJob,
  jobId,
  makeUploadJob,
  onKeeping,
  reading,
  recognised,
  transcript,
  transcriptProduced,
  upTo,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Effect, Option } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { makeSweep } from "#src/sql/job/CorrectionsAside"
import { Statements } from "#src/sql/Statements"

/** Of each version, and there are two. */
const segmentCount = 1_400

const change = (word: string) =>
  reading(upTo(segmentCount).map((index) => ({ index, text: `${word} ${index}.`, speaker: null })))

/** A job whose transcript was corrected twice in all its segments, and then once more or not. */
export const insertCorrected = Effect.fnUntraced(function* (
  number: number,
  more: ReadonlyArray<CorrectionWish> = []
) {
  const store = yield* CorrectionStore
  const begun = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
    events: [attemptStarted()]
  })
  const job = yield* commitJob(begun, { events: [transcriptProduced()], transcript })
  const decisions = correctInTurn(recognised(number), [change("Said"), change("Heard"), ...more])
  for (const decision of decisions) yield* store.commit(decision)
  return job
})

/** Rows of all that a job may have. */
export const countRows = Effect.fnUntraced(function* (number: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{
    readonly rest: number
    readonly jobs: number
    readonly pieces: number
  }>`
    SELECT (SELECT count(*) FROM verbatim_jobs WHERE id = ${jobId(number)}) AS jobs,
      (SELECT count(*) FROM verbatim_transcript_chunks WHERE job_id = ${jobId(number)}) AS pieces,
      (SELECT count(*) FROM verbatim_corrections WHERE job_id = ${jobId(number)})
      + (SELECT count(*) FROM verbatim_corrected_segments WHERE job_id = ${jobId(number)})
      + (SELECT count(*) FROM verbatim_correction_versions WHERE job_id = ${jobId(number)})
      + (SELECT count(*) FROM verbatim_correction_changes WHERE job_id = ${jobId(number)}) AS rest`
  return row ?? assert.fail()
})

/** Nothing is left. */
export const none = { jobs: 0, pieces: 0, rest: 0 }

/** Of one job: its head, its versions, their changes, and what is corrected. */
const all = { jobs: 1, pieces: 1, rest: 1 + 2 + 3 * segmentCount }

/** A step. */
export const sweepOnce = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* makeSweep(sql, yield* Statements).step) > 0
})

/** Rows that a transaction may delete: the largest step, and a head with its piece and job. */
const stepMax = 3_003

/** Sweeps to the end, and fails where a step deletes too much. */
const sweepAll = Effect.fnUntraced(function* (numbers: ReadonlyArray<number>) {
  const total = Effect.map(Effect.forEach(numbers, countRows), (counts) =>
    counts.reduce((sum, { jobs, pieces, rest }) => sum + jobs + pieces + rest, 0)
  )
  let steps = 0
  for (let before = yield* total; yield* sweepOnce; steps += 1) {
    const after = yield* total
    assert.isBelow(after, before)
    assert.isAtMost(before - after, stepMax)
    before = after
  }
  return steps
})

/** What those who listen are told of deleted jobs: that they are, behind their last commits. */
const toldDeletions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly job_id: string; readonly revision: number | string }>`
    SELECT job_id, revision FROM verbatim_job_deletions WHERE workspace_id = ${workspaceId(1)}
    ORDER BY job_id`
  return rows.map(({ job_id, revision }) => [job_id, Number(revision)])
})

/** DELETE, beside a job that stays. */
export const sweepsRemoved = withWorkspace(function* () {
  const jobs = yield* JobStore
  const job = yield* insertCorrected(1)
  yield* insertCorrected(2)
  assert.deepStrictEqual(yield* jobs.remove(workspaceId(1), job.id), Option.some(job))
  assert.isTrue(Option.isNone(yield* jobs.find(workspaceId(1), job.id)))
  // Told once, as of a job that goes by one statement, and not again by the sweep.
  const told = [[job.id, job.revision + 1]]
  assert.deepStrictEqual(yield* toldDeletions, told)
  assert.isTrue(Option.isNone(yield* jobs.remove(workspaceId(1), job.id)))
  // Whoever follows it alone is told as well, and not once it is swept.
  const followed = yield* jobs.changes({ jobs: [{ id: job.id, beyond: 0 }], feed: Option.none() })
  assert.strictEqual(followed.jobs.size, 0)
  // Whoever dies here leaves it to the next one.
  assert.isAbove((yield* countRows(1)).rest, 3 * segmentCount)
  assert.isAbove(yield* sweepAll([1]), 3)
  assert.deepStrictEqual(yield* countRows(1), none)
  assert.deepStrictEqual(yield* countRows(2), all)
  assert.isFalse(yield* sweepOnce)
  assert.deepStrictEqual(yield* toldDeletions, told)
})

/** The end of its transcript. */
export const expire = (job: Job) =>
  commitJob(job, { events: [onKeeping("TranscriptExpired")], forgotten: { history: [] } })

/** Old jobs, and a transcript whose time is over: of that, the job stays. */
export const sweepsExpired = withWorkspace(function* () {
  const [jobs, retention] = [yield* JobStore, yield* RetentionStore]
  const { id, revision } = yield* insertCorrected(1)
  const expired = yield* insertCorrected(2)
  assert.deepStrictEqual(yield* retention.remove(workspaceId(1), [{ id, revision }]), [id])
  assert.deepStrictEqual(yield* toldDeletions, [[id, revision + 1]])
  yield* expire(expired)
  assert.isTrue(Option.isNone(yield* jobs.transcript(expired.id)))
  yield* sweepAll([1, 2])
  assert.deepStrictEqual(yield* countRows(1), none)
  assert.deepStrictEqual(yield* countRows(2), { ...none, jobs: 1 })
  assert.isTrue(Option.isSome(yield* jobs.find(workspaceId(1), expired.id)))
})

/** Jobs whose corrections are aside already: by DELETE, and as old ones. */
export const sweepsExpiredAndRemoved = withWorkspace(function* () {
  const [jobs, retention] = [yield* JobStore, yield* RetentionStore]
  for (const number of upTo(2)) {
    const job = yield* Effect.flatMap(insertCorrected(number), expire)
    const before = (yield* countRows(number)).rest
    if (number === 1) yield* jobs.remove(workspaceId(1), job.id)
    else yield* retention.remove(workspaceId(1), [job])
    // The removal only hides the job.
    assert.strictEqual((yield* countRows(number)).rest, before)
    assert.isTrue(Option.isNone(yield* jobs.find(workspaceId(1), job.id)))
    yield* sweepAll([number])
    assert.deepStrictEqual(yield* countRows(number), none)
  }
  assert.strictEqual((yield* toldDeletions).length, 2)
})

/** A removal at any moment of a sweep's last step: neither fails, and nothing is left. */
export const sweepsBesideRemovals = withWorkspace(function* () {
  const jobs = yield* JobStore
  for (const number of upTo(12)) {
    const job = yield* Effect.flatMap(insertCorrected(number), expire)
    while ((yield* countRows(number)).rest > 1_000) yield* sweepOnce
    const removal = Effect.andThen(Effect.sleep(number - 1), jobs.remove(workspaceId(1), job.id))
    const [, removed] = yield* Effect.all([sweepOnce, removal], { concurrency: "unbounded" })
    assert.isTrue(Option.isSome(removed))
    yield* Effect.repeat(sweepOnce, { while: (isAny) => isAny })
    assert.deepStrictEqual(yield* countRows(number), none)
  }
})

/** Two who sweep at once, as two processes do. */
export const sweepsTogether = withWorkspace(function* () {
  const jobs = yield* JobStore
  for (const number of upTo(3)) {
    const { id } = yield* insertCorrected(number)
    yield* jobs.remove(workspaceId(1), id)
  }
  const toEnd = Effect.repeat(sweepOnce, { while: (isAny) => isAny })
  yield* Effect.all([toEnd, toEnd], { concurrency: "unbounded" })
  yield* toEnd
  for (const number of upTo(3)) assert.deepStrictEqual(yield* countRows(number), none)
})

/** Runs something before the second statement of a question, if it has one. */
const beforeSecond =
  (before: Effect.Effect<unknown, unknown>) =>
  <A, E, R>(question: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
    const quietly = Effect.provideService(before, Statement.CurrentTransformer, undefined)
    let count = 0
    const transform: Statement.Transformer = (statement) => {
      count += 1
      return Effect.as(count === 2 ? Effect.orDie(quietly) : Effect.void, statement)
    }
    return Effect.provideService(question, Statement.CurrentTransformer, transform)
  }

/** The name of a speaker. */
const naming: CorrectionWish = {
  _tag: "Change",
  change: { speakers: [{ speaker: "speaker_0", name: "Ana" }], segments: [] }
}

/** A removal while somebody reads: what they are told is whole, or nothing. */
export const readsWholeBesideRemovals = withWorkspace(function* () {
  const [jobs, store] = [yield* JobStore, yield* CorrectionStore]
  for (const number of upTo(2)) {
    const { id } = yield* insertCorrected(number, [naming])
    const beside = beforeSecond(jobs.remove(workspaceId(1), id))
    if (number === 1) {
      const version = yield* beside(store.version(id, 2))
      const segments = Option.map(version, (found) => found.segments.length)
      assert.include([undefined, segmentCount], Option.getOrUndefined(segments))
    } else {
      const { segments, speakers } = yield* beside(store.overlayAt(id, 3))
      assert.include(["1 1400", "0 0"], `${speakers.length} ${segments.length}`)
    }
  }
})
