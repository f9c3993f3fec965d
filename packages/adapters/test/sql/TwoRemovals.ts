/**
 * Tests two processes that delete a workspace at the same time, while requests that had already
 * been admitted continue.
 */
import { assert } from "@effect/vitest"
import { JobStore, PresetStore, WorkspaceStore } from "@verbatim/core/ports"
import { makeRemovalStep } from "@verbatim/core/services"
import { FakeMedia } from "@verbatim/testkit/fakes"
import {
  attemptStarted,
  claimJobs,
  commitJob,
  creation,
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
import { type Context, Effect, Layer, Option } from "effect"
import { atOnce, type TwoClients } from "./TwoClients.ts"

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
export const deleteTogether = Effect.fnUntraced(function* ([one, other]: TwoClients) {
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
