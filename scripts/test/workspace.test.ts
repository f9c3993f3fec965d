import { execFile } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

const root = new URL("../../", import.meta.url)

const json = (path: string) => JSON.parse(readFileSync(new URL(path, root), "utf8"))

const manifests = globSync("packages/*/package.json", { cwd: root })

const lock: Readonly<Record<string, Locked>> = json("package-lock.json").packages

interface Locked {
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

describe("workspace", () => {
  it("asks for one Node in every package, and for one effect where a host has it", () => {
    for (const path of manifests) {
      const manifest = json(path)
      // The first two have none in them, the server has its own.
      const isAlone = ["client", "resolution", "server"].includes(manifest.name.split("/")[1])
      const effect = isAlone ? undefined : "~4.1.0"
      assert.strictEqual(manifest.peerDependencies?.effect, effect, path)
      assert.strictEqual(manifest.engines.node, json("package.json").engines.node, path)
    }
  })

  it("resolves a package to its source, in the tests and in what they start", async () => {
    const program = 'console.log(import.meta.resolve("@verbatim/core"))'
    const options = [...process.execArgv, "--input-type=module", "--eval", program]
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root })
    assert.strictEqual(stdout.trim(), new URL("packages/core/src/index.ts", root).href)
  })

  it("has one compiler, but for what writes the types of the client", () => {
    const compilers = Object.keys(lock).filter((path) => path.endsWith("node_modules/typescript"))
    assert.sameMembers(compilers, [
      "node_modules/typescript",
      "packages/client/node_modules/typescript"
    ])
  })

  it("locks what every platform needs, from the public registry alone", () => {
    const locked = new Set(Object.keys(lock).map((path) => path.split("node_modules/").at(-1)))
    for (const [path, { optionalDependencies = {}, resolved = "" }] of Object.entries(lock)) {
      assert.match(
        resolved,
        /^$|^(packages|examples|bench)|^https:\/\/registry\.npmjs\.org\//,
        path
      )
      for (const name of Object.keys(optionalDependencies)) assert.isTrue(locked.has(name), name)
    }
  })
})
