/** Tests commits without a lease: the id in the request shows whether a commit was written. */
import { assert, describe, it } from "@effect/vitest"
import { jobId } from "@verbatim/testkit/samples"
import { Effect, Layer, Option } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import { DeliveryId } from "#src/domain/delivery/Delivery"
import { JobEvent } from "#src/domain/job/JobEvent"
import { JobStore, type JobStoreError } from "#src/ports/JobStore"
import { makeCommit } from "#src/services/jobs/Commits"
import { callback, caller, pass, submit } from "../../world/caller.ts"
import { deployment, worker } from "../../world/world.ts"

/** A job with a delivered webhook. */
const delivered = Effect.gen(function* () {
  const principal = yield* caller
  yield* Layer.build(worker)
  const { id } = yield* submit(principal, callback)
  yield* pass(3)
  const store = yield* JobStore
  const found = yield* store.find(principal.workspaceId, JobId.make(id))
  return { job: Option.getOrThrow(found), at: yield* store.now }
})

/** A caller's request to resend the job's webhook. */
const request = Effect.fnUntraced(function* (caller: number) {
  const { at, job } = yield* delivered
  const id = DeliveryId.make(jobId(caller))
  const event = { _tag: "RedeliveryRequested" as const, at, id }
  return { job, at, token: Option.none(), events: [JobEvent.cases.Redelivery.make({ event })] }
})

const reasonOf = (error: JobStoreError) => error.reason._tag

describe("A commit without a lease", () => {
  it.effect("is not confused with another caller's commit that was written first", () =>
    Effect.gen(function* () {
      const mine = yield* request(1)
      const id = DeliveryId.make(jobId(2))
      const { at, job } = mine
      const event = { _tag: "RedeliveryRequested" as const, at, id }
      const theirs = { ...mine, events: [JobEvent.cases.Redelivery.make({ event })] }
      const commit = yield* makeCommit
      yield* commit(theirs)
      assert.strictEqual(reasonOf(yield* Effect.flip(commit(mine))), "Superseded")
      const store = yield* JobStore
      const after = Option.getOrThrow(yield* store.find(job.workspaceId, job.id))
      assert.strictEqual(after.delivery?.id, id)
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )
})
