/** What both doors promise: over HTTP and in the database, of one and the same workspace. */
import type { PresetConfig, PresetContent } from "@verbatim/core/preset"
import { ExactNumber } from "@verbatim/core/schema"
import { ApiKeys, Presets } from "@verbatim/core/services"
import { type Principal, UserId } from "@verbatim/core/workspace"
import { platform } from "@verbatim/embed/platform"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as HttpDoor from "#src/presets/door/HttpDoor"
import { type Addition, PresetDoor } from "#src/presets/door/PresetDoor"
import * as StoreDoor from "#src/presets/door/StoreDoor"
import { dataDirectory, managementKey } from "../ServerProcess.ts"
import { startWithKeys, storesOf } from "./KeyRing.ts"
import { newDatabase } from "./PostgresRoom.ts"

const config = (text: string) => Option.getOrThrow(ExactNumber.parse(text)) as PresetConfig

const content = (text: string, wishes: Partial<PresetContent> = {}): PresetContent => ({
  format: "responses",
  systemPrompt: null,
  config: config(text),
  wins: [],
  ...wishes
})

/** Nothing but what every format has: the format is not told by it. */
const chat = content('{"model": "a"}', { format: "chatCompletions" })

let keys = 0

const addition = (slug: string, wishes: Partial<Addition> = {}): Addition => {
  keys += 1
  const made = content('{"model": "a"}')
  return {
    slug,
    content: made,
    comment: null,
    stage: false,
    fence: undefined,
    key: `k${keys}`,
    ...wishes
  }
}

const stack = new AsyncDisposableStack()

/** A server, and the database behind it. */
const start = async (postgres?: string) => {
  const { path } = stack.use(await dataDirectory())
  const { server, workspaceId } = await startWithKeys(path, postgres)
  stack.use(server)
  const userId = UserId.make("user_01900000-0000-7000-8000-000000000001")
  const principal: Principal = { kind: "management", workspaceId, userId }
  return { address: server.address, principal, stores: storesOf(path, postgres) }
}

type Started = Awaited<ReturnType<typeof start>>

const servers: Record<string, Started> = {}

beforeAll(async () => {
  servers.SQLite = await start()
  servers.Postgres = await start(await newDatabase())
})

afterAll(() => stack.disposeAsync())

const makers: Readonly<Record<string, (started: Started) => Layer.Layer<PresetDoor, unknown>>> = {
  HTTP: ({ address }) => HttpDoor.layer({ url: address, key: Redacted.make(managementKey) }),
  database: ({ principal, stores }) =>
    StoreDoor.layer(principal).pipe(
      Layer.provide([ApiKeys.layer, Presets.layer]),
      Layer.provide(stores),
      Layer.provide(platform)
    )
}

const doors = ["SQLite", "Postgres"].flatMap((store) =>
  Object.entries(makers).map(([name, make]) => {
    const makeDoor = () => make(servers[store] ?? assert.fail("no server"))
    return { name, title: `the door by ${name}, over ${store}`, makeDoor }
  })
)

/** Why something is refused. */
const reasonOf = <A, E extends { readonly reason: string }, R>(doing: Effect.Effect<A, E, R>) =>
  Effect.match(doing, { onFailure: ({ reason }) => reason, onSuccess: () => "done" })

