import { assert, describe, it } from "@effect/vitest"
import { workspaceId } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { Presets } from "#src/services/presets/Presets"
import {
  created,
  deployment,
  interfere,
  manager,
  moved,
  named,
  patiently,
  reader,
  tagOf
} from "./Deployment.ts"

const holder: Principal = { ...manager, scopes: ["presets:write", "labels:production"] }

const labelled = (version: number | string, { text = "production", principal = manager } = {}) =>
  Effect.flatMap(Presets, (presets) =>
    presets.moveLabel({ ...named, principal, label: text, wanted: Effect.succeed(version) })
  )

const unlabelled = (text = "production", principal = manager) =>
  Effect.flatMap(Presets, (presets) => presets.removeLabel({ ...named, principal, label: text }))

const protect = Effect.flatMap(Presets, (presets) =>
  presets.protectLabel({ by: holder, label: "production" })
)

describe("a request to move a preset's label", () => {
  it.effect("is checked in this order: key, slug, label, body, preset", () =>
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
  it.effect("is not moved by a request that began before the label was protected", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* created(2)
      yield* labelled(1)
      yield* interfere(() => protect)
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

  it.effect(
    "cannot be disabled, archived or restored with its preset by a key without the label's scope",
    () =>
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
