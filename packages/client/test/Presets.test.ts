import { createClient } from "@verbatim/client"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { keys, type Server, startServer } from "./Server.ts"

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const presetsOf = () => createClient({ baseURL: server.baseURL, key: keys.management }).presets

describe("a preset", () => {
  it("is changed by conditional writes only if the caller read the current version", async () => {
    const presets = presetsOf()
    const { designated_version_id: ifMatch } = await presets.createFromResponses("tags", {})
    await presets.createFromResponses("tags", {}, { ifMatch })
    for (const writing of [
      presets.createFromResponses("tags", {}, { ifMatch }),
      presets.designate("tags", { version: 1 }, { ifMatch }),
      presets.revise("tags", { name: "Other" }, { ifMatch })
    ]) {
      const error = await writing.catch((cause) => cause)
      assert.deepInclude(error, { kind: "refused", status: 409 })
    }
    assert.strictEqual((await presets.revise("tags", { name: "Tags" })).name, "Tags")
  })
})

describe("lists of presets", () => {
  it("can be read across all pages", async () => {
    const presets = presetsOf()
    for (const slug of ["one", "two", "three"]) await presets.createFromResponses(slug, {})
    for (const _ of [2, 3]) await presets.createFromResponses("one", {})
    const slugs: Array<string> = []
    for await (const { slug } of presets.list({ limit: 2, status: "active" })) slugs.push(slug)
    const { data, total_count } = await presets.list({ limit: 100 })
    assert.strictEqual(slugs.length, total_count)
    assert.deepStrictEqual(
      slugs,
      data.map(({ slug }) => slug)
    )
    const versions: Array<number> = []
    for await (const { version } of presets.versions("one", { limit: 2 })) versions.push(version)
    assert.deepStrictEqual(versions, [1, 2, 3])
    for await (const { slug } of presets.list({ status: "archived" })) assert.fail(slug)
  })
})