for (const { makeDoor, name, title } of doors) {
  const test = (
    sentence: string,
    run: (door: PresetDoor["Service"]) => Effect.Effect<unknown, unknown>
  ) =>
    it(sentence, () =>
      Effect.runPromise(Effect.flatMap(PresetDoor, run).pipe(Effect.provide(makeDoor())))
    )

  describe(title, () => {
    test("makes versions once for each key, and tells them digit by digit, in order", (door) =>
      Effect.gen(function* () {
        const slug = `exact-${name}`
        const seeds = '{"seed":9007199254740993,"model":"a","metadata":{"b":"1","a":"2"}}'
        const exact = content(seeds, { format: "chatCompletions", systemPrompt: "Be brief." })
        const first = addition(slug, { content: exact, fence: null })
        const made = yield* door.add(first)
        assert.deepStrictEqual(yield* door.add(first), made)
        const version = yield* door.version({ slug, point: "designated" })
        assert.strictEqual(version.id, made.id)
        assert.strictEqual(version.format, "chatCompletions")
        assert.strictEqual(version.systemPrompt, "Be brief.")
        const { metadata: _, ...kept } = exact.config
        assert.strictEqual(JSON.stringify(version.config), JSON.stringify({ ...kept }))
      }))

    test("makes a version from another one, exact in what is set and in the rest", (door) =>
      Effect.gen(function* () {
        const slug = `parts-${name}`
        const kept = content('{"model":"a","seed":9007199254740993}', {
          ...{ format: "chatCompletions" as const, systemPrompt: "Be brief." },
          wins: ["seed"]
        })
        yield* door.add(addition(slug, { content: kept }))
        const set = config('{"top_k":18446744073709551616}')
        const parts = { set, unset: ["model"], comment: "Cooler" }
        const staged = yield* door.edit({ slug, parts: { ...parts, stage: true } })
        const version = yield* door.version({ slug, point: "latest" })
        assert.deepInclude(version, { ...staged, version: 2, systemPrompt: "Be brief." })
        assert.deepInclude(version, { format: "chatCompletions", wins: ["seed"] })
        assert.strictEqual(
          JSON.stringify(version.config),
          '{"seed":9007199254740993,"top_k":18446744073709551616}'
        )
        const found = Option.getOrThrow(yield* door.find(slug))
        assert.strictEqual(found.designatedVersion, 1)
        assert.strictEqual((yield* door.versions(slug))[1]?.comment, "Cooler")
        const from = { from: "latest", systemPrompt: null, wins: [] }
        yield* door.edit({ slug, parts: from })
        const designated = yield* door.version({ slug, point: "designated" })
        assert.deepInclude(designated, { version: 3, systemPrompt: null, wins: [] })
        const absent = [
          door.edit({ slug, parts: { from: 9 } }),
          door.edit({ slug, parts: { from: "nowhere" } }),
          door.edit({ slug: "nobody", parts: {} })
        ]
        for (const each of absent) assert.strictEqual(yield* reasonOf(each), "NotFound")
        assert.strictEqual(yield* reasonOf(door.edit({ slug, parts: { unset: ["x"] } })), "Refused")
      }))

    test("holds a fence, of the preset and of a label", (door) =>
      Effect.gen(function* () {
        const slug = `fence-${name}`
        const first = yield* door.add(addition(slug, { fence: null }))
        assert.strictEqual(yield* reasonOf(door.add(addition(slug, { fence: null }))), "Changed")
        const second = yield* door.add(addition(slug, { fence: first.id }))
        const late = [
          door.add(addition(slug, { fence: first.id })),
          door.designate({ slug, version: 1, fence: first.id }),
          door.revise({ slug, change: { name: "Late" }, fence: first.id })
        ]
        for (const each of late) assert.strictEqual(yield* reasonOf(each), "Changed")
        const label = "staging"
        yield* door.moveLabel({ slug, label, version: 1, fence: null })
        const moved = [
          door.moveLabel({ slug, label, version: 2, fence: null }),
          door.moveLabel({ slug, label, version: 2, fence: second.id }),
          door.removeLabel({ slug, label, fence: second.id })
        ]
        for (const each of moved) assert.strictEqual(yield* reasonOf(each), "Changed")
        yield* door.moveLabel({ slug, label, version: "latest", fence: first.id })
        yield* door.removeLabel({ slug, label, fence: second.id })
        assert.strictEqual(yield* reasonOf(door.removeLabel({ slug, label })), "NotFound")
      }))

    test("finds a preset with all that points somewhere", (door) =>
      Effect.gen(function* () {
        const slug = `found-${name}`
        assert.isTrue(Option.isNone(yield* door.find(slug)))
        yield* door.add(addition(slug, { content: chat }))
        yield* door.add(addition(slug, { stage: true, comment: "tried" }))
        yield* door.moveLabel({ slug, label: "staging", version: 2 })
        yield* door.add(addition(slug, { stage: true }))
        yield* door.revise({ slug, change: { name: "Found", description: "d" } })
        const found = Option.getOrThrow(yield* door.find(slug))
        assert.strictEqual(found.name, "Found")
        assert.strictEqual(found.description, "d")
        assert.strictEqual(found.status, "active")
        assert.strictEqual(found.designatedVersion, 1)
        assert.strictEqual(found.latestVersion, 3)
        assert.deepStrictEqual([...found.labels], [["staging", 2]])
        const numbers = found.versions.map(({ version }) => version)
        assert.deepStrictEqual(numbers.toSorted(), [1, 2, 3])
        assert.strictEqual(found.workspaceId, yield* door.workspaceId)
        const listed = yield* door.list({ text: slug, label: "staging", status: "active" })
        assert.deepStrictEqual(
          listed.map((each) => each.slug),
          [slug]
        )
        yield* door.revise({ slug, change: { status: "disabled" } })
        const disabled = Option.getOrThrow(yield* door.find(slug))
        assert.strictEqual(disabled.status, "disabled")
        assert.deepStrictEqual(
          disabled.versions.map(({ format, version }) => [version, format]).toSorted(),
          [
            [1, "chatCompletions"],
            [2, "responses"],
            [3, "responses"]
          ]
        )
      }))

    test("tells what was, and has some of it go for good", (door) =>
      Effect.gen(function* () {
        const slug = `kept-${name}`
        yield* door.add(addition(slug, { comment: "born" }))
        yield* door.add(addition(slug, { stage: true }))
        yield* door.moveLabel({ slug, label: "staging", version: 2 })
        yield* door.designate({ slug, version: 2 })
        yield* door.removeLabel({ slug, label: "staging" })
        const places = (of: { readonly label: string | null }) =>
          Effect.map(door.moves({ slug, ...of }), (moves) =>
            moves.map(({ from, to }) => [from, to])
          )
        assert.deepStrictEqual(yield* places({ label: null }), [
          [null, 1],
          [1, 2]
        ])
        assert.deepStrictEqual(yield* places({ label: "staging" }), [
          [null, 2],
          [2, null]
        ])
        const [designated] = yield* door.moves({ slug, label: null })
        const first = DateTime.makeUnsafe(designated?.at ?? "")
        const resolve = (at?: DateTime.Utc) =>
          reasonOf(door.resolve({ reference: slug, request: {}, format: undefined, at }))
        assert.strictEqual(yield* resolve(first), "done")
        assert.strictEqual(yield* resolve(DateTime.subtractDuration(first, "1 second")), "NotFound")
        const pointed = door.erase({ slug, version: 2 })
        assert.strictEqual(yield* reasonOf(pointed), "Refused")
        yield* door.erase({ slug, version: 1 })
        const [born, other, ...more] = yield* door.versions(slug)
        assert.deepInclude(born, { version: 1, comment: "born" })
        assert.isString(born?.erasedAt)
        assert.deepInclude(other, { version: 2, comment: null, erasedAt: null })
        assert.deepStrictEqual([more, born?.at], [[], designated?.at])
        assert.strictEqual(yield* resolve(first), "Refused")
        assert.strictEqual(yield* reasonOf(door.remove(slug)), "Refused")
        yield* door.revise({ slug, change: { status: "archived" } })
        yield* door.remove(slug)
        assert.isTrue(Option.isNone(yield* door.find(slug)))
        const gone = [door.remove(slug), door.versions(slug), door.moves({ slug, label: null })]
        for (const each of gone) assert.strictEqual(yield* reasonOf(each), "NotFound")
      }))

    test("compares, resolves, and says what is not there", (door) =>
      Effect.gen(function* () {
        const slug = `seen-${name}`
        yield* door.add(addition(slug))
        yield* door.add(addition(slug, { content: content('{"model": "b"}') }))
        const compared = yield* door.diff({ slug, point: 1 }, { slug, point: "designated" })
        assert.deepStrictEqual(compared.config, [
          { path: "/model", kind: "changed", from: "a", to: "b" }
        ])
        const request = config('{"input": "hi", "seed": 9007199254740993}')
        const { leftOut, request: meant } = yield* door.resolve({
          reference: `${slug}@1`,
          request,
          format: undefined
        })
        assert.deepStrictEqual(leftOut, [])
        assert.deepStrictEqual(Object.keys(meant).toSorted(), ["input", "model", "seed"])
        assert.include(JSON.stringify(meant), "9007199254740993")
        const absent = [
          door.version({ slug, point: 9 }),
          door.version({ slug, point: "nowhere" }),
          door.version({ slug: "nobody", point: "latest" }),
          door.diff({ slug, point: 1 }, { slug, point: 9 }),
          door.designate({ slug, version: 9 }),
          door.resolve({ reference: "nobody", request: {}, format: undefined })
        ]
        for (const each of absent) assert.strictEqual(yield* reasonOf(each), "NotFound")
        const refused = [
          door.add(addition("a/b")),
          door.add(addition(slug, { content: content('{"temperature": "hot"}') })),
          door.moveLabel({ slug, label: "production", version: 1 })
        ]
        for (const each of refused) assert.strictEqual(yield* reasonOf(each), "Refused")
      }))
  })
}
