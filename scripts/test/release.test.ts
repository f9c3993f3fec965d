import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { findErrors } from "./WorkflowErrors.ts"

const root = new URL("../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), "utf8")

const path = ".github/workflows/release.yml"

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      { readonly permissions: Readonly<Record<string, string>>; readonly steps: Array<Step> }
    >
  >
}

const { jobs }: Workflow = parse(read(path))
const { permissions, steps } = jobs.publish ?? assert.fail("no job publishes")
const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]))

describe("the release", () => {
  it("is valid according to GitHub's schema, which rejects invalid workflows", async () => {
    assert.deepStrictEqual(await findErrors(path, read(path)), [])
    assert.isNotEmpty(await findErrors(path, read(path).replace("runs-on:", "runs-upon:")))
  })

  it("attests the packages where they are built, and has no other write permission", () => {
    assert.deepStrictEqual(permissions, { contents: "read", "id-token": "write" })
    const publishing = steps.find(({ run }) => run === "npm run release")
    assert.strictEqual(publishing?.env?.NPM_CONFIG_PROVENANCE, "true")
  })

  it("runs only commands that exist, and runs all checks before it publishes", () => {
    const { scripts } = JSON.parse(read("package.json"))
    for (const command of commands) {
      const [program = "", verb = "", name = ""] = command.split(" ")
      if (program === "npm" && verb === "run") assert.property(scripts, name, command)
      else if (program !== "npm") assert.isTrue(existsSync(new URL(program, root)), command)
    }
    assert.strictEqual(commands[0], ".ci/run")
    assert.notStrictEqual(statSync(new URL(".ci/run", root)).mode & 0o111, 0)
    assert.strictEqual(commands.at(-1), "npm run release")
  })

  it("gives all packages the same version, and mentions only packages that exist", () => {
    const names = globSync("{packages/*,examples,bench}/package.json", { cwd: root }).map(
      (file) => JSON.parse(read(file)).name
    )
    const { fixed } = JSON.parse(read(".changeset/config.json"))
    assert.deepStrictEqual(fixed, [["@verbatim/*"]])
    for (const file of globSync(".changeset/*.md", { cwd: root })) {
      const [, head = ""] = /^---\n([\s\S]*?)---$/m.exec(read(file)) ?? []
      for (const [name, bump] of Object.entries(parse(head))) {
        assert.include(names, name, file)
        assert.include(["major", "minor", "patch"], bump, file)
      }
    }
  })
})
