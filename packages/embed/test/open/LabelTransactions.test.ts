/** Tests labels that are moved in the host's open transaction, on Postgres. */
import { assert, describe, it } from "@effect/vitest"
import type { Embedded } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { newFolder, newPool, openFor, refusal } from "./Opened.ts"

const start = async () => {
  const pool = await newPool("embed_label_transactions")
  const verbatim = await openFor({ database: pool, media: newFolder() })
  const client = await pool.connect()
  onTestFinished(() => client.release())
  const acme = verbatim.as({ workspace: "acme" })
  for (const slug of ["notes", "other"]) await acme.presets.createFromResponses(slug, {})
  // Only a key with the label's scope can protect the label, or move it while it is protected.
  const gatekeeper = verbatim.as({ workspace: "acme", scopes: ["labels:production"] })
  return { acme, client, protection: gatekeeper.presets.labels }
}

const label = "production"

/** Returns the preset's status, and the version and protection of its label. */
const seen = async ({ presets }: Embedded) => {
  const { status } = await presets.get("notes")
  const [moved] = await presets.labels.list("notes")
  return [status, moved?.version, moved?.is_protected]
}

const acts = {
  "moves it": ({ presets }: Embedded) => presets.labels.move("notes", label, { version: 2 }),
  "removes it": ({ presets }: Embedded) => presets.labels.remove("notes", label),
  "archives its preset": ({ presets }: Embedded) => presets.revise("notes", { status: "archived" })
}

describe("a label moved in an open transaction", () => {
  it("cannot be protected before the commit, and blocks no other preset's labels", async () => {
    const { acme, client, protection } = await start()
    await client.query("BEGIN")
    await acme.within(client).presets.labels.move("notes", label, { version: 1 })
    const other = await acme.presets.labels.move("other", label, { version: 1 })
    assert.strictEqual(other.label, label)
    let isCommitting = false
    const protecting = protection.protect(label).then(() => assert.isTrue(isCommitting))
    await acme.presets.get("notes")
    isCommitting = true
    await client.query("COMMIT")
    await protecting
    assert.deepStrictEqual(await seen(acme), ["active", 1, true])
  })

  for (const level of ["REPEATABLE READ", "SERIALIZABLE"]) {
    for (const [kind, act] of Object.entries(acts)) {
      it(`is refused at ${level} if it was protected after a snapshot: ${kind}`, async () => {
        const { acme, client, protection } = await start()
        await acme.presets.createFromResponses("notes", {}, { stage: true })
        await acme.presets.labels.move("notes", label, { version: 1 })
        await client.query(`BEGIN ISOLATION LEVEL ${level}`)
        await client.query("SELECT count(*) FROM verbatim_presets")
        await protection.protect(label)
        await refusal(409, act(acme.within(client)))
        await client.query("ROLLBACK")
        assert.deepStrictEqual(await seen(acme), ["active", 1, true])
        // The second move is refused for the same reason.
        await client.query(`BEGIN ISOLATION LEVEL ${level}`)
        const repeated = await refusal(403, act(acme.within(client)))
        assert.include(repeated.message, "the scope labels:production")
        await client.query("ROLLBACK")
        await protection.unprotect(label)
        await client.query(`BEGIN ISOLATION LEVEL ${level}`)
        await act(acme.within(client))
        await client.query("COMMIT")
        assert.notDeepEqual(await seen(acme), ["active", 1, false])
      })
    }
  }
})
