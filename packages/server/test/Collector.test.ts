/** Tests how much telemetry is kept, and which lines are logged, while a collector fails. */
import { assert, describe, it } from "@effect/vitest"
import { upTo } from "@verbatim/testkit/samples"
import { Effect, Fiber, Logger } from "effect"
import { HttpBody, HttpClientRequest } from "effect/http"
import { TestClock } from "effect/testing"
import * as Collector from "#src/telemetry/Collector"
import { until } from "./Serving.ts"
import { startCollector } from "./telemetry/CollectorServer.ts"

const acquire = (answer: number | "silence") =>
  Effect.acquireRelease(
    Effect.promise(() => startCollector(answer)),
    (collector) => Effect.promise(() => collector[Symbol.asyncDispose]())
  )

const post = (url: string) =>
  HttpClientRequest.post(`${url}/v1/traces`, { body: HttpBody.text("{}", "application/json") })

/** Runs steps that can read the lines logged so far. */
const listening = <A, E, R>(steps: (logged: Array<string>) => Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(String(message)))
    return Effect.provide(steps(logged), Logger.layer([logger]))
  })

describe("a collector's client", () => {
  it.live("keeps at most four batches, and drops further batches without waiting", () =>
    listening((logged) =>
      Effect.gen(function* () {
        const collector = yield* acquire("silence")
        const client = yield* Collector.make
        const held = yield* Effect.forEach(upTo(4), () =>
          Effect.forkChild(client.execute(post(collector.url)))
        )
        yield* until(() => collector.batches.length === 4)
        for (const _ of upTo(1_000)) {
          const { status } = yield* client.execute(post(collector.url))
          assert.strictEqual(status, 202)
        }
        assert.lengthOf(collector.batches, 4)
        assert.deepStrictEqual(logged, [
          `Telemetry cannot be sent to ${collector.url}/v1/traces and is lost ` +
            "(the collector is too slow). Retrying every minute."
        ])
        // Each signal has its own limit.
        const other = HttpClientRequest.setUrl(post(collector.url), `${collector.url}/v1/logs`)
        held.push(yield* Effect.forkChild(client.execute(other)))
        yield* until(() => collector.batches.length === 5)
        yield* Fiber.interruptAll(held)
        collector.control.answer = 200
        assert.strictEqual((yield* client.execute(post(collector.url))).status, 200)
      }).pipe(Effect.scoped)
    )
  )

  it.effect("logs the beginning and end of each outage once", () =>
    listening((logged) =>
      Effect.gen(function* () {
        const collector = yield* acquire(400)
        const client = yield* Collector.make
        const send = TestClock.withLive(Effect.void).pipe(
          Effect.andThen(client.execute(post(collector.url)))
        )
        for (const _ of upTo(3)) assert.strictEqual((yield* send).status, 400)
        assert.lengthOf(logged, 1)
        assert.include(logged[0], "the collector answered 400")
        collector.control.answer = 200
        yield* send
        assert.lengthOf(logged, 1)
        yield* TestClock.adjust("1 minute")
        yield* send
        assert.deepStrictEqual(logged.slice(1), [
          `Telemetry is sent to ${collector.url}/v1/traces again.`
        ])
        collector.control.answer = 404
        yield* send
        assert.lengthOf(logged, 3)
      }).pipe(Effect.scoped)
    )
  )
})
