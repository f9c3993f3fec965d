/** Tests the help text for variables, and shell completions. */
import { spawnSync } from "node:child_process"
import { assert, describe, it } from "vitest"
import { fitRow, formatTable } from "#src/command/terminal/helpLayout"
import { allParts, environmentName } from "#src/settings/Variables"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory, operate } from "./ServerProcess.ts"

const print = async (args: ReadonlyArray<string>, run = operateInProcess): Promise<string> => {
  await using data = await dataDirectory()
  const { status, stderr, stdout } = await run(data.path, args)
  assert.deepStrictEqual([status, stderr], [0, ""])
  return stdout
}

describe("verbatim help configuration", () => {
  it("shows each variable with its default and allowed values", async () => {
    const printed = await print(["help", "configuration"])
    const paragraphs = printed.split("\n\n")
    for (const part of allParts) {
      assert.include(paragraphs, part.heading.toUpperCase())
      for (const { name } of part.variables) {
        const [paragraph = ""] = paragraphs.filter((each) =>
          each.startsWith(`  ${environmentName(name, part)}\n`)
        )
        assert.match(paragraph, /\n {6}default: \S[\s\S]*\n {6}allowed: \S/, name)
      }
    }
    const port = paragraphs.find((each) => each.startsWith("  VERBATIM_PORT\n")) ?? ""
    assert.include(port, "default: 8787\n      allowed: a whole number from 0 to 65535")
    assert.isTrue(printed.split("\n").every((line) => line.length <= 80))
    assert.notMatch(printed, /`|\]\(/, "what only pages can show")
  })
})

describe("a row of a list", () => {
  it("is broken only between columns, and only if it is wider than the terminal", () => {
    const row = '01900000  inference   last used today  name "a b"'
    assert.strictEqual(fitRow(row, 50), row)
    assert.strictEqual(fitRow(row, 30), '01900000  inference\n    last used today\n    name "a b"')
  })
})

describe("a table", () => {
  it("has headings, and no columns without values", () => {
    const rows = [
      { name: "a", note: "", size: "10" },
      { name: "bcdefg", size: "" }
    ]
    assert.deepStrictEqual(formatTable(rows), ["NAME    SIZE", "a       10", "bcdefg"])
  })
})

describe("verbatim completions", () => {
  /** Returns bash's completions for the last word. */
  const offeredBy = (script: string, ...words: ReadonlyArray<string>): ReadonlyArray<string> => {
    const quoted = words.map((word) => `"${word}"`).join(" ")
    const completion = [
      script,
      `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}`,
      `COMP_LINE="${words.join(" ")}"; COMP_POINT=\${#COMP_LINE}`,
      "$(complete -p verbatim | sed -E 's/.*-F ([^ ]+) .*/\\1/') verbatim",
      `printf "%s\\n" "\${COMPREPLY[@]}"`
    ].join("\n")
    const { stderr, stdout } = spawnSync("bash", ["--norc", "-c", completion], { encoding: "utf8" })
    assert.strictEqual(stderr, "")
    return stdout.trim().split("\n")
  }

  it("completes commands, flags and values in bash", async () => {
    const script = await print(["completions", "bash"], operate)
    assert.deepStrictEqual(offeredBy(script, "verbatim", "do"), ["doctor"])
    assert.includeMembers([...offeredBy(script, "verbatim", "keys", "")], ["create", "revoke"])
    assert.deepStrictEqual(offeredBy(script, "verbatim", "doctor", "--js"), ["--json"])
    assert.includeMembers([...offeredBy(script, "verbatim", "completions", "")], ["bash", "fish"])
  })

  it.each([
    ["zsh", /^#compdef verbatim/m],
    ["fish", /^complete .*verbatim/m]
  ])("prints a script for %s that knows the commands", async (shell, form) => {
    const script = await print(["completions", shell])
    assert.match(script, form)
    for (const command of ["doctor", "serve", "completions"]) assert.include(script, command)
  })
})
