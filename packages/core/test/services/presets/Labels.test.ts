import { assert, describe, it } from "@effect/vitest"
import { label, whole, workspaceId } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { Presets } from "#src/services/presets/Presets"
import {
  created,
  deployment,
  Interference,
  manager,
  moved,
  named,
  patiently,
  reader
} from "./Deployment.ts"

const holder: Principal = { ...manager, scopes: ["presets:write", "labels:production"] }

const labelled = (version: number | string, { text = "production", principal = manager } = {}) =>
  Effect.flatMap(Presets, (presets) =>
    presets.moveLabel({ ...named, principal, label: text, wanted: Effect.succeed(version) })
  )

const unlabelled = (text = "production", principal = manager) =>
  Effect.flatMap(Presets, (presets) => presets.removeLabel({ ...named, principal, label: text }))

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const protect = Effect.flatMap(Presets, (presets) =>
  presets.protectLabel({ by: holder, label: "production" })
)

describe("a label of a preset", () => {
  it.effect("can be moved, listed with its history, and removed", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* created(2)
      const { label: target, version } = yield* labelled(1)
      assert.deepStrictEqual([target.name, target.version, version.version], ["production", 1, 1])
      yield* labelled("latest")
      yield* labelled("production", { text: "canary" })
      const listed = yield* presets.labels(named)
      assert.deepStrictEqual(
        listed.map(({ isProtected, name, version }) => [name, version, isProtected]),
        [
          ["canary", 2, false],
          ["production", 2, false]
        ]
      )
      const preset = yield* unlabelled()
      assert.deepStrictEqual(Object.keys(preset.labels), ["canary"])
      const { moves, total } = yield* presets.labelHistory({ ...named, label: "production" }, whole)
      assert.deepStrictEqual(
        moves.map(({ from, to }) => [from, to]),
        [
          [null, 1],
          [1, 2],
          [2, null]
        ]
      )
      assert.strictEqual(total, 3)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is moved only if it still points to the version that the caller saw", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      const first = yield* created(1)
      const second = yield* created(2)
      const write = { ...named, label: "production", wanted: Effect.succeed(1) }
      const make = presets.moveLabel({ ...write, condition: { noneMatch: "any" } })
      yield* make
      const refusal = yield* Effect.flip(make)
      assert.strictEqual(
        refusal.message,
        "The label production of the preset support is not as it was required to be"
      )
      const onSecond = { match: [second.version.id] }
      assert.strictEqual(
        yield* tagOf(presets.moveLabel({ ...write, condition: onSecond })),
        "ConditionFailed"
      )
      assert.strictEqual(
        yield* tagOf(presets.removeLabel({ ...write, condition: onSecond })),
        "ConditionFailed"
      )
      const onFirst = { match: [first.version.id] }
      yield* presets.moveLabel({ ...write, wanted: Effect.succeed(2), condition: onFirst })
      yield* presets.removeLabel({ ...write, condition: onSecond })
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is checked in this order: key, slug, name, body, preset", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      let isRead = false
      const wanted = Effect.sync(() => {
        isRead = true
        return 1
      })
      const lacking = { principal: reader, slug: "..", label: "9", wanted }
      assert.strictEqual(yield* tagOf(presets.moveLabel(lacking)), "ManagementKeyRequired")
      const misnamed = { ...lacking, principal: manager }
      assert.match((yield* Effect.flip(presets.moveLabel(misnamed))).message, /slug: 1 to 255/)
      assert.match(
        (yield* Effect.flip(presets.moveLabel({ ...misnamed, slug: "support" }))).message,
        /label: a lowercase letter, then at most 62/
      )
      yield* presets.protectLabel({
        by: { kind: "operator", workspaceId: workspaceId(1) },
        label: "production"
      })
      const held = { ...misnamed, slug: "support", label: "production" }
      assert.strictEqual(yield* tagOf(presets.moveLabel(held)), "LabelProtected")
      assert.isFalse(isRead)
      assert.strictEqual(
        yield* tagOf(presets.moveLabel({ ...held, principal: holder })),
        "PresetNotFound"
      )
      assert.isTrue(isRead)
      yield* created(1)
      assert.strictEqual(yield* tagOf(labelled(2, { principal: holder })), "VersionNotFound")
      assert.strictEqual(yield* tagOf(labelled("staging", { principal: holder })), "LabelNotFound")
      yield* moved("archived")
      assert.strictEqual(yield* tagOf(labelled(1, { principal: holder })), "PresetInactive")
    }).pipe(Effect.provide(deployment))
  )
})

