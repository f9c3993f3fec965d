/** Tests that a deleted workspace's data is removed, and that other workspaces keep theirs. */
import { assert, describe, it } from "@effect/vitest"
import {
  makeDraft,
  presetId,
  readLedger,
  slug,
  upTo,
  versionId,
  webhookSecret,
  webhookSecretId,
  whole
} from "@verbatim/testkit/samples"
import { Duration, Effect, Exit, Layer, Option, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { deletionMin, type WorkspaceId } from "#src/domain/workspace/Workspace"
import { JobStore } from "#src/ports/JobStore"
import { PresetStore } from "#src/ports/PresetStore"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Submissions } from "#src/services/intake/Submissions"
import { Jobs } from "#src/services/jobs/Jobs"
import { passInterval, workspaceCollection } from "#src/services/retention/WorkspaceRemoval"
import { ApiKeys } from "#src/services/workspaces/ApiKeys"
import { Workspaces } from "#src/services/workspaces/Workspaces"

import { caller, stored, submit } from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"
import { deployment } from "../../world/world.ts"

/** The number of presets, and also of jobs. It is more than one step removes. */
const presetCount = 60
const jobCount = 120

/** Gives a workspace presets, jobs with media, a secret, and another key. */
const fill = Effect.fnUntraced(function* (principal: Principal, first: number) {
  const { workspaceId } = principal
  const presets = yield* PresetStore
  for (const number of upTo(presetCount)) {
    const ids = { presetId: presetId(first + number), versionId: versionId(first + number) }
    const draft = makeDraft(first + number, { ...ids, workspaceId, slug: slug(`p${number}`) })
    yield* presets.append(draft)
  }
  yield* Effect.forEach(upTo(jobCount), () => submit(principal, {}))
  const store = yield* WorkspaceStore
  yield* store.addWebhookSecret({
    ...webhookSecret(first),
    id: webhookSecretId(first),
    workspaceId
  })
})

/** Returns the stored data of a workspace. */
const remains = Effect.fnUntraced(function* (principal: Principal) {
  const { workspaceId } = principal
  const presets = yield* PresetStore
  const store = yield* WorkspaceStore
  const jobs = yield* Jobs
  return {
    presets: (yield* presets.list(workspaceId, whole)).total,
    jobs: (yield* jobs.list(principal, { limit: "100" })).data.length,
    secrets: (yield* store.webhookSecrets(workspaceId)).length,
    keys: (yield* store.keys(workspaceId)).length,
    ledger: (yield* readLedger(store, workspaceId)).length
  }
})

const full = { presets: presetCount, jobs: 100, secrets: 1, keys: 1, ledger: 1 }
const empty = { presets: 0, jobs: 0, secrets: 0, keys: 0, ledger: 1 }

const statusOf = (id: WorkspaceId) =>
  Effect.flatMap(Workspaces, (workspaces) =>
    Effect.map(workspaces.account(id), ({ workspace }) => workspace._tag)
  )

/** Asserts that the workspace and all its data were deleted. */
const assertDeleted = Effect.fnUntraced(function* (own: Principal) {
  assert.strictEqual(yield* statusOf(own.workspaceId), "Deleted")
  assert.deepStrictEqual(yield* remains(own), empty)
})

/** Creates another workspace with 600 minutes, and returns the principal of its key. */
const neighbour = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const keys = yield* ApiKeys
  const { id } = yield* workspaces.create({ name: "neighbour" })
  yield* workspaces.credit(id, { minutes: 600 })
  const { token } = yield* keys.issue(id, { kind: "inference", token: Option.none() })
  return yield* keys.authenticate(token)
})

/** Fills the caller's workspace and another one with data. */
const fillTwo = Effect.gen(function* () {
  const two = { own: yield* caller, other: yield* neighbour }
  yield* fill(two.own, 1_000)
  yield* fill(two.other, 2_000)
  return two
})

describe("a deleted workspace", () => {
  it.effect("loses its data within minutes, without affecting another workspace", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { other, own } = yield* fillTwo
      assert.lengthOf(yield* stored, 2 * jobCount)
      yield* Layer.build(workspaceCollection)
      yield* TestClock.adjust(passInterval)
      assert.deepStrictEqual(yield* remains(own), full)
      yield* workspaces.remove(own.workspaceId)
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* remains(own), empty)
      assert.deepStrictEqual(yield* remains(other), full)
      assert.lengthOf(yield* stored, jobCount)
      assert.strictEqual(yield* statusOf(own.workspaceId), "Deleting")
      assert.strictEqual(yield* statusOf(other.workspaceId), "Active")
      yield* TestClock.adjust(deletionMin)
      yield* assertDeleted(own)
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("loses its data even if another workspace's data cannot be removed", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { other, own } = yield* fillTwo
      for (const { workspaceId } of [own, other]) yield* workspaces.remove(workspaceId)
      const refusing = replace(PresetStore, (store) => ({
        clear: (id, rowMax) =>
          id === own.workspaceId ? Effect.die("a damaged row") : store.clear(id, rowMax)
      }))
      yield* Layer.build(Layer.provide(workspaceCollection, refusing))
      yield* TestClock.adjust("5 minutes")
      assert.deepStrictEqual(yield* remains(other), empty)
      assert.strictEqual((yield* remains(own)).presets, presetCount)
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("remains until a newer release has deleted a job that only that release can read", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const own = yield* caller
      yield* submit(own, {})
      yield* workspaces.remove(own.workspaceId)
      // This release cannot read the job, and leaves it to a newer one.
      const older = replace(JobStore, () => ({ list: () => Effect.succeed([]) }))
      const scope = yield* Scope.make()
      const looking = Layer.fresh(workspaceCollection)
      yield* Scope.provide(Layer.build(Layer.provide(looking, older)), scope)
      yield* TestClock.adjust(Duration.times(deletionMin, 2))
      assert.strictEqual(yield* statusOf(own.workspaceId), "Deleting")
      yield* Scope.close(scope, Exit.void)
      yield* Layer.build(workspaceCollection)
      yield* TestClock.adjust("5 minutes")
      yield* assertDeleted(own)
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("also loses data that an earlier request wrote after the deletion", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const own = yield* caller
      yield* Layer.build(workspaceCollection)
      const removed = Effect.andThen(
        workspaces.remove(own.workspaceId),
        TestClock.adjust("10 minutes")
      )
      const content = Stream.concat(
        Stream.fromEffectDrain(removed),
        Stream.succeed(new Uint8Array(8))
      )
      const file = { _tag: "File" as const, name: "file", filename: "a.wav", content }
      const submissions = yield* Submissions
      yield* submissions.submit(own, { isTextual: false, parts: Stream.make(file) })
      yield* TestClock.adjust("10 minutes")
      assert.deepStrictEqual(yield* remains(own), empty)
      assert.deepStrictEqual(yield* stored, [])
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )

  it.effect("refuses a job even if its caller was authenticated before the deletion", () =>
    Effect.gen(function* () {
      const own = yield* caller
      yield* (yield* Workspaces).remove(own.workspaceId)
      const refusal = yield* Effect.flip(submit(own, {}))
      assert.strictEqual(refusal._tag, "WorkspaceNotFound")
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )
})
