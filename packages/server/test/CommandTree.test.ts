/** Tests the rules that every command, including a new one, must follow. */
import { Completions } from "effect/cli"
import { assert, describe, it } from "vitest"
import { verbatim } from "#src/Program"
import { operateInProcess } from "./operateInProcess.ts"
import { dataDirectory } from "./ServerProcess.ts"

type Descriptor = ReturnType<typeof Completions.fromCommand>

/** Lists all commands by name, including groups. */
const list = (
  { subcommands, ...command }: Descriptor,
  words: ReadonlyArray<string> = []
): ReadonlyArray<{
  readonly words: ReadonlyArray<string>
  readonly isGroup: boolean
  readonly flags: Descriptor["flags"]
}> => [
  { words, isGroup: subcommands.length > 0, flags: command.flags },
  ...subcommands.flatMap((each) => list(each, [...words, each.name]))
]

const commands = list(Completions.fromCommand(verbatim))

/** Commands that lack `--json`, each with the reason. */
const withoutJson: Readonly<Record<string, string>> = {
  serve: "has no result; its log has a JSON format",
  completions: "prints a shell script"
}

describe("every command", () => {
  it("has a --json flag or a documented reason for its absence", () => {
    const missing = commands
      .filter(({ flags, isGroup }) => !isGroup && !flags.some(({ name }) => name === "json"))
      .map(({ words }) => words.join(" "))
    assert.sameMembers(missing, Object.keys(withoutJson))
  })

  it("has help that fits into 80 columns", async () => {
    await using directory = await dataDirectory()
    for (const { words } of commands) {
      const { status, stdout } = await operateInProcess(directory.path, [...words, "--help"])
      assert.strictEqual(status, 0)
      for (const line of stdout.split("\n")) {
        assert.isAtMost(line.length, 80, `${words.join(" ")}: ${line}`)
      }
    }
  })

  it("explains an unknown flag in at most three lines, with a suggestion", async () => {
    await using directory = await dataDirectory()
    for (const { flags, isGroup, words } of commands) {
      if (isGroup || !flags.some(({ name }) => name === "json")) continue
      const { status, stderr } = await operateInProcess(directory.path, [...words, "--jsn"])
      assert.strictEqual(status, 2)
      const lines = stderr.trim().split("\n")
      assert.isAtMost(lines.length, 3, stderr)
      assert.include(lines, "Did you mean --json?")
      assert.strictEqual(lines.at(-1), `See \`verbatim ${words.join(" ")} --help\`.`)
    }
  })

  it("says that a flag needs a number", async () => {
    await using directory = await dataDirectory()
    const { status, stderr } = await operateInProcess(directory.path, ["serve", "--port", "web"])
    const [line] = stderr.split("\n")
    assert.strictEqual(status, 2)
    assert.strictEqual(line, 'Invalid value for flag --port: "web". Expected: a number')
  })
})
