/** Calls every method of a database, so that tests can examine every statement. */
import { IdempotencyKey } from "@verbatim/core/idempotency"
import {
  CorrectionStore,
  JobStore,
  OperatorKeyStore,
  PresetStore,
  RetentionStore,
  WorkQueue,
  WorkspaceStore
} from "@verbatim/core/ports"
import { createWorkspace, dayMillis, UsageBy } from "@verbatim/core/workspace"
import {
  apiKey,
  apiKeyId,
  attemptStarted,
  commitOf,
  creation,
  credit,
  designate,
  findPreset,
  foundFirst,
  fullLanes,
  instant,
  jobId,
  keyHash,
  later,
  leaseToken,
  makeCapacity,
  makeDraft,
  makeOldJob,
  makeUploadJob,
  onRetention,
  operatorKey,
  presetId,
  revisePreset,
  transcriptProduced,
  userId,
  whole,
  workspaceId
} from "@verbatim/testkit/samples"
import { Duration, Effect, Option } from "effect"
import { Statement } from "effect/sql"

export const kinds = ["Fetch", "Transcribe", "Summarize", "Deliver"] as const

/** Runs all operations on one job, from its creation to its end. */
const wholeLife = Effect.gen(function* () {
  const corrections = yield* CorrectionStore
  const jobs = yield* JobStore
  const queue = yield* WorkQueue
  const job = makeUploadJob(1)
  const token = leaseToken(1)
  const lease = { jobId: job.id, token }
  yield* jobs.insert(creation(job))
  yield* queue.claim({
    token,
    ...makeCapacity({ kinds, limit: 10, lanes: fullLanes(["https://hooks.example.com"]) })
  })
  const begun = commitOf(job, { events: [attemptStarted()], token, isLeaseKept: true })
  yield* jobs.commit(begun)
  yield* queue.renew([lease])
  yield* queue.pendingCounts
  const transcript = { durationMillis: 1, language: "en", segments: [] }
  yield* jobs.commit(
    commitOf(begun.next, { events: [transcriptProduced()], token, transcript, chargeMillis: 1 })
  )
  yield* queue.release([lease])
  yield* jobs.find(job.workspaceId, job.id)
  yield* jobs.transcript(job.id)
  yield* jobs.list({
    workspaceId: job.workspaceId,
    status: Option.none(),
    after: Option.none(),
    limit: 2,
    words: ["hello"]
  })
  yield* jobs.moments(job.id, ["hello"])
  yield* corrections.current(job.id)
  yield* jobs.history(job.id)
  yield* jobs.present([job.id, jobId(2)])
})

/** Lists the jobs in all workspaces. */
export const listsOfAll = Effect.gen(function* () {
  const jobs = yield* JobStore
  const wanted = { workspaceId: null, limit: 2 }
  for (const status of [Option.none(), Option.some("IN_QUEUE" as const)]) {
    for (const after of [Option.none(), Option.some(jobId(3))]) {
      yield* jobs.list({ ...wanted, status, after })
      yield* jobs.list({ ...wanted, status, after, createdFrom: instant, createdBefore: later(1) })
    }
  }
  const any = { ...wanted, status: Option.none(), after: Option.none() }
  for (const status of [Option.none(), Option.some("FAILED" as const)]) {
    for (const after of [Option.none(), Option.some(jobId(3))]) {
      yield* jobs.list({ ...any, status, after, cause: "AudioMissing" })
    }
  }
  yield* jobs.list({ ...any, callbackId: "a" })
})

/** Runs the operations of a caller on its own jobs, and a retry. */
export const calls = Effect.gen(function* () {
  const jobs = yield* JobStore
  const job = makeUploadJob(3)
  const key = IdempotencyKey.make("order-3")
  const record = { key, fingerprint: "f", jobId: job.id, at: instant }
  yield* jobs.insert(creation(job, record))
  yield* jobs.insert(creation(job, record))
  yield* jobs.idempotency(job.workspaceId, key)
  for (const status of [Option.none(), Option.some("IN_QUEUE" as const)]) {
    for (const after of [Option.none(), Option.some(job.id)]) {
      yield* jobs.list({ workspaceId: job.workspaceId, status, after, limit: 2 })
    }
  }
  const wanted = {
    workspaceId: job.workspaceId,
    status: Option.none(),
    after: Option.none(),
    limit: 2
  }
  yield* jobs.list({ ...wanted, callbackId: "a" })
  yield* jobs.list({ ...wanted, cause: "AudioMissing" })
  yield* jobs.list({ ...wanted, createdFrom: instant, createdBefore: instant })
  yield* jobs.remove(job.workspaceId, job.id)
})

