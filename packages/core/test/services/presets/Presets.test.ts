import { assert, describe, it } from "@effect/vitest"
import { whole } from "@verbatim/testkit/samples"
import { Effect, Struct } from "effect"
import { TestClock } from "effect/testing"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { Presets } from "#src/services/presets/Presets"
import {
  colleague,
  created,
  deployment,
  designated,
  interfere,
  manager,
  moved,
  named,
  patiently,
  reader,
  tagOf
} from "./Deployment.ts"

/** A body that records whether it was read. */
const watched = () => {
  const seen = { isRead: false }
  const body = Effect.sync(() => {
    seen.isRead = true
    return { input: 1 }
  })
  return { seen, body }
}

describe("a preset write", () => {
  it.effect("is checked in this order: key, slug, body, the preset's state", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      const { body, seen } = watched()
      const wanted = Effect.as(body, 1)
      const change = Effect.as(body, { name: "x" })
      const refused = (of: { principal: Principal; slug: string }) =>
        Effect.forEach(
          [
            presets.create({ ...of, body }),
            presets.designate({ ...of, wanted }),
            presets.revise({ ...of, wanted: change })
          ],
          tagOf<unknown, { readonly _tag: string }, never>
        )
      const every = (tag: string) => [tag, tag, tag]
      const lacking = { principal: reader, slug: ".." }
      assert.deepStrictEqual(yield* refused(lacking), every("ManagementKeyRequired"))
      const misnamed = { principal: manager, slug: ".." }
      assert.deepStrictEqual(yield* refused(misnamed), every("InvalidRequest"))
      assert.isFalse(seen.isRead)
      // The preset does not exist either, but the unreadable body is reported first.
      const unread = Effect.fail("unread" as const)
      assert.strictEqual(
        yield* Effect.flip(presets.designate({ ...named, wanted: unread })),
        "unread"
      )
      const missing = "PresetNotFound"
      assert.deepStrictEqual(yield* refused(named), ["InvalidRequest", missing, missing])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("succeeds without storing anything if it changes nothing", () =>
    Effect.gen(function* () {
      const before = Struct.omit(yield* created(1), ["isStaged", "notKept"])
      yield* TestClock.adjust("10 millis")
      assert.deepStrictEqual(yield* moved("active"), before)
      assert.deepStrictEqual(yield* designated(1), before)
      assert.deepStrictEqual(yield* designated(1, colleague), before)
      const presets = yield* Presets
      assert.strictEqual((yield* presets.designations(named, whole)).total, 1)
    }).pipe(Effect.provide(deployment))
  )
})

describe("a change that conflicts with other changes", () => {
  it.effect("is retried up to a hundred times, and then fails without a write", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* created(2)
      yield* interfere(created, 100)
      const { preset } = yield* patiently(designated(1))
      const { designatedVersion, latestVersion, revision } = preset
      assert.deepStrictEqual([designatedVersion, latestVersion, revision], [1, 102, 103])
      yield* interfere(created, 101)
      const refusal = yield* Effect.flip(patiently(designated(2)))
      assert.strictEqual(refusal._tag === "PresetStoreError" && refusal.reason._tag, "Superseded")
      assert.strictEqual((yield* presets.get(named)).preset.designatedVersion, 203)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is refused if the preset no longer meets the condition", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      const { version } = yield* created(2)
      yield* interfere(created)
      const condition = { match: [version.id] }
      const write = presets.designate({ ...named, condition, wanted: Effect.succeed(1) })
      assert.strictEqual(yield* tagOf(patiently(write)), "ConditionFailed")
    }).pipe(Effect.provide(deployment))
  )
})

describe("an archived preset", () => {
  it.effect("accepts no versions and no designations until it is restored", () =>
    Effect.gen(function* () {
      yield* created(1)
      yield* moved("archived")
      const refusal = yield* Effect.flip(created(2))
      assert.strictEqual(refusal._tag === "PresetInactive" && refusal.status, "archived")
      for (const write of [Effect.flip(designated(1)), Effect.flip(moved("disabled"))]) {
        const inactive = yield* write
        assert.deepInclude(inactive, {
          _tag: "PresetInactive",
          slug: "support",
          status: "archived"
        })
      }
      yield* moved("active")
      const { version } = yield* created(2)
      assert.strictEqual(version.version, 2)
    }).pipe(Effect.provide(deployment))
  )
})
