/** What a host does with presets: made, staged, labelled, resolved, erased and removed. */
import { assert, describe, it } from "@effect/vitest"
import { InvalidInput, NotFound, Refused } from "@verbatim/embed"
import { openFor, rejection } from "./Opened.ts"

const slug = "notes"

/** Changes everything in a value that can be changed. */
const spoil = (value: unknown): void => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return
  for (const each of Object.values(value)) spoil(each)
  if (Array.isArray(value)) value.push("spoilt")
  else Reflect.set(value, "spoilt", true)
}

describe("presets of a host", () => {
  it("are resolved in the format of the request, by every reference", async () => {
    const { presets } = await openFor()
    const body = { instructions: "Be brief.", model: "one", max_output_tokens: 5 }
    const first = await presets.create({ slug, body })
    await presets.create({ slug, body: { model: "two" } })
    await presets.moveLabel({ slug, label: "production", version: 1 })
    const request = { messages: [{ role: "user", content: "Hi" }], stream: true }
    const resolution = await presets.resolve({ preset: `${slug}@production`, request })
    assert.deepStrictEqual(resolution.request, {
      model: "one",
      max_completion_tokens: 5,
      messages: [{ role: "system", content: "Be brief." }, ...request.messages],
      stream: true
    })
    assert.deepStrictEqual(resolution.preset, {
      slug,
      version: 1,
      versionId: first.designated.id,
      label: "production"
    })
    assert.deepStrictEqual(resolution.systemPrompt, { from: "preset", version: 1 })
    const asMessages = await presets.resolve({ preset: slug, request: {}, format: "messages" })
    assert.deepStrictEqual(asMessages.request, { model: "two" })
    const pin = await presets.pin({ preset: `${slug}@1` })
    assert.deepInclude(pin, { format: "responses", systemPrompt: "Be brief.", version: 1 })
    assert.instanceOf(await rejection(presets.pin({ preset: `${slug}@staging` })), NotFound)
    assert.instanceOf(await rejection(presets.pin({ preset: "a b" })), InvalidInput)
  })

  it("get a version from another one, and win over requests where they name fields", async () => {
    const { presets } = await openFor()
    await presets.create({
      slug,
      body: { model: "one", top_k: 1 },
      wins: ["model"],
      comment: "Born"
    })
    const parts = { slug, set: { temperature: 0.5 }, unset: ["top_k"], systemPrompt: "Sing." }
    const made = await presets.createFromVersion({ ...parts, idempotencyKey: "order-1" })
    assert.deepInclude(made.designated, {
      ...{ version: 2, format: "responses", systemPrompt: "Sing.", wins: ["model"], comment: null },
      config: { model: "one", temperature: 0.5 }
    })
    const again = await presets.createFromVersion({ ...parts, idempotencyKey: "order-1" })
    assert.deepStrictEqual(again.designated, made.designated)
    const { designated, notKept, staged } = await presets.createFromVersion({
      ...{ slug, from: 1, stage: true, wins: [], set: { stream: true } },
      ifDesignated: made.designated.id
    })
    assert.deepStrictEqual([designated.version, notKept], [2, ["stream"]])
    assert.deepInclude(staged, { version: 3, config: { model: "one", top_k: 1 }, wins: [] })
    const { fields, request } = await presets.resolve({ preset: slug, request: { model: "other" } })
    assert.deepStrictEqual(request, { model: "one", temperature: 0.5, instructions: "Sing." })
    assert.deepStrictEqual(fields.model, { from: "preset", version: 2 })
    assert.deepStrictEqual((await presets.pin({ preset: slug })).wins, ["model"])
    const { wins } = await presets.diff({ slug, from: 2, to: 3 })
    assert.deepStrictEqual(wins, { from: ["model"], to: [] })
    const absent = presets.createFromVersion({ slug, unset: ["top_p"] })
    assert.instanceOf(await rejection(absent), InvalidInput)
  })

  it("fill their variables with the values of a request", async () => {
    const { presets } = await openFor()
    const body = { instructions: "Greet {{name}}." }
    await presets.create({ slug: "greeting", body })
    const version = await presets.version({ slug: "greeting", version: 1 })
    assert.deepStrictEqual(version.variables, ["name"])
    assert.deepStrictEqual((await presets.pin({ preset: "greeting" })).variables, ["name"])
    const wanted = { preset: "greeting", request: { variables: { name: "Ann" } } }
    const { leftOut, request } = await presets.resolve(wanted)
    assert.deepStrictEqual([request, leftOut], [{ instructions: "Greet Ann." }, []])
    const refused = await rejection(presets.resolve({ ...wanted, request: {} }))
    assert.instanceOf(refused, InvalidInput)
    assert.include(refused.message, "variables: must have a text for name")
    const preview = await presets.preview({ body: { ...body, variables: { name: "Bo" } } })
    assert.deepInclude(preview, { variables: ["name"], filledPrompt: "Greet Bo." })
  })

  it("stay as they are, whatever a host does with what it gave and was given", async () => {
    const { presets } = await openFor()
    const body = {
      model: "one",
      truncation: "auto",
      tools: [{ type: "function", name: "look", parameters: { required: ["a"] } }],
      provider: { order: ["a"] }
    }
    const kept = structuredClone(body)
    const created = await presets.create({ slug, body })
    await presets.create({ slug, body: { ...kept, model: "two" }, stage: true })
    const request = { tools: [{ type: "function", name: "read" }], input: "Hi" }
    const asChat = () => presets.resolve({ preset: slug, request: { messages: [] } })
    const inChat = structuredClone(await asChat())
    const given = [
      body,
      created,
      await presets.get({ slug }),
      await presets.version({ slug, version: 1 }),
      await presets.versions({ slug }),
      await presets.pin({ preset: slug }),
      await presets.resolve({ preset: slug, request: { input: "Hi" } }),
      await presets.resolve({ preset: slug, request }),
      await asChat(),
      await presets.diff({ slug, from: 1, to: 2 })
    ]
    for (const each of given) spoil(each)
    const { config } = await presets.pin({ preset: slug })
    assert.deepStrictEqual(config, kept)
    const resolved = await presets.resolve({ preset: slug, request: { input: "Hi" } })
    assert.deepStrictEqual(resolved.request, { ...kept, input: "Hi" })
    assert.deepStrictEqual(await asChat(), inChat)
    assert.notStrictEqual(inChat.leftOut.length, 0)
    const { items } = await presets.versions({ slug })
    assert.deepStrictEqual(
      items.map((item) => item.config),
      [kept, { ...kept, model: "two" }]
    )
  })

  it("take no version while they are archived, under a key or without one", async () => {
    const { presets } = await openFor()
    await presets.create({ slug, body: {} })
    await presets.change({ slug, status: "archived" })
    for (const more of [{}, { idempotencyKey: "once" }, { stage: true }]) {
      const fault = await rejection(presets.create({ slug, body: {}, ...more }))
      assert.instanceOf(fault, Refused)
      assert.deepInclude(fault, { code: "PresetInactive", message: "The preset notes is archived" })
    }
  })

  it("are staged, compared and tried before anybody uses them", async () => {
    const { presets } = await openFor()
    await presets.create({ slug, body: { model: "one" } })
    const staged = await presets.create({
      slug,
      body: { model: "two" },
      stage: true,
      comment: "Cheaper."
    })
    assert.deepInclude(staged, { latestVersion: 2, designatedVersion: 1 })
    const { comment } = await presets.version({ slug, version: 2 })
    assert.strictEqual(comment, "Cheaper.")
    const { config } = await presets.diff({ slug, from: "designated", to: "latest" })
    assert.deepStrictEqual(config, [{ path: "/model", kind: "changed", from: "one", to: "two" }])
    const preview = await presets.preview({ slug, body: { model: "three" } })
    assert.deepInclude(preview, { version: 3, config: { model: "three" } })
    assert.strictEqual(preview.changes?.config[0]?.to, "three")
    const free = await presets.preview({ body: { model: "three" } })
    assert.deepInclude(free, { version: null, changes: null })
    assert.strictEqual((await presets.get({ slug })).latestVersion, 2)
    await presets.create({ slug, format: "chat", body: { messages: [], top_p: 1, model: "two" } })
    await presets.create({ slug, body: { model: "two", top_p: 1 } })
    const { config: order, format } = await presets.diff({ slug, from: 4, to: 3 })
    assert.deepStrictEqual(format, { from: "responses", to: "chat" })
    const [from, to] = [
      ["model", "top_p"],
      ["top_p", "model"]
    ]
    assert.deepStrictEqual(order, [{ path: "", kind: "changed", isOrder: true, from, to }])
  })

  it("have labels that are moved under a condition, with a history", async () => {
    const { presets } = await openFor()
    const { designated } = await presets.create({ slug, body: {} })
    await presets.create({ slug, body: {} })
    const label = "production"
    const move = (version: number, ifVersion: string | null) =>
      presets.moveLabel({ slug, label, version, ifVersion })
    const moved = await move(1, null)
    assert.deepInclude(moved, { label, version: 1, versionId: designated.id })
    assert.instanceOf(await rejection(move(2, null)), Refused)
    await move(2, designated.id)
    await presets.removeLabel({ slug, label })
    assert.deepStrictEqual(await presets.labels({ slug }), [])
    const { items, total } = await presets.labelMoves({ slug, label })
    assert.strictEqual(total, 3)
    assert.deepStrictEqual(
      items.map(({ from, to }) => [from, to]),
      [
        [null, 1],
        [1, 2],
        [2, null]
      ]
    )
  })

  it("have protected labels that only who has their scope moves", async () => {
    const { presets } = await openFor()
    await presets.create({ slug, body: {} })
    await presets.protectLabel({ label: "production" })
    const label = { slug, label: "production" }
    const write = { ...label, version: 1 }
    assert.instanceOf(await rejection(presets.moveLabel(write)), Refused)
    const other = { ...write, scopes: ["labels:staging", "presets:write"] }
    assert.instanceOf(await rejection(presets.moveLabel(other)), Refused)
    await presets.moveLabel({ ...write, scopes: ["labels:production"] })
    // Whoever has the scope of one label moves those that nobody protects as before.
    await presets.moveLabel({ ...write, label: "canary", scopes: ["labels:production"] })
    await presets.removeLabel({ ...label, label: "canary", scopes: [] })
    assert.deepInclude((await presets.labels({ slug }))[0], { version: 1, isProtected: true })
    assert.instanceOf(await rejection(presets.removeLabel(label)), Refused)
    assert.deepInclude((await presets.protectedLabels())[0], { label: "production", by: null })
    // Another workspace has labels of its own.
    assert.deepStrictEqual(await presets.protectedLabels({ workspace: "other" }), [])
    await presets.unprotectLabel({ label: "production" })
    await presets.removeLabel(label)
  })

  it("lose the content of a version, and go when they are archived", async () => {
    const { presets } = await openFor()
    await presets.create({ slug, body: { instructions: "sk-secret" } })
    assert.instanceOf(await rejection(presets.erase({ slug, version: 1 })), Refused)
    await presets.create({ slug, body: {} })
    const erased = await presets.erase({ slug, version: 1 })
    assert.deepInclude(erased, { version: 1, systemPrompt: null, config: {} })
    assert.instanceOf(erased.erased?.at, Date)
    assert.instanceOf(
      await rejection(presets.resolve({ preset: `${slug}@1`, request: {} })),
      Refused
    )
    assert.instanceOf(await rejection(presets.remove({ slug })), Refused)
    await presets.change({ slug, status: "archived" })
    await presets.remove({ slug })
    assert.instanceOf(await rejection(presets.get({ slug })), NotFound)
    const again = await presets.create({ slug, body: {} })
    assert.deepInclude(again, { latestVersion: 1, designatedVersion: 1 })
  })

  it("are listed by status, label and text", async () => {
    const { presets } = await openFor()
    for (const each of ["Alpha", "beta", "gamma"]) await presets.create({ slug: each, body: {} })
    await presets.moveLabel({ slug: "beta", label: "production", version: "latest" })
    const listed = async (wanted: Parameters<typeof presets.list>[0]) =>
      (await presets.list(wanted)).items.map((preset) => preset.slug)
    assert.deepStrictEqual(await listed({ label: "production" }), ["beta"])
    assert.deepStrictEqual(await listed({ text: "ALPHA" }), ["Alpha"])
    assert.deepStrictEqual(await listed({ text: "MM", limit: 1 }), ["gamma"])
    assert.deepStrictEqual(await listed({ text: "%" }), [])
  })
})