describe("a protected label", () => {
  it.effect("can be moved and removed only by keys with its scope, until it is unprotected", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* labelled(1)
      const request = { by: manager, label: "production" }
      assert.strictEqual(yield* tagOf(presets.protectLabel(request)), "LabelProtected")
      yield* protect
      assert.deepStrictEqual(
        (yield* presets.protectedLabels(manager)).map(({ by, label: name }) => [name, by]),
        [[label("production"), holder.userId]]
      )
      assert.strictEqual(yield* tagOf(labelled(1)), "LabelProtected")
      assert.strictEqual(yield* tagOf(unlabelled()), "LabelProtected")
      yield* labelled(1, { text: "staging" })
      yield* unlabelled("production", holder)
      assert.strictEqual(yield* tagOf(presets.unprotectLabel(request)), "LabelProtected")
      yield* presets.unprotectLabel({ by: holder, label: "production" })
      yield* labelled(1)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is not moved if it was protected after the move was decided", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      const interference = yield* Interference
      yield* created(1)
      yield* created(2)
      yield* labelled(1)
      const context = yield* Effect.context<Presets>()
      interference.before = Effect.suspend(() => {
        interference.before = Effect.void
        return Effect.orDie(Effect.provideContext(protect, context))
      })
      assert.strictEqual(yield* tagOf(patiently(labelled(2))), "LabelProtected")
      const [shown] = yield* presets.labels(named)
      assert.deepStrictEqual([shown?.version, shown?.isProtected], [1, true])
      assert.strictEqual((yield* labelled(2, { principal: holder })).label.version, 2)
    }).pipe(Effect.provide(deployment))
  )

  it.effect(
    "cannot be removed together with its preset by a key that lacks the label's scope",
    () =>
      Effect.gen(function* () {
        const presets = yield* Presets
        yield* created(1)
        yield* labelled(1)
        yield* moved("archived")
        yield* protect
        assert.strictEqual(yield* tagOf(presets.remove(named)), "LabelProtected")
        yield* presets.remove({ ...named, principal: holder })
        assert.strictEqual(yield* tagOf(presets.get(named)), "PresetNotFound")
      }).pipe(Effect.provide(deployment))
  )

  it.effect("cannot be taken out of service or brought back by a key without its scope", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* labelled(1)
      yield* labelled(1, { text: "staging" })
      yield* protect
      const turn = (status: "active" | "archived" | "disabled", principal = manager) =>
        presets.revise({ ...named, principal, wanted: Effect.succeed({ status }) })
      for (const status of ["disabled", "archived"] as const) {
        assert.strictEqual(yield* tagOf(turn(status)), "LabelProtected")
        const other = { ...holder, scopes: ["presets:write", "labels:staging"] }
        assert.strictEqual(yield* tagOf(turn(status, other)), "LabelProtected")
        const described = { name: status, description: "in service" }
        yield* presets.revise({ ...named, wanted: Effect.succeed(described) })
        yield* turn("active")
        yield* turn(status, holder)
        assert.strictEqual(yield* tagOf(turn("active")), "LabelProtected")
        yield* turn("active", holder)
      }
      yield* unlabelled("production", holder)
      yield* turn("archived")
    }).pipe(Effect.provide(deployment))
  )
})
