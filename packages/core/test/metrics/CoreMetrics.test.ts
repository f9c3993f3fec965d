/**
 * Each core metric changes when its event occurs. Every metric has a scenario that triggers its
 * event.
 */
import { assert, describe, it } from "@effect/vitest"
import { version } from "@verbatim/core/version"
import {
  calmScript,
  counted,
  FakeEngines,
  FakeWebhookSender,
  withRegistry
} from "@verbatim/testkit/fakes"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { Failure } from "#src/domain/attempt/Failure"
import { sampleRate } from "#src/domain/transcription/DecodedAudio"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { noLimits } from "#src/domain/workspace/Limits"
import { coreTable } from "#src/metrics/CoreTable"
import { TranscriberError } from "#src/ports/Transcriber"
import { WorkQueue, WorkQueueError } from "#src/ports/WorkQueue"
import { EventStreams } from "#src/services/events/EventStreams"
import { Jobs } from "#src/services/jobs/Jobs"
import { RequestLimits } from "#src/services/workspaces/RequestLimits"
import { Gauges } from "#src/worker/Gauges"
import { LaneConcurrency } from "#src/worker/Slots"
import { collecting, retain, work } from "../services/retention/OldJobs.ts"
import { callback, pass, script, submit, withCaller, withWorker } from "../world/caller.ts"
import { cut, recogniseInPieces } from "../world/pieces.ts"
import { replace } from "../world/ports.ts"
import { worker } from "../world/world.ts"

/** A scenario that triggers an event, with the expected value of one series. */
interface Story {
  readonly labels: Readonly<Record<string, string>>
  readonly shows: (value: number) => boolean
  readonly story: Effect.Effect<unknown, unknown>
}

const once = (value: number) => value === 1

const some = (value: number) => value > 0

const failing = (reason: "EngineFailed" | "EngineRefused" | "EngineUnavailable") =>
  Effect.flatMap(FakeEngines, (engines) =>
    engines.script({
      transcribe: new TranscriberError({ reason: Failure.cases[reason].make({ detail: "" }) })
    })
  )

/** Makes the engine take five minutes. */
const slowly = Effect.flatMap(FakeEngines, (engines) =>
  engines.script({ transcribe: Effect.delay(calmScript.transcribe, "5 minutes") })
)

const unready = Effect.flatMap(FakeEngines, (engines) =>
  engines.script({ readiness: { _tag: "Preparing", sentence: "It is coming." } })
)

const refresh = Effect.flatMap(Gauges, (gauges) => gauges.refresh).pipe(
  Effect.provide(Gauges.layer)
)

/** Connects a subscriber and disconnects it. */
const listened = withCaller(function* (principal) {
  const { followAll } = yield* EventStreams
  yield* Effect.scoped(followAll(principal, undefined))
})

/** Starts a deployment with a worker, and runs a job. */
const job = (
  parameters: Readonly<Record<string, unknown>>,
  { before = Effect.void, seconds = 5 }: Preparation = {}
) =>
  withWorker(function* (principal) {
    yield* before
    yield* submit(principal, parameters)
    yield* pass(seconds)
    yield* refresh
  })

interface Preparation {
  readonly before?: Effect.Effect<unknown, never, FakeEngines | FakeWebhookSender>
  readonly seconds?: number
}

const answering = (status: number) =>
  Effect.flatMap(FakeWebhookSender, (receiver) => receiver.behave(() => Effect.succeed(status)))

const silent = Effect.flatMap(FakeWebhookSender, (receiver) => receiver.behave(() => Effect.never))

/** Sends a webhook to a receiver that never responds, with a limit of one webhook at a time. */
const crowd = withCaller(function* (principal) {
  yield* silent
  yield* Effect.provideService(Layer.build(worker), LaneConcurrency, 1)
  yield* submit(principal, callback)
  yield* pass(5)
})

const removed = withWorker(function* (principal: Principal) {
  yield* slowly
  const { id } = yield* submit(principal, {})
  yield* pass(2)
  yield* Effect.flatMap(Jobs, (jobs) => jobs.remove(principal, id))
  yield* pass(12)
})

/** Uses up nearly all minutes. The balance is then too low for another job. */
const unpaid = withWorker(function* (principal) {
  const sampleCount = 560 * 60 * sampleRate
  yield* script({ decode: Effect.succeed({ path: "/dev/null", sampleCount }) })
  yield* submit(principal, {})
  yield* pass(5)
  yield* Effect.flip(submit(principal, {}))
})

/** Submits two jobs in a workspace that may have only one unfinished job. */
const full = withCaller(function* (principal) {
  yield* retain(principal, { unfinishedJobs: 1 })
  yield* submit(principal, {})
  yield* Effect.flip(submit(principal, {}))
})

/** Removes a job that is kept for only one day. */
const old = withCaller(function* (principal) {
  yield* submit(principal, {})
  yield* work
  yield* retain(principal, { jobDays: 1 })
  yield* collecting
  yield* TestClock.adjust("26 hours")
})

const deafQueue = withCaller(function* (principal) {
  yield* slowly
  const failure = new WorkQueueError({ operation: "renew", cause: "it is deaf" })
  const deaf = replace(WorkQueue, () => ({ renew: () => failure }))
  yield* Layer.build(worker.pipe(Layer.provide(deaf)))
  yield* submit(principal, {})
  yield* pass(12)
})

