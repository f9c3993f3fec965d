import { assert, describe, it } from "@effect/vitest"
import { instant, whole } from "@verbatim/testkit/samples"
import { DateTime, Duration, Effect, Struct } from "effect"
import { TestClock } from "effect/testing"
import { Presets } from "#src/services/presets/Presets"
import {
  colleague,
  created,
  deployment,
  designated,
  Interference,
  manager,
  moved,
  named,
  patiently,
  reader,
  stranger
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

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

const wait = (millis: number) => TestClock.adjust(Duration.millis(millis))

const at = (millis: number) => DateTime.add(instant, { milliseconds: millis })

describe("a preset write", () => {
  it.effect("is checked in this order: key, slug, body, the preset's state", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      const { body, seen } = watched()
      const wanted = Effect.as(body, 1)
      const change = Effect.as(body, { name: "x" })
      const lacking = { principal: reader, slug: ".." }
      assert.strictEqual(
        yield* tagOf(presets.create({ ...lacking, body })),
        "ManagementKeyRequired"
      )
      assert.strictEqual(
        yield* tagOf(presets.designate({ ...lacking, wanted })),
        "ManagementKeyRequired"
      )
      assert.strictEqual(
        yield* tagOf(presets.revise({ ...lacking, wanted: change })),
        "ManagementKeyRequired"
      )
      const misnamed = { principal: manager, slug: ".." }
      for (const write of [
        presets.create({ ...misnamed, body }),
        presets.designate({ ...misnamed, wanted }),
        presets.revise({ ...misnamed, wanted: change })
      ]) {
        const refusal = yield* Effect.flip<unknown, { readonly message: string }, never>(write)
        assert.match(refusal.message, /slug: 1 to 255/)
      }
      assert.isFalse(seen.isRead)
      // The preset is missing too, but the unreadable body is reported first.
      const unread = Effect.fail("unread" as const)
      assert.strictEqual(
        yield* Effect.flip(presets.designate({ ...named, wanted: unread })),
        "unread"
      )
      assert.strictEqual(yield* tagOf(presets.create({ ...named, body })), "InvalidRequest")
      assert.strictEqual(yield* tagOf(presets.designate({ ...named, wanted })), "PresetNotFound")
      assert.strictEqual(
        yield* tagOf(presets.revise({ ...named, wanted: change })),
        "PresetNotFound"
      )
    }).pipe(Effect.provide(deployment))
  )

  it.effect("succeeds without storing anything if it changes nothing", () =>
    Effect.gen(function* () {
      const before = Struct.omit(yield* created(1), ["isStaged", "notKept"])
      yield* wait(10)
      assert.deepStrictEqual(yield* moved("active"), before)
      assert.deepStrictEqual(yield* designated(1), before)
      assert.deepStrictEqual(yield* designated(1, colleague), before)
      const presets = yield* Presets
      assert.strictEqual((yield* presets.designations(named, whole)).total, 1)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("fails if the version is missing or the preset belongs to another workspace", () =>
    Effect.gen(function* () {
      yield* created(1)
      assert.strictEqual(yield* tagOf(designated(2)), "VersionNotFound")
      assert.strictEqual(yield* tagOf(designated(1, stranger)), "PresetNotFound")
    }).pipe(Effect.provide(deployment))
  )
})

describe("a condition", () => {
  const expecting = (expected: ReadonlyArray<string>, version = 1) =>
    Effect.flatMap(Presets, (presets) =>
      presets.designate({
        ...named,
        condition: { match: expected },
        wanted: Effect.succeed(version)
      })
    )

  it.effect("is checked, and nothing is stored if it is not met", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      const first = yield* created(1)
      const before = yield* created(2)
      for (const expected of [[first.version.id], [before.version.id.toUpperCase()], []]) {
        assert.strictEqual(yield* tagOf(expecting(expected)), "ConditionFailed")
      }
      const wanted = Effect.succeed({ name: "x" })
      const renaming = presets.revise({
        ...named,
        condition: { match: [first.version.id] },
        wanted
      })
      assert.strictEqual(yield* tagOf(renaming), "ConditionFailed")
      assert.deepStrictEqual(
        yield* presets.get(named),
        Struct.omit(before, ["isStaged", "notKept"])
      )
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is compared with the preset at the time of the change", () =>
    Effect.gen(function* () {
      yield* created(1)
      const { version } = yield* created(2)
      const interference = yield* Interference
      const presets = yield* Effect.context<Presets>()
      interference.before = Effect.suspend(() => {
        interference.before = Effect.void
        return Effect.orDie(Effect.provideContext(created(3), presets))
      })
      assert.strictEqual(yield* tagOf(patiently(expecting([version.id]))), "ConditionFailed")
    }).pipe(Effect.provide(deployment))
  )
})

describe("an archived preset", () => {
  it.effect("accepts neither versions nor designations until it is restored", () =>
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

describe("the history of a preset", () => {
  it.effect("shows each designation with its version, author and time", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* wait(10)
      yield* created(2, { ...named, principal: colleague })
      yield* wait(10)
      yield* designated(1, colleague)
      const of = { ...named, principal: reader }
      const { designations, total } = yield* presets.designations(of, whole)
      assert.strictEqual(total, 3)
      const last = yield* presets.designations(of, { offset: 2, limit: 1 })
      assert.deepStrictEqual(last, { designations: designations.slice(2), total })
      assert.deepStrictEqual(
        designations.map(({ at, by, from, to }) => [from, to, by, at]),
        [
          [null, 1, manager.userId, at(0)],
          [1, 2, colleague.userId, at(10)],
          [2, 1, colleague.userId, at(20)]
        ]
      )
    }).pipe(Effect.provide(deployment))
  )

  it.effect("contains every version, and the differences between any two versions", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      for (const number of [1, 2, 3]) yield* created(number)
      const { total, versions } = yield* presets.versions(named, { offset: 1, limit: 1 })
      assert.deepStrictEqual([total, versions.map(({ config }) => config)], [3, [{ model: "m2" }]])
      const { config } = yield* presets.diff(named, { from: 3, to: 1 })
      assert.deepStrictEqual(config, [{ path: "/model", kind: "changed", from: "m3", to: "m1" }])
      assert.strictEqual(yield* tagOf(presets.diff(named, { from: 1, to: 4 })), "VersionNotFound")
    }).pipe(Effect.provide(deployment))
  )
})
