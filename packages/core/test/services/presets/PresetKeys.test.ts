import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chatCompletions, type RequestFormat, responses } from "#src/domain/request/RequestFormat"
import { Presets } from "#src/services/presets/Presets"
import { created, deployment, manager, moved, named, reader } from "./Deployment.ts"

const request = { model: "m", tools: [{ type: "function", name: "f", strict: null }], input: "x" }

interface PresetOptions {
  readonly body?: unknown
  readonly key?: string
  readonly slug?: string
  readonly format?: RequestFormat
}

const keyed = ({
  body = request,
  format = responses,
  key = "order-1",
  slug = "support"
}: PresetOptions = {}) =>
  Effect.flatMap(Presets, (presets) =>
    presets.create({
      principal: manager,
      slug,
      format,
      idempotencyKey: key,
      body: Effect.succeed(body)
    })
  )

const refusal = (options: PresetOptions) =>
  Effect.map(Effect.flip(keyed(options)), ({ _tag, message }) => [_tag, message])

const versionCount = Effect.flatMap(Presets, (presets) =>
  Effect.map(presets.get(named), ({ preset }) => preset.latestVersion)
)

const conflict = ["IdempotencyConflict", "Idempotency-Key was already used with another request"]

/** The same request with its JSON keys in a different order. */
const same: ReadonlyArray<unknown> = [
  { tools: [{ strict: null, name: "f", type: "function" }], input: "x", model: "m" }
]

const others: ReadonlyArray<PresetOptions> = [
  { body: { ...request, model: "n" } },
  { body: { ...request, instructions: "" } },
  { body: { ...request, tools: [{ type: "function", name: "f" }] } },
  // Presets do not store these fields, but the requests still differ.
  { body: { ...request, input: "y" } },
  { body: { ...request, metadata: { a: "b" } } },
  { body: { ...request, temperature: null } },
  { body: { ...request, unknown: true } },
  { slug: "Support" }
]

describe("a request for a version with an idempotency key", () => {
  it.effect(
    "creates one version, however often it is sent and however its JSON keys are ordered",
    () =>
      Effect.gen(function* () {
        const first = yield* keyed()
        for (const body of [request, ...same]) {
          assert.deepStrictEqual(yield* keyed({ body }), first)
        }
        const many = yield* Effect.all(
          Array.from({ length: 8 }, () => keyed()),
          { concurrency: "unbounded" }
        )
        for (const each of many) assert.deepStrictEqual(each, first)
        assert.strictEqual(yield* versionCount, 1)
        yield* created(2)
        const { preset } = yield* moved("archived")
        const own = { designatedVersion: 1, designatedVersionId: first.version.id }
        assert.deepStrictEqual(yield* keyed(), { ...first, preset: { ...preset, ...own } })
      }).pipe(Effect.provide(deployment))
  )

  it.effect("conflicts with an earlier request if the body, the slug or the format differs", () =>
    Effect.gen(function* () {
      yield* keyed()
      for (const other of others) assert.deepStrictEqual(yield* refusal(other), conflict)
      assert.strictEqual(yield* versionCount, 1)
      const bare = { key: "order-2", body: { model: "m", messages: [], input: "x" } }
      yield* keyed(bare)
      assert.deepStrictEqual(yield* refusal({ ...bare, format: chatCompletions }), conflict)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is checked in this order: API key, slug, idempotency key", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      const wrong = { idempotencyKey: "a b", body: Effect.die("read") }
      const tagFor = (principal: typeof manager, slug: string) =>
        Effect.map(
          Effect.flip(presets.create({ ...wrong, principal, slug })),
          ({ message }) => message
        )
      const forbidden = yield* Effect.flip(
        presets.create({ ...wrong, principal: reader, slug: "." })
      )
      assert.strictEqual(forbidden._tag, "ManagementKeyRequired")
      assert.match(yield* tagFor(manager, "."), /slug: /)
      assert.strictEqual(
        yield* tagFor(manager, "support"),
        "Invalid request parameters: idempotency-key: must be 1 to 255 visible ASCII characters"
      )
    }).pipe(Effect.provide(deployment))
  )
})
