/**
 * A worker is not dead if its store is silent: no recording fails if its process survives the
 * outage.
 */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, type FakeEngines, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Effect, Layer } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import { type Commit, JobStore } from "#src/ports/JobStore"
import { WorkQueue } from "#src/ports/WorkQueue"
import { callback, look, pass, script, submit, withCaller } from "../world/caller.ts"
import { delayFirst, gateQueue, replace } from "../world/ports.ts"
import { worker } from "../world/world.ts"

/** Makes a worker's ports, and an effect that silences the stores behind them for 40 seconds. */
const hushed = Effect.gen(function* () {
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
    Layer.succeed(WorkQueue, gateQueue(queue, unlessSilent)),
    replace(JobStore, (store) => ({
      history: (id) => unlessSilent(store.history(id)),
      commit: (commit) =>
        unlessSilent(store.commit(commit)).pipe(
          Effect.andThen(Effect.suspend(() => onCommit(commit))),
          Effect.andThen(unlessSilent(Effect.void))
        )
    }))
  )
  return {
    hush,
    ports,
    /** Runs an action after each commit, before the store responds. */
    betweenCommitAndAnswer: (action: (commit: Commit) => Effect.Effect<unknown>) => {
      onCommit = action
    }
  }
})

/** The number of outages. Each is longer than a lease. */
const outages = 5

const failures = Effect.fnUntraced(function* (id: string) {
  const history = yield* Effect.flatMap(JobStore, (store) => store.history(JobId.make(id)))
  const tags = history.flatMap(({ events }) => events.map(({ event }) => event._tag))
  return tags.filter((tag) => tag === "AttemptLost" || tag === "GivenUp")
})

/** Prepares silences, and returns the worker's ports and the number of silences so far. */
type Silence = Effect.Effect<
  {
    readonly ports: Layer.Layer<WorkQueue | JobStore, never, JobStore>
    readonly count: () => number
  },
  never,
  FakeEngines | JobStore | WorkQueue
>

/** Silences the store when an engine starts or finishes. */
const aroundTranscription = (when: "as it begins" | "as it ends"): Silence =>
  Effect.gen(function* () {
    const { hush, ports } = yield* hushed
    let runs = 0
    const silence = Effect.suspend(() => (runs <= outages ? hush : Effect.void))
    const { transcribe } = calmScript
    yield* script({
      transcribe: Effect.suspend(() => {
        runs += 1
        return when === "as it begins"
          ? Effect.andThen(silence, Effect.delay(transcribe, "39 seconds"))
          : Effect.tap(transcribe, () => silence)
      })
    })
    return { ports, count: () => runs }
  })

const afterCommits: Silence = Effect.gen(function* () {
  const { betweenCommitAndAnswer, hush, ports } = yield* hushed
  let count = 0
  betweenCommitAndAnswer(({ isLeaseKept }) =>
    Effect.suspend(() => (isLeaseKept && count++ < outages ? hush : Effect.void))
  )
  return { ports, count: () => count }
})

describe("A store with five 40-second silences", () => {
  it.effect.each([
    { when: "while an engine works", silence: aroundTranscription("as it begins") },
    { when: "as its attempts end", silence: aroundTranscription("as it ends") },
    { when: "after the commits that begin its attempts", silence: afterCommits }
  ])("makes no job fail if it is silent $when", ({ silence }) =>
    withCaller(function* (principal) {
      const { count, ports } = yield* silence
      yield* Layer.build(worker.pipe(Layer.provide(ports)))
      const job = yield* submit(principal, {})
      yield* pass(420)
      assert.strictEqual((yield* look(principal, job)).transcription_status, "COMPLETED")
      assert.isAbove(count(), outages)
      assert.deepStrictEqual(yield* failures(job.id), [])
    })
  )
})

describe("A slow store", () => {
  it.effect("keeps webhooks 60 seconds apart even if claims return late", () =>
    withCaller(function* (principal) {
      const receiver = yield* FakeWebhookSender
      yield* receiver.behave(() => Effect.succeed(500))
      let claims = 0
      const late = replace(WorkQueue, (queue) => ({
        // Only the claim for the first delivery is late, and the second attempt waits from that
        // claim on.
        claim: (request) =>
          Effect.tap(queue.claim(request), ({ jobs }) => {
            claims += jobs.length
            return jobs.length > 0 && claims === 2 ? Effect.sleep("4 seconds") : Effect.void
          })
      }))
      yield* Layer.build(worker.pipe(Layer.provide(late)))
      yield* submit(principal, callback)
      yield* pass(80)
      const [first, second] = yield* receiver.received
      const gap = (second?.atMillis ?? 0) - (first?.atMillis ?? 0)
      assert.isAtLeast(gap, 60_000)
    })
  )

  it.effect("does not block a summary forever if a read of the transcript hangs", () =>
    withCaller(function* (principal) {
      yield* script(calmScript)
      const delay = delayFirst(Effect.never)
      const hanging = replace(JobStore, (store) => ({
        transcript: (id) => delay(store.transcript(id))
      }))
      yield* Layer.build(worker.pipe(Layer.provide(hanging)))
      const accepted = yield* submit(principal, { summary: "brief" })
      yield* pass(30)
      assert.strictEqual((yield* look(principal, accepted)).summary_status, "COMPLETED")
    })
  )
})
