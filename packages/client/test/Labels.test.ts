/** Labels, staged versions, and what goes of presets, by name. */
import { createClient } from "@verbatim/client"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { keys, type Server, startServer } from "./Server.ts"

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const presetsOf = () => createClient({ baseUrl: server.baseUrl, key: keys.management }).presets

const refusalOf = (calling: Promise<unknown>) =>
  calling.then(
    () => "none",
    ({ message, status }) => `${status} ${message}`
  )

describe("a label", () => {
  it("is moved while it points to what the caller has seen, and told of", async () => {
    const presets = presetsOf()
    await presets.createFromResponses("team", { model: "one" })
    await presets.createFromResponses("team", { model: "two" })
    const first = await presets.labels.move("team", "production", { version: 1 })
    assert.deepStrictEqual([first.label, first.version], ["production", 1])
    const ifMatch = first.version_id
    await presets.labels.move("team", "production", { version: "latest" }, { ifMatch })
    const again = presets.labels.move("team", "production", { version: 1 }, { ifMatch })
    assert.strictEqual(await refusalOf(again), "409 The label has moved")
    const [only, ...others] = await presets.labels.list("team")
    assert.deepStrictEqual(only, await presets.labels.get("team", "production"))
    assert.deepStrictEqual([only?.version, only?.is_protected, others], [2, false, []])
    assert.strictEqual((await presets.pin("team", { label: "production" })).version, 2)
    await presets.labels.remove("team", "production", { ifMatch: only?.version_id })
    assert.strictEqual(
      await refusalOf(presets.labels.get("team", "production")),
      "404 Label not found"
    )
    const gone = presets.labels.remove("team", "production")
    assert.strictEqual(await refusalOf(gone), "404 Label not found")
    const moves: Array<number | null> = []
    for await (const { to } of presets.labels.moves("team", "production", { limit: 2 })) {
      moves.push(to)
    }
    assert.deepStrictEqual(moves, [1, 2, null])
    assert.strictEqual((await presets.labels.moves("team", "production")).total_count, 3)
  })
})

describe("a protected label", () => {
  it("is moved by keys with its scope alone", async () => {
    const operator = createClient({ baseUrl: server.baseUrl, key: keys.operator })
    const { data: account } = await operator.GET("/workspaces")
    const id = account?.data[0]?.id ?? ""
    const { data } = await operator.POST("/workspaces/{id}/keys", {
      params: { path: { id } },
      body: { kind: "management", scopes: ["presets:read", "presets:write", "labels:gated"] }
    })
    const gatekeeper = createClient({ baseUrl: server.baseUrl, key: data?.data.token ?? "" })
    const presets = presetsOf()
    await presets.createFromResponses("guarded", {})
    await gatekeeper.presets.labels.protect("gated")
    const [only, ...others] = await presets.labels.listProtected()
    assert.deepStrictEqual([only?.label, others], ["gated", []])
    const move = ["gated", { version: 1 }] as const
    assert.match(await refusalOf(presets.labels.move("guarded", ...move)), /^403 /)
    await gatekeeper.presets.labels.move("guarded", ...move)
    await gatekeeper.presets.labels.unprotect("gated")
    assert.deepStrictEqual(await presets.labels.listProtected(), [])
    await presets.labels.remove("guarded", "gated")
  })
})

describe("a preset", () => {
  it("is made once, tried, named in requests, and has a history", async () => {
    const presets = presetsOf()
    const absent = { ifNoneMatch: "*" }
    await presets.createFromResponses("tried", { model: "one" }, absent)
    const again = presets.createFromResponses("tried", { model: "two" }, absent)
    assert.strictEqual(await refusalOf(again), "409 Preset already exists")
    const { changes, version } = await presets.preview({ model: "two" }, { slug: "tried" })
    assert.deepStrictEqual([version, changes?.config.length], [2, 1])
    await presets.createFromResponses("tried", { model: "two" })
    const named = await presets.resolveNamed({ preset: "tried@1", input: "Hi" })
    assert.deepStrictEqual(named.request, { model: "one", input: "Hi" })
    const latest = await presets.resolveNamed({ model: "@preset/tried" })
    assert.deepStrictEqual(latest.request, { model: "two" })
    const moves: Array<number> = []
    for await (const { to } of presets.designations("tried", { limit: 1 })) moves.push(to)
    assert.deepStrictEqual(moves, [1, 2])
    const early = presets.resolveNamed({ preset: "tried" }, { at: new Date(0) })
    assert.match(await refusalOf(early), /^404 /)
  })
})

describe("a version", () => {
  it("is staged with a comment, compared, and designated later", async () => {
    const presets = presetsOf()
    const born = await presets.createFromMessages("staged", { messages: [] }, { stage: true })
    assert.notProperty(born, "staged_version")
    const options = { stage: true, comment: "Warmer" }
    const made = await presets.createFromResponses("staged", { temperature: 1 }, options)
    const { designated_version, staged_version } = made
    assert.strictEqual(designated_version?.version, 1)
    assert.deepInclude(staged_version, { version: 2, comment: "Warmer" })
    const { config } = await presets.diff("staged", { from: "designated", to: "latest" })
    assert.deepStrictEqual(config, [{ path: "/temperature", kind: "added", to: 1 }])
    const now = await presets.designate("staged", {
      version: staged_version?.version ?? 0
    })
    assert.deepStrictEqual(now.designated_version, staged_version)
    const across = await presets.diff("staged", { from: 1, to: 1, slug: "staged" })
    assert.deepStrictEqual(across.config, [])
  })

  it("loses its content, and a preset all that it has", async () => {
    const presets = presetsOf()
    await presets.createFromChatCompletions("gone", { messages: [] })
    await presets.createFromResponses("gone", { model: "two" })
    const { erased_at, version } = await presets.erase("gone", 1)
    assert.deepStrictEqual([version, typeof erased_at], [1, "string"])
    await presets.revise("gone", { status: "archived" })
    await presets.remove("gone")
    assert.strictEqual(await refusalOf(presets.get("gone")), "404 Preset not found")
    assert.strictEqual(await refusalOf(presets.remove("gone")), "404 Preset not found")
  })
})

describe("presets", () => {
  it("are found by label and text", async () => {
    const presets = presetsOf()
    for (const slug of ["find-a", "find-b"]) await presets.createFromResponses(slug, {})
    await presets.labels.move("find-a", "found", { version: "designated" })
    const { data } = await presets.list({ text: "FIND", label: "found", status: "active" })
    assert.deepStrictEqual(
      data.map(({ slug }) => slug),
      ["find-a"]
    )
    assert.strictEqual((await presets.list({ text: "find-" })).total_count, 2)
  })
})
