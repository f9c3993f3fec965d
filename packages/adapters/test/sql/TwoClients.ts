/** Defines tests of concurrency with two clients of one database. */
import { assert, it } from "@effect/vitest"
import { Deadline, JobStore, PresetStore, type Stores, WorkspaceStore } from "@verbatim/core/ports"
import { makeRemovalStep } from "@verbatim/core/services"
import { FakeMedia } from "@verbatim/testkit/fakes"
import {
  apiKeyId,
  attemptStarted,
  claimJobs,
  commitJob,
  creation,
  findPreset,
  foundFirst,
  leaseToken,
  makeDraft,
  makeUploadJob,
  presetId,
  readLedger,
  slug,
  upTo,
  versionId,
  webhookSecret,
  whole,
  workspaceId
} from "@verbatim/testkit/samples"
import { Clock, type Context, Duration, Effect, Layer, Option, Result, type Scope } from "effect"
import { RateLimiter } from "effect/persistence"

/** Options that run all effects of a loop at once. */
export const atOnce = { concurrency: "unbounded" } as const

/** The stores on each client. */
export type TwoClients = readonly [one: Context.Context<Stores>, other: Context.Context<Stores>]

const sorted = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)

/** Runs operations on the two clients in turn. */
const onBoth =
  <A, E>([one, other]: TwoClients, ask: (number: number) => Effect.Effect<A, E, Stores>) =>
  (number: number) =>
    Effect.provide(ask(number), number % 2 === 0 ? one : other)

/** Reads the versions of the preset that all writers append to. */
const storedVersions = Effect.gen(function* () {
  const presets = yield* PresetStore
  const { preset, version } = Option.getOrThrow(yield* findPreset())
  const versions = yield* presets.versions(preset.id, whole)
  assert.strictEqual(preset.latestVersion, versions.length)
  assert.strictEqual(version.version, versions.length)
  return versions.map(({ version }) => version)
})

/** Tests that 24 writers on each client create 48 versions of one preset. */
const givesDenseVersions = Effect.fnUntraced(function* (both: TwoClients) {
  const [one, other] = both
  yield* Effect.provide(foundFirst, one)
  const append = (number: number) =>
    Effect.flatMap(PresetStore, (presets) => presets.append(makeDraft(number)))
  const appended = yield* Effect.forEach(upTo(48), onBoth(both, append), atOnce)
  assert.deepStrictEqual(sorted(appended.map(({ version }) => version.version)), upTo(48))
  assert.deepStrictEqual(yield* Effect.provide(storedVersions, one), upTo(48))
  assert.deepStrictEqual(yield* Effect.provide(storedVersions, other), upTo(48))
})

/** Number of jobs: more than one step deletes. */
const jobCount = 160
const presetCount = 40

const insert = (number: number) =>
  Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(makeUploadJob(number))))

/** Adds a version to one of the presets. */
const append = (number: number) => {
  const preset = 1 + (number % presetCount)
  const ids = { presetId: presetId(preset), versionId: versionId(number) }
  const draft = makeDraft(number, { ...ids, slug: slug(`p${preset}`) })
  return Effect.flatMap(PresetStore, (presets) => presets.append(draft))
}

/** Runs steps until there is nothing left to delete. */
const empty = Effect.flatMap(makeRemovalStep, (step) =>
  Effect.repeat(step, { while: (hasMore) => hasMore })
)

const beginDeletion = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  yield* store.addWebhookSecret(webhookSecret(1))
  const account = yield* store.account(workspaceId(1))
  const { workspace } = Option.getOrThrow(account)
  yield* store.replace({ ...workspace, _tag: "Deleting", revision: 2 })
})

/**
 * Claims jobs and begins their attempts. Each attempt either continues normally or finds its job
 * deleted.
 */
const workOn = Effect.gen(function* () {
  const jobs = yield* claimJobs(leaseToken(1))
  const change = { events: [attemptStarted()], token: leaseToken(1) }
  return yield* Effect.forEach(jobs, (job) => Effect.result(commitJob(job, change)), atOnce)
})

const remains = Effect.gen(function* () {
  const id = workspaceId(1)
  const query = { workspaceId: id, status: Option.none(), after: Option.none(), limit: 1 }
  const [jobs, presets, store] = [yield* JobStore, yield* PresetStore, yield* WorkspaceStore]
  return {
    jobs: (yield* jobs.list(query)).length,
    presets: (yield* presets.list(id, whole)).total,
    secrets: (yield* store.webhookSecrets(id)).length,
    keys: (yield* store.keys(id)).length,
    ledger: (yield* readLedger(store, id)).length
  }
})

