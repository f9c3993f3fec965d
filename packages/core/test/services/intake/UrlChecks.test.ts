import { assert, describe, it } from "@effect/vitest"
import { WorkspaceId } from "@verbatim/core/workspace"
import { upTo } from "@verbatim/testkit/samples"
import { Deferred, Effect, Exit, Fiber, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { MediaFetcher, MediaFetcherError } from "#src/ports/MediaFetcher"
import * as UrlChecks from "#src/services/intake/UrlChecks"

const workspace = (number: number) =>
  WorkspaceId.make(`00000000-0000-7000-8000-${String(number).padStart(12, "0")}`)

const good = "https://media.example.com/a.mp3"
const bad = "https://media.example.com/missing.mp3"
const silent = "https://silent.example.com/a.mp3"

/**
 * A fake internet with a host that accepts connections, but does not respond until the test lets
 * it.
 */
const makeInternet = Effect.gen(function* () {
  const spoken = yield* Deferred.make<void>()
  const counts = { open: 0, most: 0 }
  const found = {
    hops: [],
    filename: Option.none(),
    contentType: Option.none(),
    byteLength: Option.none()
  }
  const enter = Effect.sync(() => {
    counts.open += 1
    counts.most = Math.max(counts.most, counts.open)
  })
  const leave = Effect.sync(() => {
    counts.open -= 1
  })
  const unreachable = new MediaFetcherError({ reason: { _tag: "Unreachable", detail: "404" } })
  const answerOf = (url: string) => {
    if (url === bad) return Effect.fail(unreachable)
    return Effect.as(url === silent ? Deferred.await(spoken) : Effect.void, found)
  }
  const layer = Layer.succeed(MediaFetcher, {
    check: (url) =>
      Effect.acquireUseRelease(
        enter,
        () => answerOf(url),
        () => leave
      ),
    fetch: () => Effect.fail(unreachable)
  })
  return { counts, layer, spoken }
})

/** Starts checks of URLs on a silent host, and lets each continue as far as it can. */
const begin = (check: UrlChecks.UrlCheck, number: number, count: number) =>
  Effect.forEach(upTo(count), () =>
    Effect.forkChild(Effect.exit(check({ url: silent, workspaceId: workspace(number) })), {
      startImmediately: true
    })
  )

const tagOf = <A, E extends { readonly _tag: string }>(exit: Exit.Exit<A, E>) =>
  Exit.isSuccess(exit) ? "reached" : Option.getOrNull(Exit.findErrorOption(exit))?._tag

describe("UrlChecks", () => {
  it.effect(
    "checks a workspace's URLs without delay while another workspace's hosts are silent",
    () =>
      Effect.gen(function* () {
        const { counts, layer, spoken } = yield* makeInternet
        const check = yield* Effect.provide(UrlChecks.make, layer)
        const waiting = yield* begin(check, 1, 1000)
        assert.strictEqual(counts.open, 32)
        // This workspace's hosts respond, so its checks succeed although the clock does not
        // advance.
        yield* check({ url: good, workspaceId: workspace(2) })
        const refusal = yield* Effect.flip(check({ url: bad, workspaceId: workspace(2) }))
        assert.strictEqual(refusal._tag, "UrlUnreachable")
        yield* TestClock.adjust("19 seconds")
        assert.strictEqual(counts.open, 32)
        yield* TestClock.adjust("1 second")
        // The silent checks are still running, and callers without a slot are refused.
        yield* Deferred.succeed(spoken, undefined)
        const ended = yield* Effect.forEach(waiting, (fiber) =>
          Effect.flatMap(Fiber.join(fiber), (exit) => Effect.succeed(tagOf(exit)))
        )
        assert.strictEqual(ended.filter((tag) => tag === "reached").length, 32)
        assert.strictEqual(ended.filter((tag) => tag === "TooManyUrlChecks").length, 968)
        assert.deepStrictEqual(counts, { open: 0, most: 33 })
      }).pipe(Effect.scoped)
  )
})
