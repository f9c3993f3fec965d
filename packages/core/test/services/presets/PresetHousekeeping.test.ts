import { assert, describe, it } from "@effect/vitest"
import { whole } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import { Presets } from "#src/services/presets/Presets"
import {
  colleague,
  created,
  deployment,
  designated,
  manager,
  moved,
  named,
  reader
} from "./Deployment.ts"

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const stored = (instructions: string, options: { stage?: boolean; comment?: string } = {}) =>
  Effect.flatMap(Presets, (presets) =>
    presets.create({ ...named, ...options, body: Effect.succeed({ instructions, input: "x" }) })
  )

const keyed = (options: { stage?: boolean; comment?: string } = {}, slug = "keyed") =>
  Effect.flatMap(Presets, (presets) =>
    presets.create({
      ...named,
      slug,
      ...options,
      idempotencyKey: "order-1",
      body: Effect.succeed({ instructions: "a secret", input: "x" })
    })
  )

const erased = (version: number, principal = manager) =>
  Effect.flatMap(Presets, (presets) => presets.erase({ ...named, principal, version }))

describe("a staged version", () => {
  it.effect("is stored with its comment, and becomes live when it is designated", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* stored("live")
      const { preset, version } = yield* stored("next", { stage: true, comment: "Try it." })
      assert.deepStrictEqual([preset.designatedVersion, preset.latestVersion], [1, 2])
      assert.deepStrictEqual([version.version, version.comment], [2, "Try it."])
      assert.strictEqual((yield* presets.get(named)).version.systemPrompt, "live")
      yield* designated(2)
      assert.strictEqual((yield* presets.get(named)).version.systemPrompt, "next")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("conflicts with a request under the same key that designates its version", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* presets.create({ ...named, slug: "keyed", body: Effect.succeed({ input: "x" }) })
      const { version } = yield* keyed({ stage: true })
      assert.strictEqual(yield* tagOf(keyed()), "IdempotencyConflict")
      assert.strictEqual(yield* tagOf(keyed({ stage: true, comment: "x" })), "IdempotencyConflict")
      const again = yield* keyed({ stage: true })
      assert.deepStrictEqual([again.version.id, again.preset.designatedVersion], [version.id, 1])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("has a comment of at most a thousand characters, without NUL", () =>
    Effect.gen(function* () {
      const long = "ä".repeat(1_000)
      assert.strictEqual((yield* stored("x", { comment: long })).version.comment, long)
      for (const comment of [`${long}x`, "a\0", "\ud800"]) {
        const refusal = yield* Effect.flip(stored("x", { comment }))
        assert.match(refusal.message, /comment: at most 1000 characters/)
      }
    }).pipe(Effect.provide(deployment))
  )
})

describe("the content of a version", () => {
  it.effect("can be erased, and the version records the time and author of the erasure", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* stored("a secret", { comment: "mine" })
      yield* stored("none")
      const { preset, version } = yield* erased(1, colleague)
      assert.deepStrictEqual(yield* presets.version(named, 1), version)
      assert.deepStrictEqual(
        [version.systemPrompt, version.config, version.comment, version.erased?.by],
        [null, {}, "mine", colleague.userId]
      )
      assert.strictEqual(preset.revision, 3)
      assert.deepStrictEqual((yield* erased(1)).version, version)
      assert.strictEqual((yield* presets.get(named)).preset.revision, 3)
      assert.strictEqual(yield* tagOf(designated(1)), "VersionErased")
      const label = { ...named, label: "production", wanted: Effect.succeed(1) }
      assert.strictEqual(yield* tagOf(presets.moveLabel(label)), "VersionErased")
      const { designations } = yield* presets.designations(named, whole)
      assert.deepStrictEqual(
        designations.map(({ to }) => to),
        [1, 2]
      )
    }).pipe(Effect.provide(deployment))
  )

  it.effect(
    "cannot be erased if a pointer selects the version, or if the key or the condition is wrong",
    () =>
      Effect.gen(function* () {
        const presets = yield* Presets
        const first = yield* stored("a secret")
        assert.strictEqual(yield* tagOf(erased(1)), "VersionInUse")
        yield* stored("none")
        yield* presets.moveLabel({ ...named, label: "canary", wanted: Effect.succeed(1) })
        assert.strictEqual(yield* tagOf(erased(1)), "VersionInUse")
        yield* presets.removeLabel({ ...named, label: "canary" })
        assert.strictEqual(yield* tagOf(erased(1, reader)), "ManagementKeyRequired")
        assert.strictEqual(yield* tagOf(erased(3)), "VersionNotFound")
        const condition = { match: [first.version.id] }
        const stale = presets.erase({ ...named, version: 1, condition })
        assert.strictEqual(yield* tagOf(stale), "ConditionFailed")
        assert.strictEqual((yield* presets.version(named, 1)).systemPrompt, "a secret")
      }).pipe(Effect.provide(deployment))
  )
})

describe("a preset", () => {
  it.effect("can be removed once archived, after which its slug starts again at version 1", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      const { version } = yield* created(1)
      assert.strictEqual(yield* tagOf(presets.remove(named)), "PresetNotArchived")
      yield* moved("archived")
      const byReader = presets.remove({ ...named, principal: reader })
      assert.strictEqual(yield* tagOf(byReader), "ManagementKeyRequired")
      const stale = presets.remove({ ...named, condition: { noneMatch: [version.id] } })
      assert.strictEqual(yield* tagOf(stale), "ConditionFailed")
      assert.strictEqual((yield* presets.remove(named)).slug, "support")
      assert.strictEqual(yield* tagOf(presets.remove(named)), "PresetNotFound")
      assert.deepStrictEqual(yield* presets.list(manager, whole), { presets: [], total: 0 })
      assert.strictEqual((yield* created(2)).version.version, 1)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("can be compared with another preset by version numbers and labels", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* created(2, { ...named, slug: "other" })
      yield* presets.moveLabel({ ...named, label: "production", wanted: Effect.succeed(1) })
      const { config } = yield* presets.diff(named, {
        from: "production",
        to: "latest",
        slug: "other"
      })
      assert.deepStrictEqual(config, [{ path: "/model", kind: "changed", from: "m1", to: "m2" }])
      const stray = presets.diff(named, { from: 1, to: "production", slug: "other" })
      assert.strictEqual(yield* tagOf(stray), "LabelNotFound")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("can be found by status, label and text, and an invalid filter is refused", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* created(2, { ...named, slug: "other" })
      yield* presets.moveLabel({ ...named, label: "production", wanted: Effect.succeed(1) })
      const slugs = (filter: Parameters<typeof presets.list>[1]) =>
        Effect.map(presets.list(manager, filter), ({ presets: found }) =>
          found.map(({ slug }): string => slug)
        )
      assert.deepStrictEqual(yield* slugs({ ...whole, label: "production" }), ["support"])
      assert.deepStrictEqual(yield* slugs({ ...whole, text: "OTH", status: "active" }), ["other"])
      assert.deepStrictEqual(yield* slugs({ ...whole, status: "archived" }), [])
      for (const filter of [{ label: "Production" }, { text: "x".repeat(201) }, { text: "\0" }]) {
        assert.strictEqual(yield* tagOf(slugs({ ...whole, ...filter })), "InvalidRequest")
      }
    }).pipe(Effect.provide(deployment))
  )
})