/** Tests that two removals at the same time both succeed, and leave only the ledger. */
const deleteTogether = Effect.fnUntraced(function* ([one, other]: TwoClients) {
  const at = <A, E, R, R2>(client: Context.Context<R>, effect: Effect.Effect<A, E, R | R2>) =>
    Effect.provide(effect, client)
  const services = [
    yield* Layer.build(Layer.fresh(FakeMedia.layer)),
    yield* Layer.build(Layer.fresh(FakeMedia.layer))
  ] as const
  yield* at(one, foundFirst)
  yield* at(one, Effect.forEach(upTo(jobCount), insert, atOnce))
  yield* at(one, Effect.forEach(upTo(3 * presetCount), append, atOnce))
  yield* at(one, beginDeletion)
  const late = (numbers: ReadonlyArray<number>) =>
    Effect.forEach(
      numbers.map((number) => number + 1_000),
      (number) => Effect.all([insert(number), Effect.result(append(number))], atOnce),
      atOnce
    )
  yield* Effect.all(
    [
      at(services[0], at(one, empty)),
      at(services[1], at(other, empty)),
      at(one, late(upTo(60))),
      at(other, late(upTo(60).map((number) => number + 60))),
      at(other, workOn)
    ],
    atOnce
  )
  // Rows that arrive late are deleted by later steps.
  for (const _ of upTo(3)) {
    yield* Effect.all([at(services[0], at(one, empty)), at(services[1], at(other, empty))], atOnce)
  }
  const nothing = { jobs: 0, presets: 0, secrets: 0, keys: 0, ledger: 1 }
  assert.deepStrictEqual(yield* at(other, remains), nothing)
})

const runOnBoth = <A, E>(
  [one, other]: TwoClients,
  ask: (number: number) => Effect.Effect<A, E, Stores>
) =>
  Effect.forEach(
    upTo(48),
    (number) => Effect.result(Effect.provide(ask(number), number % 2 === 0 ? one : other)),
    atOnce
  )

const countOf = <A, E>(outcomes: ReadonlyArray<Result.Result<A, E>>): number =>
  outcomes.filter(Result.isSuccess).length

/**
 * Submits many jobs through both clients. The limits of the workspace and of the key count the jobs
 * of both.
 */
const limitsUnfinished = Effect.fnUntraced(function* (both: TwoClients) {
  const insert = (
    number: number,
    unfinishedMax: { workspace: number | null; key: number | null }
  ) =>
    Effect.flatMap(JobStore, (store) =>
      store.insert({
        ...creation(makeUploadJob(number, { keyId: apiKeyId(1) })),
        unfinishedMax
      })
    )
  const ofKey = yield* runOnBoth(both, (number) => insert(number, { workspace: null, key: 5 }))
  assert.strictEqual(countOf(ofKey), 5)
  const all = yield* runOnBoth(both, (number) => insert(100 + number, { workspace: 12, key: null }))
  assert.strictEqual(countOf(all), 7)
})

/**
 * Sends many requests through both clients. The bucket lets through exactly as many as it holds.
 */
const limitsRequests = Effect.fnUntraced(function* (both: TwoClients) {
  const outcomes = yield* runOnBoth(both, () =>
    Effect.flatMap(RateLimiter.make, (limiter) =>
      limiter.consume({
        algorithm: "token-bucket",
        // With a window this long, the bucket does not leak during the test.
        window: Duration.days(1),
        limit: 7,
        key: "workspace"
      })
    )
  )
  assert.strictEqual(countOf(outcomes), 7)
})

/** Gives every write ten minutes, because writes can be slow on a busy machine. */
const patiently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Clock.monotonicTimeNanos, (now) =>
    Effect.provideService(effect, Deadline, now + Duration.toNanosUnsafe(Duration.minutes(10)))
  )

/** Runs the tests with two clients, and calls them `clients` in the titles. */
export const testTwo = <E>(clients: string, open: Effect.Effect<TwoClients, E, Scope.Scope>) => {
  it.live(`numbers versions without gaps for 24 writers on each of two ${clients}`, () =>
    Effect.flatMap(open, givesDenseVersions)
  )

  it.live(`limits the number of unfinished jobs on two ${clients} together`, () =>
    Effect.flatMap(open, limitsUnfinished)
  )

  it.live(`limits the number of requests on two ${clients} together`, () =>
    Effect.flatMap(open, limitsRequests)
  )

  it.live(`deletes a workspace through two ${clients} at once while others write to it`, () =>
    patiently(Effect.flatMap(open, deleteTogether))
  )
}
