/** A store that falls silent is no death: what a process survives fails no recording. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeEngines } from "@verbatim/testkit/fakes"
import { Effect, Layer } from "effect"
import { JobId } from "#src/domain/attempt/JobId"
import { type Commit, JobStore } from "#src/ports/JobStore"
import { WorkQueue } from "#src/ports/WorkQueue"
import { caller, deployment, look, pass, submit, worker } from "./world.ts"

/** Stores that answer nothing while they are silent, and a worker's ports to them. */
const hushed = Effect.gen(function* () {
  const store = yield* JobStore
  const queue = yield* WorkQueue
  let isSilent = false
  const unlessSilent = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => (isSilent ? Effect.never : effect))
  const speak = Effect.sync(() => {
    isSilent = false
  })
  const hush = Effect.suspend(() => {
    isSilent = true
    return Effect.forkDetach(Effect.delay(speak, "40 seconds"))
  })
  let onCommit = (_: Commit): Effect.Effect<unknown> => Effect.void
  const ports = Layer.mergeAll(
    Layer.succeed(WorkQueue, {
      claim: (request) => unlessSilent(queue.claim(request)),
      renew: (leases) => unlessSilent(queue.renew(leases)),
      release: (leases) => unlessSilent(queue.release(leases))
    }),
    Layer.succeed(JobStore, {
      ...store,
      history: (id) => unlessSilent(store.history(id)),
      commit: (commit) =>
        unlessSilent(store.commit(commit)).pipe(
          Effect.andThen(Effect.suspend(() => onCommit(commit))),
          Effect.andThen(unlessSilent(Effect.void))
        )
    })
  )
  return {
    hush,
    ports,
    /** What happens between a commit and its answer. */
    betweenCommitAndAnswer: (action: (commit: Commit) => Effect.Effect<unknown>) => {
      onCommit = action
    }
  }
})

/** Each outage is longer than a lease. */
const outages = 5

const failures = Effect.fnUntraced(function* (id: string) {
  const history = yield* Effect.flatMap(JobStore, (store) => store.history(JobId.make(id)))
  const tags = history.flatMap(({ events }) => events.map(({ event }) => event._tag))
  return tags.filter((tag) => tag === "AttemptLost" || tag === "GivenUp")
})

describe("A store that is silent for 40 seconds, five times", () => {
  it.effect(
    "while an engine works, fails no recording",
    () =>
      Effect.gen(function* () {
        const principal = yield* caller
        const engines = yield* FakeEngines
        const { hush, ports } = yield* hushed
        let runs = 0
        yield* engines.script({
          transcribe: Effect.suspend(() => {
            runs += 1
            const started = runs <= outages ? hush : Effect.void
            return Effect.andThen(started, Effect.delay(calmScript.transcribe, "39 seconds"))
          })
        })
        yield* Layer.build(worker.pipe(Layer.provide(ports)))
        const job = yield* submit(principal, {})
        yield* pass(420)
        assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
        assert.isAbove(runs, outages)
        assert.deepStrictEqual(yield* failures(job.id), [])
      }).pipe(Effect.scoped, Effect.provide(deployment)),
    60_000
  )

  it.effect(
    "as its attempts end, fails no recording",
    () =>
      Effect.gen(function* () {
        const principal = yield* caller
        const engines = yield* FakeEngines
        const { hush, ports } = yield* hushed
        let runs = 0
        yield* engines.script({
          transcribe: Effect.suspend(() => {
            runs += 1
            return Effect.tap(calmScript.transcribe, () => (runs <= outages ? hush : Effect.void))
          })
        })
        yield* Layer.build(worker.pipe(Layer.provide(ports)))
        const job = yield* submit(principal, {})
        yield* pass(420)
        assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
        assert.isAbove(runs, outages)
        assert.deepStrictEqual(yield* failures(job.id), [])
      }).pipe(Effect.scoped, Effect.provide(deployment)),
    60_000
  )

  it.effect(
    "after the commits that begin its attempts, fails no recording",
    () =>
      Effect.gen(function* () {
        const principal = yield* caller
        const { betweenCommitAndAnswer, hush, ports } = yield* hushed
        let count = 0
        betweenCommitAndAnswer(({ isLeaseKept }) =>
          Effect.suspend(() => (isLeaseKept && count++ < outages ? hush : Effect.void))
        )
        yield* Layer.build(worker.pipe(Layer.provide(ports)))
        const job = yield* submit(principal, {})
        yield* pass(420)
        assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
        assert.isAbove(count, outages)
        assert.deepStrictEqual(yield* failures(job.id), [])
      }).pipe(Effect.scoped, Effect.provide(deployment)),
    60_000
  )
})
