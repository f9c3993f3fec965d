/** Tests whether an engine is ready, and what it returns, during and after its installation. */
import { assert, describe, it } from "@effect/vitest"
import { Readiness, Transcriber } from "@verbatim/core/ports"
import { Deferred, Effect } from "effect"
import {
  makeInstallingEngine,
  makePreparing,
  makeUnavailable
} from "#src/engines/EngineInstallation"

const { Preparing, Ready, Unavailable } = Readiness.cases

const sentence = "it is being fetched"
const fallback = { placeholder: makePreparing(sentence), failureSentence: "install it" }

const engine = Transcriber.of({
  readiness: Effect.succeed(Ready.make({ engine: "best" })),
  transcribe: () => Effect.die("it is not asked")
})

/** Returns whether the engine is ready after an installation with the given outcome. */
const after = Effect.fnUntraced(function* (install: Effect.Effect<typeof engine>) {
  const { readiness } = yield* makeInstallingEngine({ ...fallback, install })
  for (let turns = 0; turns < 10; turns++) yield* Effect.yieldNow
  return yield* readiness
}, Effect.scoped)

describe("an engine that is being installed", () => {
  it.effect("reports that it is being installed, and becomes ready afterwards", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<typeof engine>()
      const { readiness } = yield* makeInstallingEngine({
        ...fallback,
        install: Deferred.await(ended)
      })
      yield* Effect.yieldNow
      assert.deepStrictEqual(yield* readiness, Preparing.make({ sentence }))
      yield* Deferred.succeed(ended, engine)
      yield* Effect.yieldNow
      assert.deepStrictEqual(yield* readiness, Ready.make({ engine: "best" }))
    }).pipe(Effect.scoped)
  )

  const failureSentence = Unavailable.make({ sentence: fallback.failureSentence })

  it.effect("explains how to install it if the installation was interrupted", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* after(Effect.die("no space")), failureSentence)
      assert.deepStrictEqual(yield* after(Effect.interrupt), failureSentence)
    })
  )

  it.effect("reports why its installation failed", () =>
    Effect.gen(function* () {
      const given = yield* after(Effect.succeed(makeUnavailable("there is no network")))
      assert.deepStrictEqual(given, Unavailable.make({ sentence: "there is no network" }))
    })
  )
})
