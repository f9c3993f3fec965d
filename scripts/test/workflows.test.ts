/** Tests our GitHub workflows, and the preset workflow that the documentation offers to teams. */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"

const root = new URL("../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), "utf8")

/** GitHub's own parser, bundled because it imports JSON in a way that only bundlers accept. */
const loadParser = async (): Promise<typeof import("@actions/workflow-parser")> => {
  const input = fileURLToPath(import.meta.resolve("@actions/workflow-parser"))
  const bundle = await rolldown({ input, platform: "node", logLevel: "silent" })
  const folder = mkdtempSync(join(tmpdir(), "verbatim-parser-"))
  try {
    const file = join(folder, "parser.mjs")
    await bundle.write({ file, format: "esm", codeSplitting: false })
    return await import(pathToFileURL(file).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Finds a workflow's problems with GitHub's schema. */
const findErrors = async (name: string, content: string) => {
  const { NoOperationTraceWriter, parseWorkflow } = await loadParser()
  const parsed = parseWorkflow({ name, content }, new NoOperationTraceWriter())
  return parsed.context.errors.getErrors().map(({ message }) => message)
}

const path = ".github/workflows/release.yml"

const presetsPath = "deploy/github/presets.yml"

const workflows = [presetsPath, ...globSync(".github/workflows/*.yml", { cwd: root })]

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
}

interface Workflow {
  readonly permissions: unknown
  readonly concurrency: unknown
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions: Readonly<Record<string, string>>
        readonly strategy?: { readonly matrix: { readonly node: ReadonlyArray<number> } }
        readonly steps: Array<Step>
      }
    >
  >
}

const { jobs }: Workflow = parse(read(path))
const { permissions, steps } = jobs.publish ?? assert.fail("no job publishes")
const commandsIn = (each: ReadonlyArray<Step>) =>
  each.flatMap(({ run }) => (run === undefined ? [] : [run]))

const commands = commandsIn(steps)

describe("a workflow", () => {
  it.for(workflows)("%s is valid according to GitHub's schema", async (each) => {
    assert.deepStrictEqual(await findErrors(each, read(each)), [])
    assert.isNotEmpty(await findErrors(each, read(each).replace("runs-on:", "runs-upon:")))
  })

  it("tests every supported major version of Node, not only the one that npm ci installs", () => {
    const { node } = (parse(read(".github/workflows/test.yml")) as Workflow).jobs
    const [oldest] = JSON.parse(read("package.json")).engines.node.match(/\d+/)
    assert.deepStrictEqual(node?.strategy?.matrix.node, [Number(oldest), 24, 26])
    const expected = ["npm ci", "rm node_modules/.bin/node", "npm test"]
    assert.deepStrictEqual(commandsIn(node?.steps ?? []), expected)
  })
})

describe("the release", () => {
  it("publishes with provenance from the build job, without a token or another permission", () => {
    assert.deepStrictEqual(permissions, { contents: "read", "id-token": "write" })
    const publishing = steps.find(({ run }) => run === "npm run release")
    assert.deepStrictEqual(publishing?.env, { NPM_CONFIG_PROVENANCE: "true" })
    assert.notMatch(read(path), /secrets\.|TOKEN/)
  })

  it("lists the libraries that the server bundles", () => {
    const [command = "", target] = commands.find((each) => /sbom/.test(each))?.split(" > ") ?? []
    const [program = "", ...words] = command.split(" ")
    const { components } = JSON.parse(
      execFileSync(program, words, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
    )
    const names = components.map(({ purl }: { readonly purl: string }) => purl.split("@")[0])
    assert.includeMembers(names, ["pkg:npm/effect", "pkg:npm/undici", "pkg:npm/pg"])
    assert.match(target ?? "", /^packages\/server\/dist\//)
  })

  it("writes a changelog of all changes, and one version for all packages", () => {
    const copy = mkdtempSync(join(tmpdir(), "verbatim-release-"))
    const manifests = globSync("{.,packages/*,examples,bench}/package.json", { cwd: root })
    for (const file of [...manifests, "package-lock.json", ".changeset"])
      cpSync(new URL(file, root), join(copy, file), { recursive: true })
    const changes = globSync(".changeset/*.md", { cwd: copy }).length
    const tool = fileURLToPath(import.meta.resolve("@changesets/cli/bin.js"))
    execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: copy })
    execFileSync(process.execPath, [tool, "version"], { cwd: copy })
    const versions = globSync("{packages/*,examples,bench}/package.json", { cwd: copy }).map(
      (file) => JSON.parse(readFileSync(join(copy, file), "utf8")).version
    )
    assert.strictEqual(new Set(versions).size, 1)
    assert.deepStrictEqual(JSON.parse(read(".changeset/config.json")).fixed, [["@verbatim/*"]])
    assert.deepStrictEqual(globSync(".changeset/*.md", { cwd: copy }), [])
    const written = globSync("packages/*/CHANGELOG.md", { cwd: copy })
    if (changes > 0)
      assert.lengthOf(written, globSync("packages/*/package.json", { cwd: root }).length)
    rmSync(copy, { recursive: true })
  })

  it("only runs commands that exist, and runs all checks before it publishes", () => {
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
})

describe("the workflow for presets in a Git repository", () => {
  const workflow: Workflow = parse(read(presetsPath))

  const lastOf = (name: string) => workflow.jobs[name]?.steps.at(-1) ?? assert.fail("no step")

  it("plans with a read-only key, applies with a write key, and never cancels an apply", () => {
    const [plan, apply] = [lastOf("plan"), lastOf("apply")]
    assert.match(plan.run ?? "", /presets plan --base \S+ \|\| \[ \$\? -eq 2 \]$/)
    assert.match(apply.run ?? "", /presets apply --yes --base \S+ --comment "\$GITHUB_SHA"$/)
    assert.include(plan.env?.VERBATIM_KEY, "VERBATIM_READ_KEY")
    assert.include(apply.env?.VERBATIM_KEY, "VERBATIM_WRITE_KEY")
    assert.deepStrictEqual(workflow.permissions, { contents: "read" })
    assert.propertyVal(workflow.concurrency, "cancel-in-progress", false)
  })

  it("uses no untrusted text in a command", () => {
    const runs = Object.values(workflow.jobs).flatMap(({ steps }) => commandsIn(steps))
    const expressions = runs.flatMap((run) => run.match(/\$\{\{[^}]*\}\}/g) ?? [])
    for (const each of expressions) assert.match(each, /\.(?:sha|before) \}\}$/)
  })
})
