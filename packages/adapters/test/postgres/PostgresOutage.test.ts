/**
 * Tests that callers fail within their time limit if a server stops, crashes or no longer responds,
 * and succeed again afterwards.
 */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { JobStore, PresetStore, WorkspaceStore } from "@verbatim/core/ports"
import {
  creation,
  findJob,
  findPreset,
  makeDraft,
  makeUploadJob,
  storeTime,
  withWorkspace,
  workspaceId
} from "@verbatim/testkit/samples"
import { Duration, Effect, Layer, Option, Redacted, Schedule } from "effect"
import * as Relay from "./Relay.ts"
import { isShared, newSchema, server, useOwnServer } from "./TemporarySchema.ts"

useOwnServer()

const insert = (number: number) =>
  Effect.flatMap(JobStore, (jobs) => jobs.insert(creation(makeUploadJob(number))))

/** Returns the errors that the ports report if the server does not respond. */
const outages = Effect.gen(function* () {
  const presets = yield* PresetStore
  const workspaces = yield* WorkspaceStore
  const preset = yield* Effect.flip(presets.append(makeDraft(9)))
  const job = yield* Effect.flip(insert(9))
  const queue = yield* Effect.flip(storeTime)
  const account = yield* Effect.flip(workspaces.account(workspaceId(1)))
  return [preset.reason._tag, job.reason._tag, queue._tag, account._tag]
})

const unavailable = ["Unavailable", "Unavailable", "WorkQueueError", "WorkspaceStoreError"]

/** A time limit that no test reaches. */
const never = Duration.hours(1)

/** Retries until the store responds. After a kill, the server first reads its log. */
const retryUntilAvailable = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.retry(effect, { schedule: Schedule.spaced("50 millis") })

const crash = Effect.flatMap(server, ({ stop }) => Effect.promise(() => stop("immediate")))

const start = Effect.flatMap(server, ({ start }) => Effect.promise(start))

describe.skipIf(isShared)("a Postgres server", () => {
  it.live("is unavailable immediately after a crash, and available again after a restart", () =>
    Effect.gen(function* () {
      const config = {
        ...(yield* newSchema),
        statementTimeout: never,
        connectTimeout: never
      }
      yield* withWorkspace(function* () {
        yield* insert(1)
        yield* crash
        const reported = yield* outages
        yield* start
        assert.deepStrictEqual(reported, unavailable)
        yield* retryUntilAvailable(insert(2))
        assert.deepStrictEqual(yield* findJob(makeUploadJob(1).id), Option.some(makeUploadJob(1)))
      }).pipe(Effect.provide(layer(config)))
    })
  )

  it.live(
    "is unavailable if it does not respond in time, and available again once it responds",
    () =>
      Effect.gen(function* () {
        const { schema, url } = yield* newSchema
        const direct = new URL(Redacted.value(url))
        const relay = yield* Relay.open(Number(direct.port))
        direct.port = String(relay.port)
        const config = {
          url: Redacted.make(direct.href),
          schema,
          statementTimeout: Duration.millis(500),
          connectTimeout: Duration.millis(500)
        }
        const patient = { ...config, statementTimeout: never, connectTimeout: never }
        const waiting = yield* Layer.build(Layer.fresh(layer(patient)))
        yield* withWorkspace(function* () {
          relay.silence()
          const other = yield* Effect.forkChild(Effect.provide(Effect.flip(insert(1)), waiting))
          const job = yield* Effect.flip(insert(1))
          assert.strictEqual(job.reason._tag, "Unavailable")
          const preset = yield* Effect.flip(findPreset())
          assert.strictEqual(preset.reason._tag, "Unavailable")
          // The time limit ended this lookup.
          assert.isUndefined(other.pollUnsafe())
          relay.resume()
          yield* retryUntilAvailable(insert(2))
        }).pipe(Effect.provide(layer(config)))
      })
  )

  it.live("is unavailable if a session takes too long to open", () =>
    Effect.gen(function* () {
      const { url } = yield* newSchema
      const direct = new URL(Redacted.value(url))
      const relay = yield* Relay.open(Number(direct.port))
      relay.silence()
      direct.port = String(relay.port)
      const config = { url: Redacted.make(direct.href), connectTimeout: Duration.millis(300) }
      const error = yield* Effect.flip(Layer.build(layer(config)))
      assert.strictEqual(error._tag, "SqlError")
    })
  )
})
