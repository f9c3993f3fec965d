/** Sessions over a clock of the test: in whose share they are, and when they are over. */
import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Sessions, sessionsOfKeyMax, sessionsOfWorkspaceMax } from "#src/Sessions"

const sessions = Layer.provide(Sessions.layer, NodeCrypto.layerSecureRandom)

const shown = { workspace: Redacted.make("shown") }

const open = (keyId: string, { replaces = "", workspaceId = "acme" } = {}) =>
  Effect.flatMap(Sessions, (all) =>
    all.open({ keys: shown, holder: { keyId, workspaceId }, replaces })
  )

const isOpen = (name = "") =>
  Effect.flatMap(Sessions, (all) => Effect.map(all.find(name), (found) => found !== undefined))

/** As many as a workspace may have, each key with all that it may have. */
const fillWorkspace = Effect.forEach(Array.from({ length: sessionsOfWorkspaceMax }), (_, place) =>
  Effect.map(open(`key ${Math.floor(place / sessionsOfKeyMax)}`), (name = "") => {
    assert.notStrictEqual(name, "")
    return name
  })
)

/** What people do with sessions of a few keys, and which of their sessions they do it with. */
const Acts = Schema.Array(
  Schema.Struct({
    is: Schema.Literals(["open", "replace", "use", "close"]),
    keyId: Schema.Literals(["one", "two", "three"]),
    which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))
  })
).check(Schema.isMaxLength(200))

describe("sessions", () => {
  it.effect.prop("of a key are over by its own doing alone", [Acts], ([given]) =>
    Effect.gen(function* () {
      const all = yield* Sessions
      // In the order of their last use; the first ones are let go.
      const model = new Map<string, Array<string>>()
      const own = yield* open("mine")
      for (const { is, keyId, which } of given) {
        const names = model.get(keyId) ?? []
        const name = names[which % Math.max(1, names.length)] ?? ""
        const others = names.filter((other) => other !== name)
        if (is === "open") names.push((yield* open(keyId)) ?? "")
        const next = is === "replace" ? [(yield* open(keyId, { replaces: name })) ?? ""] : []
        if (is === "close") yield* all.close(name)
        if (is === "use" && name !== "") {
          assert.isTrue(yield* isOpen(name))
          next.push(name)
        }
        const now = is === "open" ? names : [...others, ...next]
        model.set(keyId, now.slice(-sessionsOfKeyMax))
        assert.isTrue(yield* isOpen(own))
      }
      for (const names of model.values()) {
        for (const name of names) assert.isTrue(yield* isOpen(name))
      }
    }).pipe(Effect.provide(Layer.fresh(sessions)))
  )

  it.effect("end when nobody has used them for twelve hours, and whoever waits is told", () =>
    Effect.gen(function* () {
      const all = yield* Sessions
      const name = (yield* open("one")) ?? ""
      const waiting = yield* Effect.forkChild((yield* all.find(name))?.untilOver ?? Effect.never)
      yield* TestClock.adjust("11 hours")
      assert.isTrue(yield* isOpen(name))
      yield* TestClock.adjust("11 hours")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(waiting)
      assert.isFalse(yield* isOpen(name))
    }).pipe(Effect.provide(sessions))
  )

  it.effect("end when others of their key push them out, and whoever waits is told", () =>
    Effect.gen(function* () {
      const all = yield* Sessions
      const name = (yield* open("one")) ?? ""
      const waiting = yield* Effect.forkChild((yield* all.find(name))?.untilOver ?? Effect.never)
      for (let count = 0; count < sessionsOfKeyMax; count += 1) yield* open("one")
      yield* Fiber.join(waiting)
    }).pipe(Effect.provide(sessions))
  )

  it.effect("are refused to a workspace that has as many as it may, and to no other", () =>
    Effect.gen(function* () {
      yield* fillWorkspace
      assert.isUndefined(yield* open("one more"))
      assert.isDefined(yield* open("key 0"))
      assert.isDefined(yield* open("a key", { workspaceId: "other" }))
      yield* TestClock.adjust("12 hours")
      assert.isDefined(yield* open("one more"))
    }).pipe(Effect.provide(sessions))
  )

  it.effect("take the place of the one that their browser had, where that is in their share", () =>
    Effect.gen(function* () {
      const [first = ""] = yield* fillWorkspace
      const replaced = yield* open("one more", { replaces: first })
      assert.isDefined(replaced)
      assert.notStrictEqual(replaced, first)
      assert.isFalse(yield* isOpen(first))
      // Once: the name of a session that is over makes no place.
      assert.isUndefined(yield* open("two more", { replaces: first }))
      assert.isTrue(yield* isOpen(replaced))
    }).pipe(Effect.provide(sessions))
  )

  it.effect("take no place of another workspace, and end nothing where they are refused", () =>
    Effect.gen(function* () {
      yield* fillWorkspace
      const other = yield* open("a key", { workspaceId: "other" })
      assert.isUndefined(yield* open("one more", { replaces: other ?? "" }))
      assert.isTrue(yield* isOpen(other))
    }).pipe(Effect.provide(sessions))
  )
})
