/**
 * Tests the log lines while every request fails, and when a different failure occurs during that
 * time.
 */
import { assert, describe, it } from "@effect/vitest"
import { JobStoreError, PresetStoreError, WorkspaceStoreError } from "@verbatim/core/ports"
import { upTo } from "@verbatim/testkit/samples"
import { Cause, Effect, Layer, Logger } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import { FailureLog } from "#src/serve/edge/FailureLog"

/** SQLite's error for a full disk. */
const full = () =>
  Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 })

const reason = () => ({ _tag: "Unavailable" as const, cause: full() })

/** Errors of all stores while their common disk is full. */
const outages = [
  () => new JobStoreError({ operation: "insert", reason: reason() }),
  () => new PresetStoreError({ operation: "append", reason: reason() }),
  () => new WorkspaceStoreError({ operation: "findKey", cause: full() })
]

const fail = (error: unknown, path = "/v1/status/1?secret=1") =>
  Effect.flatMap(FailureLog, ({ report }) =>
    report({ what: "A request failed", cause: Cause.die(error) })
  ).pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request("http://localhost/")).modify({ url: path })
    )
  )

/** Runs steps that can read the lines logged so far. */
const listening = <A, E>(steps: (logged: Array<string>) => Effect.Effect<A, E, FailureLog>) =>
  Effect.suspend(() => {
    const logged: Array<string> = []
    const logger = Logger.make(({ cause, message }) => {
      logged.push(`${message} ${Cause.pretty(cause)}`)
    })
    return Effect.provide(steps(logged), Layer.merge(FailureLog.layer, Logger.layer([logger])))
  })

describe("the failure log", () => {
  it.effect("logs the cause of an outage once, and then one line per minute", () =>
    listening((logged) =>
      Effect.gen(function* () {
        for (const _ of upTo(1000)) for (const make of outages) yield* fail(make())
        assert.lengthOf(logged, 1)
        assert.match(logged[0] ?? "", /^A request failed .*JobStoreError[\s\S]*FailureLog\.test/)
        for (const _ of upTo(59)) {
          yield* TestClock.adjust("1 second")
          for (const make of outages) yield* fail(make())
        }
        assert.lengthOf(logged, 1)
        yield* TestClock.adjust("1 second")
        for (const make of outages) yield* fail(make())
        assert.deepStrictEqual(logged.slice(1), [
          `A request failed as before (and ${2_999 + 59 * 3} more requests): ` +
            "GET /v1/status/1: insert: Unavailable: database or disk is full "
        ])
        yield* TestClock.adjust("30 seconds")
        yield* fail(outages[2]?.())
        assert.lengthOf(logged, 2)
        yield* TestClock.adjust("30 seconds")
        yield* fail(outages[2]?.())
        assert.include(logged[2] ?? "", "(and 3 more requests)")
        // The outage ends, and then begins again.
        yield* TestClock.adjust("60 seconds")
        yield* fail(outages[1]?.())
        assert.lengthOf(logged, 4)
        assert.match(logged[3] ?? "", /^A request failed .*PresetStoreError[\s\S]*FailureLog\.test/)
      })
    )
  )

  it.effect("logs a different cause in full during an outage", () =>
    listening((logged) =>
      Effect.gen(function* () {
        const bug = (name: string) => new TypeError(`${name} is not a function`)
        const refused = () => Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
        yield* fail(outages[0]?.())
        yield* fail(bug("a"))
        yield* fail(new WorkspaceStoreError({ operation: "findKey", cause: refused() }))
        yield* fail(new RangeError("too long"))
        assert.lengthOf(logged, 4)
        assert.isTrue(logged.every((text) => text.includes("FailureLog.test")))
        // Input from clients in a message does not make the cause new.
        for (const number of upTo(1000)) {
          yield* fail(bug(`name-${number}`))
          yield* fail(bug(`name\n    at name (file-${number}.ts:1:1)`))
        }
        assert.lengthOf(logged, 4)
      })
    )
  )

  it.effect("keeps each line short and without line breaks", () =>
    listening((logged) =>
      Effect.gen(function* () {
        const make = () => new TypeError(`a\nb\u001b[31m\u2028${"c".repeat(10_000)}`)
        yield* fail(make())
        yield* TestClock.adjust("1 second")
        yield* fail(make(), `/${"\u0085".repeat(10)}${"d".repeat(10_000)}`)
        const [, line = ""] = logged
        assert.notMatch(line, /[\p{Cc}\u2028]/u)
        assert.isAtMost(line.length, 500)
      })
    )
  )
})
