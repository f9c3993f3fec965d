import { assert, describe, it } from "@effect/vitest"
import { Losses, losePresetAnswers as losingPresets } from "@verbatim/testkit/fakes"
import { whole, workspaceId } from "@verbatim/testkit/samples"
import { Context, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Presets } from "#src/services/presets/Presets"
import { created, deployment, designated, manager, moved, named } from "./Deployment.ts"

/** The service in another process, which has its own locks. */
class Elsewhere extends Context.Service<Elsewhere, Presets["Service"]>()("test/Elsewhere") {}

const elsewhere = Layer.provide(Layer.effect(Elsewhere, Presets), Layer.fresh(Presets.layer))

/** The service over a store that can lose responses. */
const losing = Layer.merge(Layer.fresh(Presets.layer), elsewhere).pipe(
  Layer.provideMerge(Layer.provideMerge(losingPresets, deployment))
)

const lose = (method: string, count?: number) =>
  Effect.flatMap(Losses, (losses) => losses.lose(method, count))

/** Starts a call that loses a response, lets another process write, and then completes the call. */
const interrupted = <A, E, R, B, F, S>(
  call: Effect.Effect<A, E, R>,
  between: Effect.Effect<B, F, S>
) =>
  Effect.gen(function* () {
    const running = yield* Effect.forkChild(call)
    // The first attempt has failed, but its retry has not started yet.
    yield* TestClock.adjust("50 millis")
    yield* Effect.provideService(between, Presets, yield* Elsewhere)
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(running)
  })

const history = Effect.flatMap(Presets, (presets) =>
  Effect.map(presets.designations(named, whole), ({ designations }) =>
    designations.map(({ to }) => to)
  )
)

/** A label, and a key that can change its protection. */
const protection = {
  by: { ...manager, scopes: ["labels:production" as const] },
  label: "production"
}

const keyed = Effect.flatMap(Presets, (presets) =>
  presets.create({ ...named, idempotencyKey: "order-1", body: Effect.succeed({ input: "x" }) })
)

const edited = Effect.flatMap(Presets, (presets) =>
  presets.createFromVersion({
    ...{ ...named, idempotencyKey: "order-1" },
    wanted: Effect.succeed({ set: { top_k: 1 } })
  })
)

describe("when the response to a preset write is lost", () => {
  for (const [title, create] of [
    ["a request", created(1)],
    ["a request with an idempotency key", keyed]
  ] as const) {
    it.effect(
      `${title} creates one version and returns it, even if another version was then added`,
      () =>
        Effect.gen(function* () {
          yield* lose("append")
          const first = yield* interrupted(create, created(2))
          assert.strictEqual(first.version.version, 1)
          assert.strictEqual(first.preset.designatedVersionId, first.version.id)
          assert.deepStrictEqual(yield* history, [1, 2])
        }).pipe(Effect.provide(losing))
    )
  }

  it.effect("a version is designated once, and a later designation stays", () =>
    Effect.gen(function* () {
      yield* created(1)
      yield* created(2)
      yield* created(3)
      yield* lose("revise")
      const found = yield* interrupted(designated(1), designated(2))
      assert.strictEqual(found.version.version, 1)
      assert.deepStrictEqual(yield* history, [1, 2, 3, 1, 2])
      assert.strictEqual((yield* created(4)).preset.revision, 6)
    }).pipe(Effect.provide(losing))
  )

  it.effect("a preset is removed once, and a new preset with its slug stays", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* moved("archived")
      yield* lose("remove")
      const removed = yield* interrupted(presets.remove(named), created(2))
      const { preset } = yield* presets.get(named)
      assert.notStrictEqual(preset.id, removed.id)
    }).pipe(Effect.provide(losing))
  )

  it.effect("a label is protected once, and can be unprotected", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* lose("protect")
      const byOperator = {
        ...protection,
        by: { kind: "operator" as const, workspaceId: workspaceId(1) }
      }
      const operator = Effect.flatMap(Presets, ({ protectLabel }) => protectLabel(byOperator))
      yield* interrupted(presets.protectLabel(protection), operator)
      const listed = yield* presets.protectedLabels(protection.by)
      assert.deepStrictEqual(
        listed.map(({ label }) => String(label)),
        ["production"]
      )
      assert.strictEqual(listed[0]?.by, manager.userId)
      yield* lose("unprotect")
      yield* interrupted(presets.unprotectLabel(protection), Effect.void)
      assert.deepStrictEqual(yield* presets.protectedLabels(protection.by), [])
    }).pipe(Effect.provide(losing))
  )

  for (const [title, call, lookups] of [
    ["a creation", keyed, 0],
    ["a version made from another one", edited, 1]
  ] as const) {
    it.effect(
      `${title} can be sent again with its key even if the responses to its retries are lost too`,
      () =>
        Effect.gen(function* () {
          yield* created(1)
          yield* lose("append", 4)
          yield* lose("made", lookups)
          const failed = yield* Effect.flip(interrupted(call, Effect.void))
          assert.strictEqual(
            failed._tag === "PresetStoreError" && failed.reason._tag,
            "Unavailable"
          )
          const again = yield* call
          assert.strictEqual(again.version.version, 2)
          assert.strictEqual(again.version.creatorId, manager.userId)
          assert.deepStrictEqual(yield* history, [1, 2])
        }).pipe(Effect.provide(losing))
    )
  }
})
