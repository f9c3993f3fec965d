/** Tests concurrent corrections, and corrections made while clocks differ. */
import { assert, describe, it } from "@effect/vitest"
import {
  attemptStarted,
  commitJob,
  insertJob,
  makeUploadJob,
  transcript,
  transcriptProduced
} from "@verbatim/testkit/samples"
import { Context, DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { CorrectionStore } from "#src/ports/CorrectionStore"
import { JobStore } from "#src/ports/JobStore"
import { Corrections } from "#src/services/corrections/Corrections"
import { withCaller } from "../../world/caller.ts"
import { replace } from "../../world/ports.ts"

/** A job with a transcript that can be corrected. */
const transcribed = Effect.fnUntraced(function* ({ workspaceId }: Principal) {
  const job = yield* insertJob(makeUploadJob(1, { workspaceId }))
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [transcriptProduced()], transcript })
})

const nameSpeaker = (id: string, name: string, idempotencyKey?: string) => ({
  id,
  body: Effect.succeed({ speaker_0: name }),
  idempotencyKey
})

/** The service over a store in which other callers write between two of the service's calls. */
const disturbed = (write: Effect.Effect<unknown, unknown>) =>
  Layer.fresh(Corrections.layer).pipe(
    Layer.provide(
      replace(CorrectionStore, ({ versions }) => ({
        versions: (id, page) => Effect.andThen(Effect.orDie(write), versions(id, page))
      }))
    )
  )

/** The service over a store with a clock that does not advance. */
const apart = Layer.fresh(Corrections.layer).pipe(
  Layer.provide(replace(JobStore, () => ({ now: Effect.succeed(DateTime.makeUnsafe(0)) })))
)

const over = <E, R>(layer: Layer.Layer<Corrections, E, R>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, Corrections))

describe("Corrections", () => {
  it.effect("are all read from the same version, even during concurrent writes", () =>
    withCaller(function* (principal) {
      const { nameSpeakers } = yield* Corrections
      const { id } = yield* transcribed(principal)
      yield* nameSpeakers(principal, nameSpeaker(id, "Ana"))
      const another = nameSpeakers(principal, nameSpeaker(id, "Bea"))
      const { read } = yield* over(disturbed(another))
      const view = yield* read(principal, { id })
      const versions = view.versions.map(({ version }) => version)
      assert.deepStrictEqual([view.version, versions], [1, [1]])
    })
  )

  it.effect(
    "are recognised as retries if their idempotency keys are valid by the store's clock",
    () =>
      withCaller(function* (principal) {
        const { id } = yield* transcribed(principal)
        const { nameSpeakers } = yield* over(apart)
        const first = yield* nameSpeakers(principal, nameSpeaker(id, "Ana", "a-key"))
        yield* nameSpeakers(principal, nameSpeaker(id, "Bea"))
        yield* TestClock.adjust("25 hours")
        assert.deepStrictEqual(
          yield* nameSpeakers(principal, nameSpeaker(id, "Ana", "a-key")),
          first
        )
      })
  )
})
