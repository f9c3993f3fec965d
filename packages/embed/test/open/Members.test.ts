/** Tests calls on behalf of the host's workspaces and users, with the permissions of each. */
import { assert, describe, it } from "@effect/vitest"
import { InvalidOptions, type Member } from "@verbatim/embed"
import { newStore, openFor, refusal, transcribed } from "./Opened.ts"

describe("as", () => {
  it("separates the presets and jobs of workspaces", async () => {
    const verbatim = await openFor()
    const [acme, other] = [verbatim.as({ workspace: "acme" }), verbatim.as({ workspace: "other" })]
    const { id } = await transcribed(acme)
    await acme.presets.createFromResponses("notes", {})
    for (const { presets, transcriptions } of [other, verbatim]) {
      await refusal(404, transcriptions.get(id))
      await refusal(404, transcriptions.result(id, "srt"))
      await refusal(404, presets.get("notes"))
    }
    assert.strictEqual((await acme.transcriptions.get(id)).id, id)
  })

  it("accepts the host's name for a workspace, or its id", async () => {
    const verbatim = await openFor()
    await verbatim.as({ workspace: "acme" }).presets.createFromResponses("notes", {})
    const { external_id, id } = await verbatim.workspaces.ensure("acme")
    assert.strictEqual(external_id, "acme")
    const byId = verbatim.as({ workspace: { id } })
    assert.strictEqual((await byId.presets.get("notes")).workspace_id, id)
  })

  it("creates a workspace and a user only once, even for concurrent calls", async () => {
    const verbatim = await openFor({ initialMinutes: 5 })
    const ana = () => verbatim.as({ workspace: "acme", user: "ana" })
    const slugs = Array.from({ length: 20 }, (_, number) => `notes-${number}`)
    const made = await Promise.all(slugs.map((slug) => ana().presets.createFromResponses(slug, {})))
    assert.strictEqual(new Set(made.map(({ workspace_id }) => workspace_id)).size, 1)
    const [creator, ...others] = new Set(made.map(({ creator_user_id }) => creator_user_id))
    assert.isEmpty(others)
    const { creator_user_id } = await verbatim
      .as({ workspace: "acme", user: "ben" })
      .presets.createFromResponses("theirs", {})
    assert.notStrictEqual(creator_user_id, creator)
    // The workspace got its initial minutes only once.
    const { data } = await ana().usage.ledger()
    assert.deepStrictEqual(
      data.map(({ minutes }) => minutes),
      ["5.00"]
    )
  })

  it("distinguishes users with similar names", async () => {
    const verbatim = await openFor()
    const creators = new Set<string | null>()
    for (const user of ["ana", "Ana", "", " ana", "__proto__"]) {
      const { presets } = verbatim.as({ workspace: "acme", user })
      const made = await presets.createFromResponses(`notes-${creators.size}`, {})
      creators.add(made.creator_user_id)
    }
    assert.strictEqual(creators.size, 5)
  })

  it("limits callers to the permissions of their kind and their scopes", async () => {
    const verbatim = await openFor()
    const acme = (more: Partial<Member>) => verbatim.as({ workspace: "acme", ...more })
    const create = ({ presets }: ReturnType<typeof acme>) =>
      presets.createFromResponses("notes", {})
    await create(acme({}))
    await refusal(403, create(acme({ kind: "inference" })))
    await acme({ kind: "inference" }).presets.get("notes")
    const reader = acme({ scopes: ["presets:read"] })
    await reader.presets.get("notes")
    await refusal(403, create(reader))
    await refusal(403, reader.transcriptions.list())
    await create(acme({ scopes: ["presets:write"] }))
  })

  it("acts as an operator only if it names neither a workspace nor a user", async () => {
    const verbatim = await openFor({ initialMinutes: 1 })
    const { id } = await verbatim.workspaces.ensure("acme")
    const creditId = "5f9a3b1e-6c0d-4e8f-9a7b-2c1d0e3f4a5b"
    for (const _ of [1, 2])
      await verbatim.workspaces.credit(id, { minutes: 4, credit_id: creditId })
    const { balance_minutes } = await verbatim.workspaces.get(id)
    const acme = verbatim.as({ workspace: "acme" })
    await refusal(403, acme.workspaces.get(id))
    assert.strictEqual(balance_minutes, "4.00")
    const { token } = await verbatim.workspaces.keys.issue(id, { kind: "inference" })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await verbatim.fetch(new Request("http://app.test/v1/presets", { headers }))
    assert.strictEqual(answer.status, 200)
  })

  it.each<[given: unknown, sentence: RegExp]>([
    [undefined, /^as: must be an object/],
    [{ workspce: "acme" }, /^as: There is no option "workspce" \(did you mean "workspace"\?\)/],
    [{ workspace: 5 }, /"workspace": must be a name of 1 to 255 characters/],
    [{ user: 5 }, /"user": must be text/],
    [{ kind: "admin" }, /"kind": must be "management" or "inference"/],
    [{ scopes: ["presets:all"] }, /"scopes": must be a list of scopes/],
    [{ kind: "inference", scopes: ["presets:write"] }, /presets:write needs the kind management/]
  ])("refuses an invalid caller: %j", async (given, sentence) => {
    const verbatim = await openFor()
    assert.throws(() => Reflect.apply(verbatim.as, undefined, [given]), InvalidOptions, sentence)
  })

  it("rejects names that a database could confuse", async () => {
    const { as } = await openFor()
    const wrong: ReadonlyArray<Member> = [
      ...["", "a\0b", "a\ud800", "x".repeat(256)].map((workspace) => ({ workspace })),
      ...["\ud800", "\0"].map((user) => ({ user }))
    ]
    for (const member of wrong) assert.throws(() => as(member), InvalidOptions, /must be /)
  })
})

describe("a host's workspace", () => {
  it("is created again after another process has deleted it", async () => {
    const store = newStore()
    const [one, other] = [await openFor(store), await openFor(store)]
    const acme = one.as({ workspace: "acme" })
    await acme.presets.createFromResponses("notes", {})
    const { id } = await one.workspaces.ensure("acme")
    await other.workspaces.remove(id)
    assert.strictEqual((await acme.presets.list()).total_count, 0)
    const made = await acme.presets.createFromResponses("notes", {})
    assert.notStrictEqual(made.workspace_id, id)
    assert.strictEqual((await one.workspaces.ensure("acme")).id, made.workspace_id)
  })
})
