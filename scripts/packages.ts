/** Checks the packages with publint and the house rules, as npm would publish them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { folders, packAll, readManifest, root, type Tarball } from "./packages/Packing.ts"
import { disagreements, findingsIn, sources } from "./packages/Shipping.ts"

const project = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

const judge = async (packed: Tarball): Promise<ReadonlyArray<string>> => {
  const { files, folder, manifest } = packed
  const tarball = new Uint8Array(readFileSync(packed.path)).buffer
  const { messages } = await publint({ strict: true, pack: { tarball } })
  const read = (name: string) =>
    files.includes(name) ? readFileSync(join(root, "packages", folder, name), "utf8") : ""
  const projectLicence = readFileSync(join(root, "LICENSE"), "utf8")
  return [
    ...findingsIn({
      ...packed,
      readme: read("README.md"),
      licence: read("LICENSE"),
      project,
      projectLicence
    }),
    ...messages
      .filter(({ path }) => !path.includes(sources))
      .map((each) => `publint: ${formatMessage(each, { ...manifest }, { color: false })}`)
  ]
}

const findings = [...disagreements(folders.map(readManifest))]
const destination = mkdtempSync(join(tmpdir(), "verbatim-packages-"))
try {
  for (const packed of await packAll(folders, destination)) {
    for (const finding of await judge(packed))
      findings.push(`packages/${packed.folder}: ${finding}`)
  }
} finally {
  rmSync(destination, { recursive: true, force: true })
}
for (const finding of findings) console.error(finding)
console.log(`packages: ${folders.length} packed, ${findings.length} findings`)
if (findings.length > 0) process.exitCode = 1