const jobStories = {
  jobsAccepted: { labels: { source: "upload" }, shows: once, story: job({}) },
  jobsEnded: {
    labels: { transcription: "failed", webhook: "delivered" },
    shows: once,
    story: job(callback, { before: failing("EngineRefused") })
  },
  jobsDeleted: { labels: {}, shows: once, story: removed },
  jobDuration: { labels: { transcription: "transcribed" }, shows: once, story: job({}) },
  audioTranscribed: { labels: {}, shows: (value) => value === 120, story: job({}) },
  pieces: {
    labels: { outcome: "recognised" },
    shows: (value) => value === cut.length,
    story: job({}, { before: recogniseInPieces() })
  },
  engineTime: {
    labels: {},
    shows: (value) => value === cut.length,
    story: job({}, { before: recogniseInPieces() })
  },
  mediaSize: { labels: { source: "upload" }, shows: once, story: job({}) },
  balanceRefusals: { labels: {}, shows: once, story: unpaid },
  limitRefusals: {
    labels: { limit: "unfinishedJobs", of: "workspace" },
    shows: once,
    story: full
  },
  retentionRemovals: { labels: { kind: "job" }, shows: once, story: old }
} satisfies Partial<Record<keyof typeof coreTable, Story>>

const attemptStories = {
  attempts: {
    labels: { task: "Transcribe", outcome: "EngineFailed" },
    shows: (value) => value === 3,
    story: job({}, { before: failing("EngineFailed"), seconds: 30 })
  },
  attemptDuration: { labels: { task: "Transcribe" }, shows: once, story: job({}) },
  workWait: { labels: { task: "Deliver" }, shows: once, story: job(callback) },
  attemptsRunning: {
    labels: { task: "Transcribe" },
    shows: once,
    story: job({}, { before: slowly })
  },
  listeners: { labels: {}, shows: (value) => value === 0, story: listened },
  webhookDuration: {
    labels: { answer: "5xx" },
    shows: once,
    story: job(callback, { before: answering(503) })
  }
} satisfies Partial<Record<keyof typeof coreTable, Story>>

const queueStories = {
  claims: { labels: { outcome: "work" }, shows: once, story: job({}) },
  claimDuration: { labels: {}, shows: some, story: job({}) },
  jobsClaimed: { labels: {}, shows: once, story: job({}) },
  lanesFull: { labels: {}, shows: once, story: crowd },
  lastClaim: { labels: {}, shows: some, story: job({}) },
  leasesLost: { labels: { reason: "taken" }, shows: once, story: removed },
  renewalsFailed: { labels: {}, shows: some, story: deafQueue },
  pendingWork: {
    labels: { kind: "Transcribe", state: "waiting" },
    shows: once,
    story: job({}, { before: unready })
  },
  oldestPending: {
    labels: { kind: "Transcribe" },
    shows: (value) => value === 60,
    story: job({}, { before: unready, seconds: 60 })
  },
  queueUp: { labels: {}, shows: once, story: job({}) },
  engineReady: { labels: {}, shows: (value) => value === 0, story: job({}, { before: unready }) },
  dependencyUp: {
    labels: { dependency: "SpeechEngine" },
    shows: (value) => value === 0,
    story: job({}, { before: failing("EngineUnavailable") })
  }
} satisfies Partial<Record<keyof typeof coreTable, Story>>

/** A metric without a scenario does not compile. */
const stories: Readonly<Record<keyof typeof coreTable, Story>> = {
  buildInfo: { labels: { version }, shows: once, story: job({}) },
  ...jobStories,
  ...attemptStories,
  ...queueStories
}

describe("the core metrics", () => {
  for (const [key, { labels, shows, story }] of Object.entries(stories)) {
    const { name } = coreTable[key as keyof typeof coreTable]
    it.effect(`${name}${JSON.stringify(labels)} changes`, () =>
      withRegistry(
        Effect.gen(function* () {
          assert.isUndefined(yield* counted(name, labels))
          yield* story
          const value = yield* counted(name, labels)
          assert.isTrue(value !== undefined && shows(value), `it shows ${value}`)
        })
      )
    )
  }
})

const refusals = (limit: string, of: string) =>
  counted("verbatim_limit_refusals_total", { limit, of })

describe("a refusal by a limit", () => {
  it.effect("is counted by key and by workspace if requests per second are limited", () =>
    withRegistry(
      withCaller(function* (principal) {
        const { admit } = yield* RequestLimits
        const one = { ...noLimits, requestsPerSecond: 1 }
        for (const [of, limited] of [
          ["key", { ...principal, limits: one }],
          ["workspace", { ...principal, workspaceLimits: one }]
        ] as const) {
          yield* admit(limited)
          yield* Effect.flip(admit(limited))
          yield* Effect.flip(admit(limited))
          assert.strictEqual(yield* refusals("requestsPerSecond", of), 2)
        }
        yield* admit(principal)
      }).pipe(Effect.provide(RequestLimits.layer.pipe(Layer.provide(RateLimiter.layerStoreMemory))))
    )
  )

  it.effect("is counted separately for unfinished jobs and minutes per day", () =>
    withRegistry(
      withCaller(function* (principal) {
        const one = { ...principal, limits: { ...noLimits, unfinishedJobs: 1 } }
        yield* submit(one, {})
        yield* Effect.flip(submit(one, {}))
        assert.strictEqual(yield* refusals("unfinishedJobs", "key"), 1)
        yield* work
        yield* submit(one, {})
        yield* retain(principal, { minutesPerDay: 1 })
        yield* Effect.flip(submit(principal, {}))
        assert.strictEqual(yield* refusals("minutesPerDay", "workspace"), 1)
        assert.strictEqual(yield* refusals("unfinishedJobs", "key"), 1)
      })
    )
  )
})
