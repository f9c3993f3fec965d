/** Tests that core exports the version in every package.json. */
import { globSync, readFileSync } from "node:fs"
import { assert, it } from "vitest"
import { version } from "#src/domain/version/index"

it("the exported version equals the version of every package", () => {
  const folder = new URL("../../../../", import.meta.url)
  const manifests = globSync("*/package.json", { cwd: folder })
  assert.isAbove(manifests.length, 5)
  for (const path of manifests) {
    const manifest = JSON.parse(readFileSync(new URL(path, folder), "utf8")) as { version: string }
    assert.strictEqual(manifest.version, version, `${path} and packages/core/src/domain/version`)
  }
})
