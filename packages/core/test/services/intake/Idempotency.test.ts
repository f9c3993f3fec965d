/** Tests requests that are retried with an idempotency key. */
import { assert, describe, it } from "@effect/vitest"
import { FakeMedia } from "@verbatim/testkit/fakes"
import { Effect, Option, Stream } from "effect"
import { parseKey } from "#src/domain/idempotency/IdempotencyKey"
import type { IncomingPart } from "#src/domain/transcription/TranscriptionRequest"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { Submissions } from "#src/services/intake/Submissions"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { withCaller } from "../../world/caller.ts"
import { spend } from "./RepeatWorld.ts"

const parts = (bytes: ReadonlyArray<number>, parameters: Readonly<Record<string, unknown>>) => {
  const all: Array<IncomingPart<never>> = Object.entries(parameters).map(([name, value]) => ({
    _tag: "Parameter",
    name,
    value
  }))
  const content = Stream.fromIterable(bytes.map((byte) => Uint8Array.of(byte)))
  return [...all, { _tag: "File" as const, name: "file", filename: "a.mp3", content }]
}

const submit = (
  principal: Principal,
  {
    bytes = [1, 2, 3],
    key = "order-1",
    parameters = {}
  }: {
    readonly bytes?: ReadonlyArray<number>
    readonly key?: string
    readonly parameters?: Readonly<Record<string, unknown>>
  } = {}
) =>
  Effect.flatMap(Submissions, (submissions) =>
    submissions.submit(principal, {
      isTextual: false,
      parts: Stream.fromIterable(parts(bytes, parameters)),
      idempotencyKey: key
    })
  )

const storedCount = Effect.flatMap(FakeMedia, (media) =>
  Effect.map(media.stored, (stored) => stored.length)
)

describe("a request with an idempotency key", () => {
  it.effect("is refused if the key was used with other content", () =>
    withCaller(function* (principal) {
      yield* submit(principal, { parameters: { language: "en" } })
      const others = [
        { parameters: { language: "de" } },
        { parameters: { language: "en", summary: "brief" } },
        { parameters: { language: "en", tracks: "mix" } },
        { parameters: { language: "en" }, bytes: [1, 2, 4] },
        { parameters: { language: "en" }, bytes: [1, 2] }
      ]
      for (const other of others) {
        const refusal = yield* Effect.flip(submit(principal, other))
        assert.strictEqual(refusal.message, "Idempotency-Key was already used with another request")
      }
      assert.strictEqual(yield* storedCount, 1)
    })
  )

  it.effect("returns the same job after its workspace's keywords have changed", () =>
    withCaller(function* (principal) {
      const first = yield* submit(principal)
      const workspaces = yield* Workspaces
      yield* workspaces.change(principal.workspaceId, { keywords: ["quay"] })
      assert.strictEqual((yield* submit(principal)).id, first.id)
    })
  )

  it.effect("creates one job even if it is sent many times concurrently", () =>
    withCaller(function* (principal) {
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => submit(principal)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(all.map(({ id }) => id)).size, 1)
      assert.strictEqual(yield* storedCount, 1)
    })
  )

  it.effect("returns the same job when it is retried, even if the balance is now too low", () =>
    withCaller(function* (principal) {
      const first = yield* submit(principal)
      yield* spend(principal)
      assert.strictEqual((yield* submit(principal)).id, first.id)
      const fresh = yield* Effect.flip(submit(principal, { key: "order-2" }))
      assert.strictEqual(fresh._tag, "InsufficientBalance")
    })
  )

  it("requires a key of 1 to 255 visible ASCII characters", () => {
    for (const key of ["a", "~".repeat(255), "!order/1"]) {
      assert.isTrue(Option.isSome(parseKey(key)), key)
    }
    for (const key of ["", "a".repeat(256), "a b", "é", "a\n", "\u007f"]) {
      assert.isTrue(Option.isNone(parseKey(key)), key)
    }
  })
})
