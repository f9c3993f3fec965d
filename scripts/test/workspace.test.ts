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

describe("the workspace", () => {
  it("requires the same Node version in every package, and the same peer version of effect", () => {
    for (const path of manifests) {
      const manifest = json(path)
      // `client` and `resolution` do not use effect, and `server` bundles it.
      const isAlone = ["client", "resolution", "server"].includes(manifest.name.split("/")[1])
      const effect = isAlone ? undefined : "~4.1.0"
      assert.strictEqual(manifest.peerDependencies?.effect, effect, path)
      assert.strictEqual(manifest.engines.node, json("package.json").engines.node, path)
    }
  })

  it("resolves packages to their sources in tests and in tests' child processes", async () => {
    const program = 'console.log(import.meta.resolve("@verbatim/core"))'
    const options = [...process.execArgv, "--input-type=module", "--eval", program]
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root })
    assert.strictEqual(stdout.trim(), new URL("packages/core/src/index.ts", root).href)
  })

  it("has one TypeScript compiler, and a second one only for the client's generated types", () => {
    const compilers = Object.keys(lock).filter((path) => path.endsWith("node_modules/typescript"))
    assert.sameMembers(compilers, [
      "node_modules/typescript",
      "packages/client/node_modules/typescript"
    ])
  })

  it("locks the packages for every platform, all from the public registry", () => {
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
