import { assert, describe, it } from "vitest"
import { operateInProcess } from "../operateInProcess.ts"
import { type KeyName, useKeyedServer } from "./keyedServer.ts"

const { root, ways } = await useKeyedServer()

/** Replaces timestamps and ids, which differ between runs. */
const steady = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "<id>")

for (const [way, settingsOf] of Object.entries(ways)) {
  const run = async (key: KeyName, ...args: ReadonlyArray<string>) => {
    const settings = await settingsOf(key)
    const { status, stderr, stdout } = await operateInProcess(root, ["presets", ...args], settings)
    return { status, output: steady(stdout + stderr) }
  }

  describe(`a protected label (${way})`, () => {
    it("shows the keys that can move it, and changes only with its scope", async () => {
      const label = `gate-${way.toLowerCase()}`
      const labels = async (key: KeyName, ...args: ReadonlyArray<string>) => {
        const { status, output } = await run(key, "labels", ...args)
        return [status, output] as const
      }
      for (const key of ["inference", "management", "other"] as const) {
        const [status, output] = await labels(key, "protect", label)
        assert.strictEqual(status, 1, key)
        assert.match(output, key === "inference" ? /management keys/ : /scope labels:gate/)
      }
      const listed = await labels("management", "list")
      assert.strictEqual(listed[0], 0)
      assert.match(listed[1], /^production +<time> {2}by (an operator|user_<id>)$/m)
      const movers = listed[1]
        .split("\n")
        .filter((line) => line.startsWith("  moved by  <id>  vbm_"))
      assert.lengthOf(movers, 2)
      // Keys are shown only to callers who can manage them.
      assert.match((await labels("other", "list"))[1], /only callers that manage keys/)
      const { keys } = JSON.parse(
        (await labels("management", "list", "--json"))[1].split("\n")[0] ?? ""
      )
      assert.deepStrictEqual(Object.keys(keys[0]), ["id", "hint", "name"])
      assert.deepStrictEqual(await labels("mover", "unprotect", "production"), [
        0,
        "production is not protected: any key that can designate versions can move it.\n"
      ])
      assert.deepStrictEqual(await labels("mover", "protect", "production"), [
        0,
        "production is protected: only keys with the scope labels:production can move it.\n"
      ])
      assert.match((await labels("mover", "list"))[1], /^production +<time> {2}by user_<id>$/m)
      assert.strictEqual((await labels("mover", "protect", "Upper"))[0], 2)
    })
  })
}

describe("the protection on a label", () => {
  it("can be set by an operator with access to the database", async () => {
    const run = (...args: ReadonlyArray<string>) =>
      operateInProcess(root, ["presets", "labels", ...args], {})
    assert.strictEqual((await run("protect", "owned")).status, 0)
    const { stdout } = await run("list")
    assert.match(stdout, /^owned .* by an operator\n {2}no key has the scope labels:owned$/m)
    assert.strictEqual((await run("unprotect", "owned")).status, 0)
    assert.notInclude((await run("list")).stdout, "owned")
  })
})
