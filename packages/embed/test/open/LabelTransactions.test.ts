/** Labels that are moved in an open transaction of a host, on Postgres. */
import { assert, describe, it } from "@effect/vitest"
import { open } from "@verbatim/embed"
import pg from "pg"
import { onTestFinished } from "vitest"
import { newDatabase } from "./NewDatabase.ts"
import { measuring } from "./Opened.ts"

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
})
