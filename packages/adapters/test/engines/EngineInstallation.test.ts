/** What an engine that is being installed says, however its installation ends. */
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
const said = { placeholder: makePreparing(sentence), failureSentence: "install it" }

const engine = Transcriber.of({
  readiness: Effect.succeed(Ready.make({ engine: "best" })),
  transcribe: () => Effect.die("it is not asked")
})

/** What it says once an installation has ended like this. */
const after = Effect.fnUntraced(function* (install: Effect.Effect<typeof engine>) {
  const { readiness } = yield* makeInstallingEngine({ ...said, install })
  for (let turns = 0; turns < 10; turns++) yield* Effect.yieldNow
  return yield* readiness
}, Effect.scoped)

describe("an engine that is being installed", () => {
  it.effect("says so, and is there afterwards", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<typeof engine>()
      const { readiness } = yield* makeInstallingEngine({ ...said, install: Deferred.await(ended) })
      yield* Effect.yieldNow
      assert.deepStrictEqual(yield* readiness, Preparing.make({ sentence }))
      yield* Deferred.succeed(ended, engine)
      yield* Effect.yieldNow
      assert.deepStrictEqual(yield* readiness, Ready.make({ engine: "best" }))
    }).pipe(Effect.scoped)
  )

  const failureSentence = Unavailable.make({ sentence: said.failureSentence })

  it.effect("says how to get it when the installation breaks off", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* after(Effect.die("no space")), failureSentence)
      assert.deepStrictEqual(yield* after(Effect.interrupt), failureSentence)
    })
  )

  it.effect("says what the installation says", () =>
    Effect.gen(function* () {
      const given = yield* after(Effect.succeed(makeUnavailable("there is no network")))
      assert.deepStrictEqual(given, Unavailable.make({ sentence: "there is no network" }))
    })
  )
})
