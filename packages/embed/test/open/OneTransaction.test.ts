/** Tests that calls on several connection objects of one transaction run one after another. */
import { assert, describe, it } from "@effect/vitest"
import type pg from "pg"
import { onTestFinished } from "vitest"
import { newFolder, newPool, openFor } from "./Opened.ts"

/** Creates another connection object for the same session. */
const wrap = (client: pg.PoolClient) => ({
  query: (text: string, values: Array<unknown>) => client.query(text, values)
})

describe("two connection objects of one transaction", () => {
  it("keep the changes of successful calls, and discard those of failed calls", async () => {
    const pool = await newPool("embed_one_transaction")
    const options = { database: pool, media: newFolder() }
    const [verbatim, other] = [await openFor(options), await openFor(options)]
    const acme = verbatim.as({ workspace: "acme" })
    await acme.presets.list()
    const client = await pool.connect()
    onTestFinished(() => client.release())
    await client.query("BEGIN")
    const calls = Array.from({ length: 24 }, (_, number) => {
      const { presets } = (number % 2 === 0 ? acme : other.as({ workspace: "acme" })).within(
        wrap(client)
      )
      const slug = `notes-${number}`
      // Every third call fails after its first write, because its precondition is false.
      const condition = number % 3 === 0 ? { ifMatch: "018f4d6e-8f2a-7c3b-9d1e-2f3a4b5c6d7e" } : {}
      return presets.createFromResponses(slug, {}, condition).then(
        () => slug,
        () => undefined
      )
    })
    const stored = (await Promise.all(calls)).filter((slug) => slug !== undefined)
    await client.query("COMMIT")
    assert.lengthOf(stored, 16)
    const { data } = await acme.presets.list({ limit: 100 })
    assert.sameMembers(
      data.map(({ slug }) => slug),
      stored
    )
  })
})