/** Finds old jobs, and deletes some of their data. */
const retention = Effect.gen(function* () {
  const jobs = yield* JobStore
  const store = yield* RetentionStore
  const job = makeOldJob(4)
  yield* jobs.insert(creation(job))
  const turn = { holder: "a process", hold: Duration.minutes(1) }
  yield* store.acquireLock(turn)
  const after = Option.some({ at: instant, id: job.id })
  for (const position of [Option.none(), after]) {
    const query = { workspaceId: job.workspaceId, until: instant, after: position, limit: 100 }
    yield* store.ended({ ...query, holding: "Transcript" })
    const cutoffs = { media: instant, transcript: instant, job: instant }
    yield* store.countExpired({ ...query, holding: "Transcript" }, cutoffs)
  }
  const events = [onRetention("TranscriptExpired")]
  const left = { revision: 1, events: [] }
  yield* jobs.commit(commitOf(job, { events, forgotten: { history: [left] } }))
  yield* store.remove(job.workspaceId, [{ ...job, revision: 2 }])
  yield* store.releaseLock({ holder: turn.holder, pause: turn.hold })
})

/** Writes both kinds of commits that need no lease. */
const unleased = Effect.gen(function* () {
  const jobs = yield* JobStore
  const job = makeUploadJob(2)
  yield* jobs.insert(creation(job))
  const begun = commitOf(job, { events: [attemptStarted()] })
  yield* jobs.commit(begun)
  yield* jobs.commit(commitOf(begun.next, { events: [transcriptProduced()] }))
})

const requests = Effect.gen(function* () {
  const jobs = yield* JobStore
  const presets = yield* PresetStore
  const workspaces = yield* WorkspaceStore
  yield* foundFirst
  const limited = makeUploadJob(9, { keyId: apiKeyId(1) })
  yield* jobs.insert({ ...creation(limited), unfinishedMax: { workspace: 100, key: 100 } })
  const { version } = yield* presets.append(makeDraft(1))
  const { preset } = yield* presets.append(makeDraft(2))
  yield* revisePreset(preset, designate(version))
  yield* findPreset()
  yield* presets.list(workspaceId(1), whole)
  yield* presets.versions(presetId(1), whole)
  yield* presets.version(presetId(1), 1)
  yield* presets.designations(presetId(1), { offset: 1, limit: 1 })
  yield* presets.designationCount(presetId(1))
  yield* presets.designatedAt(presetId(1), instant)
  yield* workspaces.account(workspaceId(1))
  yield* workspaces.credit(credit(2, 1))
  for (const before of [null, 1]) {
    yield* workspaces.ledger({ workspaceId: workspaceId(1), before, limit: 2 })
  }
  for (const keyId of [null, apiKeyId(1)]) {
    yield* jobs.unfinished({ workspaceId: workspaceId(1), keyId, countMax: 3 })
  }
  for (const by of UsageBy.literals) {
    const time = { from: instant, to: later(dayMillis), keyId: apiKeyId(1) }
    const after = { day: 1, workspaceId: workspaceId(1), keyId: apiKeyId(1) }
    yield* workspaces.usage({ ...time, workspaceId: workspaceId(1), by, after, limit: 2 })
  }
})

/**
 * Runs the operations of an operator on workspaces and keys, and the reads that every request
 * makes.
 */
const tenants = Effect.gen(function* () {
  const workspaces = yield* WorkspaceStore
  const operators = yield* OperatorKeyStore
  const workspace = createWorkspace({
    id: workspaceId(2),
    name: "customer",
    externalId: "customer",
    firstUserId: userId(2),
    createdAt: instant
  })
  // The second call finds the existing workspace and reads it, as every retry does.
  for (const _ of [1, 2]) {
    yield* workspaces.create(workspace)
    yield* workspaces.replace({ ...workspace, revision: 2, name: "renamed" })
    yield* workspaces.addKey(apiKey(2))
    const rotation = { id: apiKeyId(2), until: instant, successor: apiKey(3) }
    yield* workspaces.rotateKey(rotation)
    yield* operators.add(operatorKey(1))
  }
  yield* workspaces.accounts({ after: null, limit: 1 })
  yield* workspaces.accounts({ after: workspaceId(1), limit: 1 })
  yield* workspaces.keys(workspaceId(1))
  yield* workspaces.findKey(keyHash(1))
  yield* workspaces.noteUse(apiKeyId(1), instant)
  yield* workspaces.revokeKey(apiKeyId(2), instant)
  yield* workspaces.forgetKeys(workspaceId(1), instant)
  yield* operators.find(keyHash(1))
  yield* operators.noteUse(apiKeyId(1), instant)
  yield* operators.revoke(apiKeyId(1), instant)
})

/** Runs all requests, and all operations on jobs. */
export const everything = Effect.asVoid(
  Effect.all([requests, tenants, wholeLife, unleased, calls, retention])
)

/** A statement that the database received. */
export type Compiled = readonly [sql: string, params: ReadonlyArray<unknown>]

/** Runs an effect, and returns the statements that it sent. */
export const statementsOf = Effect.fnUntraced(function* <E, R>(effect: Effect.Effect<void, E, R>) {
  const seen = new Map<string, Compiled>()
  const record: Statement.Transformer = (statement) =>
    Effect.sync(() => {
      const compiled = statement.compile()
      seen.set(compiled[0], compiled)
      return statement
    })
  yield* Effect.provideService(effect, Statement.CurrentTransformer, record)
  return [...seen.values()]
})
