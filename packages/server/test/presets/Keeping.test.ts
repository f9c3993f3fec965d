/**
 * Tests the output and the exit status of those `verbatim presets` commands that show history or
 * remove presets.
 */
import { createClient } from "@verbatim/client"
import { assert, describe, it } from "vitest"
import { operateInProcess } from "../operateInProcess.ts"
import { useKeyedServer } from "./keyedServer.ts"

const { root, started, ways } = await useKeyedServer()

/** Replaces timestamps and users, which differ between runs. */
const steady = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>").replace(/user_[0-9a-f-]+/g, "<user>")

/** Creates the client of a workspace's member, which creates the data that the commands show. */
const connect = async () => {
  const { keys, server } = await started
  return createClient({ baseURL: server.address, key: keys.management })
}

const makeVersions = async (slug: string) => {
  const { presets } = await connect()
  for (const [place, comment] of ["born", 'with a "secret"', undefined].entries()) {
    await presets.createFromResponses(slug, { model: `model-${place + 1}` }, { comment })
  }
}

describe.each(Object.entries(ways))("presets managed by commands (%s)", (way, settingsOf) => {
  const run = async (...args: ReadonlyArray<string>) => {
    const answer = await operateInProcess(
      root,
      ["presets", ...args],
      await settingsOf("management")
    )
    return { output: steady(answer.stdout), status: answer.status, stderr: answer.stderr.trim() }
  }
  const slug = `kept-${way.toLowerCase()}`

  it("show their versions and their history", async () => {
    await makeVersions(slug)
    await run("label", slug, "staging", "3")
    await run("label", slug, "staging", "--remove")
    await run("label", slug, "canary", "3")
    const versions = await run("versions", slug)
    assert.deepStrictEqual(versions.output.replace(/ {2,}/g, " | ").split("\n"), [
      "VERSION | POINTERS | CREATED | BY | COMMENT",
      "1 | <time> | <user> | born",
      '2 | <time> | <user> | with a "secret"',
      "3 | designated, canary | <time> | <user>",
      ""
    ])
    const [first = ""] = (await run("versions", slug, "--json")).output.split("\n")
    assert.deepInclude(JSON.parse(first), { version: 1, comment: "born", pointers: [] })
    assert.deepStrictEqual((await run("history", slug)).output.split("\n"), [
      "<time>  nothing → 1  by <user>",
      "<time>  1 → 2  by <user>",
      "<time>  2 → 3  by <user>",
      ""
    ])
    assert.deepStrictEqual((await run("history", slug, "--label", "staging")).output.split("\n"), [
      "<time>  nothing → 3  by <user>",
      "<time>  3 → nothing  by <user>",
      ""
    ])
    const [, moved = ""] = (await run("history", slug, "--json")).output.split("\n")
    assert.deepInclude(JSON.parse(moved), { from: 1, to: 2 })
    assert.include((await run("history", "nobody")).stderr, "There is no preset nobody.")
  })

  it("lose the content of erased versions, and can be removed once archived", async () => {
    const gone = `${slug}-gone`
    await makeVersions(gone)
    const held = await run("erase", gone, "3")
    assert.strictEqual(held.status, 1)
    const erased = await run("erase", gone, "2")
    assert.deepStrictEqual(
      [erased.status, erased.output],
      [0, `${gone}: the content of version 2 is erased.\n`]
    )
    const listed = await run("versions", gone)
    assert.match(listed.output, /^2 +<time> +<user> +<time> +with a/m)
    assert.strictEqual((await run("remove", gone)).status, 1)
    assert.include((await run("erase", gone, "0")).stderr, "a version number")
    const { presets } = await connect()
    await presets.revise(gone, { status: "archived" })
    const removed = await run("remove", gone)
    assert.deepStrictEqual(
      [removed.status, removed.output],
      [0, `Removed ${gone}. Its name is free again.\n`]
    )
    assert.include((await run("versions", gone)).stderr, `There is no preset ${gone}.`)
  })

  it("can be resolved with the versions that were designated at an earlier time", async () => {
    const early = await run("resolve", slug, "--at", "2020-01-02T03:04:05Z")
    assert.deepStrictEqual([early.status, early.output], [1, ""])
    const late = await run("resolve", slug, "--at", "2099-01-02T03:04:05Z")
    assert.deepStrictEqual(JSON.parse(late.output), { model: "model-3" })
    assert.include((await run("resolve", slug, "--at", "soon")).stderr, "a timestamp such as")
  })

  it("report fields that a request's format cannot express", async () => {
    const { presets } = await connect()
    const body = { messages: [], model: "one", logit_bias: { "5": 1 } }
    await presets.createFromChatCompletions(`${slug}-chat`, body)
    const resolved = await run("resolve", `${slug}-chat`, "--format", "responses")
    assert.deepStrictEqual(JSON.parse(resolved.output), { model: "one" })
    assert.match(resolved.stderr, /^logit_bias is left out: ./)
  })
})
