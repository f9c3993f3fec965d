/** What the definition of the API imports: a client that imports it pulls in no service. */
import { existsSync, readFileSync } from "node:fs"
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"

const root = new URL("../../../", import.meta.url)

/** All ways to import, for values and for types alike: a type pulls in its declaration. */
const imported = /\b(?:from|import)\s*\(?\s*"([^"]+)"/g

const ours = /^@verbatim\/([^/]+)(\/.+)?$/

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly "@verbatim/source": string } | undefined>>
}

/** The file behind a door of one of our packages. */
const doorOf = (name: string, path: string): URL => {
  const folder = new URL(`packages/${name}/`, root)
  const manifest: Manifest = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"))
  const door = manifest.exports[`.${path}`]?.["@verbatim/source"]
  assert.isDefined(door, `@verbatim/${name}${path}`)
  return new URL(door ?? "", folder)
}

/** The file behind a specifier; none for a specifier outside this repository. */
const resolve = (specifier: string, from: URL): URL | undefined => {
  if (specifier.startsWith(".")) return new URL(specifier, from)
  const [, name, path = ""] = ours.exec(specifier) ?? []
  return name === undefined ? undefined : doorOf(name, path)
}

/** Every file that a module imports, directly or not, by its path below the root. */
const walk = (entry: string): ReadonlySet<string> => {
  const seen = new Set<string>()
  const visit = (file: URL) => {
    const path = relative(fileURLToPath(root), fileURLToPath(file))
    if (seen.has(path)) return
    // This walk could not read a folder's index, which must not pass for a leaf.
    assert.isTrue(existsSync(file), path)
    seen.add(path)
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(imported)) {
      const target = resolve(specifier, file)
      if (target !== undefined) visit(target)
    }
  }
  visit(new URL(entry, root))
  return seen
}

/** The packages that a client of the API has as well, but for the services of core. */
const shared = /^packages\/(?:core|http|resolution)\//

const isServing = (path: string): boolean =>
  /^packages\/core\/src\/(?:services|worker|ports|index\.ts)/.test(path) ||
  (path.startsWith("packages/") && !shared.test(path))

describe("the imports of the API's definition", () => {
  for (const entry of ["Api", "Description"]) {
    it(`reach no service, worker, port or adapter from ${entry}`, () => {
      const files = walk(`packages/http/src/contract/${entry}.ts`)
      assert.deepStrictEqual([...files].filter(isServing), [])
      // The walk went through all three packages.
      assert.include([...files], "packages/http/src/contract/Authentication.ts")
      assert.include([...files], "packages/core/src/domain/preset/PresetView.ts")
    })
  }

  it("are told from those of the server, which has services", () => {
    const files = [...walk("packages/http/src/serve/Server.ts")].filter(isServing)
    assert.include(files, "packages/core/src/services/workspaces/Workspaces.ts")
    assert.include(files, "packages/core/src/ports/PresetStore.ts")
  })
})
