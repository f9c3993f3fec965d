/** A job that is deleted while callers read it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { JobStore } from "#src/ports/JobStore"
import { JobRecords } from "#src/services/jobs/JobRecords"
import { Jobs } from "#src/services/jobs/Jobs"
import { caller } from "../../world/caller.ts"
import { replace } from "../../world/replace.ts"
import { front, outside } from "../../world/world.ts"
import { call, short } from "../intake/RepeatWorld.ts"

/** A store in which each job exists when it is looked up, but not afterwards. */
const deleting = replace(JobStore, (jobs) => ({
  find: (workspaceId, id) =>
    Effect.tap(jobs.find(workspaceId, id), () => jobs.remove(workspaceId, id))
}))

const layer = front.pipe(Layer.provideMerge(deleting), Layer.provideMerge(outside))

describe("a job that is deleted while it is read", () => {
  it.effect("is reported as not found, not with an empty history", () =>
    Effect.gen(function* () {
      const principal = yield* caller
      const [jobs, records] = [yield* Jobs, yield* JobRecords]
      const first = yield* call(principal, short(1))
      const seen = yield* Effect.flip(jobs.history(principal, first.id))
      assert.strictEqual(seen._tag, "RequestNotFound")
      const second = yield* call(principal, short(1))
      const read = yield* Effect.flip(records.history(principal, second.id))
      assert.strictEqual(read._tag, "RequestNotFound")
    }).pipe(Effect.provide(layer))
  )
})
