/** Steps of a test that acts as a caller: submits jobs, advances the clock and reads results. */
import { FakeEngines, FakeMedia, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Effect, Option, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Failure } from "#src/domain/attempt/Failure"
import type { JobView } from "#src/domain/job/JobView"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { AudioDecoderError } from "#src/ports/AudioDecoder"
import { Submissions } from "#src/services/intake/Submissions"
import { Jobs } from "#src/services/jobs/Jobs"
import { ApiKeys } from "#src/services/workspaces/ApiKeys"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { deployment, world } from "./world.ts"

/** Creates a workspace with 600 minutes of balance, and returns a caller that has its key. */
export const caller: Effect.Effect<Principal, unknown, ApiKeys | Workspaces> = Effect.gen(
  function* () {
    const workspaces = yield* Workspaces
    const keys = yield* workspaces.found({
      keys: [{ kind: "inference", token: Option.none() }],
      minutes: 600
    })
    const [issued] = yield* Effect.fromOption(keys)
    const { token } = yield* Effect.fromNullishOr(issued)
    return yield* Effect.flatMap(ApiKeys, ({ authenticate }) => authenticate(token))
  }
)

/** Returns the parts of a request with a short recording and these parameters. */
export const recordingParts = (parameters: Readonly<Record<string, unknown>>) =>
  Stream.fromIterable([
    ...Object.entries(parameters).map(([name, value]) => ({
      _tag: "Parameter" as const,
      name,
      value
    })),
    {
      _tag: "File" as const,
      name: "file",
      filename: "a.wav",
      content: Stream.succeed(new Uint8Array(8))
    }
  ])

/** Submits a short recording with these parameters. */
export const submit = (principal: Principal, parameters: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(Submissions, (submissions) =>
    submissions.submit(principal, { isTextual: false, parts: recordingParts(parameters) })
  )

type Steps<Step, A> = (principal: Principal) => Generator<Step, A, never>

type Step = Effect.Effect<unknown, unknown, unknown>

/**
 * Runs a test's steps as a new caller. All fibers that the steps start end before the deployment
 * does.
 */
const asCaller = <S extends Step, A>(steps: Steps<S, A>) =>
  caller.pipe(Effect.flatMap(Effect.fnUntraced(steps)), Effect.scoped)

/** Runs steps as a client of a deployment that has no worker, or only one that the steps start. */
export const withCaller = <S extends Step, A>(steps: Steps<S, A>) =>
  Effect.provide(asCaller(steps), deployment)

/** Runs steps as a client of a deployment that has a running worker. */
export const withWorker = <S extends Step, A>(steps: Steps<S, A>) =>
  Effect.provide(asCaller(steps), world)

/** Advances the clock in small steps, so that each poll, timer and attempt can run. */
export const pass = (seconds: number) =>
  Effect.forEach(Array.from({ length: seconds * 4 }), () => TestClock.adjust("250 millis"), {
    discard: true
  })

/** Returns a job's status as its caller sees it. */
export const look = (principal: Principal, { id }: JobView) =>
  Effect.flatMap(Jobs, (jobs) => jobs.status(principal, id))

export const using = <A, E, R>(use: (jobs: Jobs["Service"]) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Jobs, use)

/** Parameters that request a webhook. */
export const callback = { callback_url: "https://example.com/hook", callback_id: "démo-1" }

/** Replaces parts of the engines' script. */
export const script = (...given: Parameters<FakeEngines["Service"]["script"]>) =>
  Effect.flatMap(FakeEngines, (engines) => engines.script(...given))

/** The failure to decode a file that contains only noise. */
export const undecodable = new AudioDecoderError({
  reason: Failure.cases.MediaUndecodable.make({ detail: "noise" })
})

export const received = Effect.flatMap(FakeWebhookSender, (receiver) => receiver.received)

/** The keys of all stored media. */
export const stored = Effect.flatMap(FakeMedia, (media) => media.stored)
