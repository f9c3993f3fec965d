/** Labels that are moved in an open transaction of a host, on Postgres. */
import { assert, describe, it } from "@effect/vitest"
import { type Inside, open, type Refused, Unavailable, type Verbatim } from "@verbatim/embed"
import pg from "pg"
import { onTestFinished } from "vitest"
import { newDatabase } from "./NewDatabase.ts"
import { measuring, rejection } from "./Opened.ts"

const workspace = "acme"

const start = async () => {
  const pool = new pg.Pool({ connectionString: await newDatabase("embed_label_transactions") })
  pool.on("error", () => undefined)
  const verbatim = await open({
    database: pool,
    media: "/tmp/verbatim-label-transactions",
    transcribe: measuring
  })
  const client = await pool.connect()
  onTestFinished(async () => {
    client.release()
    await verbatim.close()
    await pool.end()
  })
  for (const slug of ["notes", "other"])
    await verbatim.presets.create({ workspace, slug, body: {} })
  return { verbatim, client }
}

/** Whether the preset is in service, and where its label points. */
const seen = async ({ presets }: Verbatim) => {
  const { status } = await presets.get({ workspace, slug: "notes" })
  const [label] = await presets.labels({ workspace, slug: "notes" })
  return [status, label?.version, label?.isProtected]
}

describe("a label that was moved in an open transaction", () => {
  it("lets others move labels of other presets, and nobody protect one until the end", async () => {
    const { client, verbatim } = await start()
    const move = { workspace, label: "production", version: 1 }
    const protect = () => verbatim.presets.protectLabel({ workspace, label: "production" })
    await client.query("BEGIN")
    await verbatim.within(client).presets.moveLabel({ ...move, slug: "notes" })
    const { label } = await verbatim.presets.moveLabel({ ...move, slug: "other" })
    assert.strictEqual(label, "production")
    let isOver = false
    const protecting = protect().then(() => assert.isTrue(isOver))
    await verbatim.presets.get({ workspace, slug: "notes" })
    isOver = true
    await client.query("COMMIT")
    await protecting
    const labels = await verbatim.presets.labels({ workspace, slug: "notes" })
    assert.deepStrictEqual(
      labels.map(({ isProtected, label }) => [label, isProtected]),
      [["production", true]]
    )
  })

  for (const level of ["REPEATABLE READ", "SERIALIZABLE"]) {
    const kinds = {
      "moves it": (inside: Inside) =>
        inside.presets.moveLabel({ workspace, slug: "notes", label: "production", version: 2 }),
      "removes it": (inside: Inside) =>
        inside.presets.removeLabel({ workspace, slug: "notes", label: "production" }),
      "archives its preset": (inside: Inside) =>
        inside.presets.change({ workspace, slug: "notes", status: "archived" })
    }
    for (const [kind, act] of Object.entries(kinds)) {
      it(`is not one that ${kind}, at ${level}, as it was before it was protected`, async () => {
        const { client, verbatim } = await start()
        const notes = { workspace, slug: "notes" }
        await verbatim.presets.create({ ...notes, body: {}, stage: true })
        await verbatim.presets.moveLabel({ ...notes, label: "production", version: 1 })
        await client.query(`BEGIN ISOLATION LEVEL ${level}`)
        await client.query("SELECT count(*) FROM presets")
        await verbatim.presets.protectLabel({ workspace, label: "production" })
        const refusal = await rejection(act(verbatim.within(client)))
        assert.instanceOf(refusal, Unavailable)
        await client.query("ROLLBACK")
        assert.deepStrictEqual(await seen(verbatim), ["active", 1, true])
        // Who repeats it sees why.
        await client.query(`BEGIN ISOLATION LEVEL ${level}`)
        const told = await rejection(act(verbatim.within(client)))
        assert.strictEqual((told as Refused).code, "LabelProtected")
        await client.query("ROLLBACK")
        await verbatim.presets.unprotectLabel({ workspace, label: "production" })
        await client.query(`BEGIN ISOLATION LEVEL ${level}`)
        await act(verbatim.within(client))
        await client.query("COMMIT")
        assert.notDeepEqual(await seen(verbatim), ["active", 1, false])
        assert.deepStrictEqual(await verbatim.presets.protectedLabels({ workspace }), [])
      })
    }
  }
})
