/** Tests sessions with a test clock: their quotas, and when they end. */
import { NodeCrypto } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Sessions, sessionsPerKeyMax, sessionsPerWorkspaceMax } from "#src/Sessions"

const sessions = Layer.provide(Sessions.layer, NodeCrypto.layerSecureRandom)

const shown = { workspace: Redacted.make("shown") }

const open = (keyId: string, { replaces = "", workspaceId = "acme" } = {}) =>
  Effect.flatMap(Sessions, (all) =>
    all.open({ keys: shown, owner: { keyId, workspaceId }, replaces })
  )

const isOpen = (name = "") =>
  Effect.flatMap(Sessions, (all) => Effect.map(all.find(name), (found) => found !== undefined))

/** Opens the maximum number of sessions for a workspace, using the maximum for each key. */
const fillWorkspace = Effect.forEach(Array.from({ length: sessionsPerWorkspaceMax }), (_, index) =>
  Effect.map(open(`key ${Math.floor(index / sessionsPerKeyMax)}`), (name = "") => {
    assert.notStrictEqual(name, "")
    return name
  })
)

/** Actions on the sessions of a few keys. `which` selects a session. */
const Actions = Schema.Array(
  Schema.Struct({
    is: Schema.Literals(["open", "replace", "use", "close"]),
    keyId: Schema.Literals(["one", "two", "three"]),
    which: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 }))
  })
).check(Schema.isMaxLength(200))

describe("sessions", () => {
  it.effect.prop("are ended only by actions with the same key", [Actions], ([given]) =>
    Effect.gen(function* () {
      const all = yield* Sessions
      // Sessions are ordered by last use, and the first ones end first.
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
        model.set(keyId, now.slice(-sessionsPerKeyMax))
        assert.isTrue(yield* isOpen(own))
      }
      for (const names of model.values()) {
        for (const name of names) assert.isTrue(yield* isOpen(name))
      }
    }).pipe(Effect.provide(Layer.fresh(sessions)))
  )

  it.effect("end after twelve hours without use, and notify their streams", () =>
    Effect.gen(function* () {
      const all = yield* Sessions
      const name = (yield* open("one")) ?? ""
      const waiting = yield* Effect.forkChild((yield* all.find(name))?.untilEnded ?? Effect.never)
      yield* TestClock.adjust("11 hours")
      assert.isTrue(yield* isOpen(name))
      yield* TestClock.adjust("11 hours")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(waiting)
      assert.isFalse(yield* isOpen(name))
    }).pipe(Effect.provide(sessions))
  )

  it.effect("are refused for a workspace that has the maximum number, but not for others", () =>
    Effect.gen(function* () {
      yield* fillWorkspace
      assert.isUndefined(yield* open("one more"))
      assert.isDefined(yield* open("key 0"))
      assert.isDefined(yield* open("a key", { workspaceId: "other" }))
      yield* TestClock.adjust("12 hours")
      assert.isDefined(yield* open("one more"))
    }).pipe(Effect.provide(sessions))
  )

  it.effect("replace the browser's previous session if both count against the same workspace", () =>
    Effect.gen(function* () {
      const [first = ""] = yield* fillWorkspace
      const replaced = yield* open("one more", { replaces: first })
      assert.isDefined(replaced)
      assert.notStrictEqual(replaced, first)
      assert.isFalse(yield* isOpen(first))
      // A second login is refused, because replacing a session that has already ended frees no
      // quota.
      assert.isUndefined(yield* open("two more", { replaces: first }))
      assert.isTrue(yield* isOpen(replaced))
    }).pipe(Effect.provide(sessions))
  )

  it.effect(
    "take no quota from another workspace, and end no other session if they are refused",
    () =>
      Effect.gen(function* () {
        yield* fillWorkspace
        const other = yield* open("a key", { workspaceId: "other" })
        assert.isUndefined(yield* open("one more", { replaces: other ?? "" }))
        assert.isTrue(yield* isOpen(other))
      }).pipe(Effect.provide(sessions))
  )
})
