/**
 * Checks the packages as npm would publish them, with publint and our own rules: a package has the
 * project's licence and links, a README with a program, and no tests.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, posix } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { folders, type Manifest, packAll, root, type Tarball } from "./packages/Packing.ts"

/** A packed package, with the README and licence to check. */
export interface Shipment extends Pick<Tarball, "folder" | "manifest" | "files"> {
  readonly readme: string
  readonly licence: string
  /** The project's own manifest, whose repository is the same for all packages. */
  readonly project: Pick<Manifest, "bugs" | "homepage" | "license" | "repository">
  readonly projectLicence: string
}

/** Lists a document's link targets, except those on other sites and anchors on its own page. */
const linksIn = (document: string): ReadonlyArray<string> =>
  Array.from(document.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target)
    .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
    .map((target) => posix.normalize(target.replace(/#.*$/, "")))

const unwanted = /(?:^|\/)(?:test|node_modules)\/|[.]tsbuildinfo$/

/** Lists the rules that a package breaks. */
export const findingsIn = ({ files, folder, manifest, project, readme, ...texts }: Shipment) => {
  const { exports = {}, homepage, keywords = [], repository } = manifest
  const directory = `packages/${folder}`
  const page = project.homepage?.replace("#", `/tree/main/${directory}#`)
  const rules = {
    "LICENSE is missing, or differs from the project's": texts.licence === texts.projectLicence,
    "README.md is missing, or shows no program": /^```(?:ts|sh)$/m.test(readme),
    "exports: ./package.json is missing": exports["./package.json"] === "./package.json",
    "exports: list the entry points instead of a pattern": !Object.keys(exports)
      .join()
      .includes("*"),
    "files is missing": manifest.files !== undefined,
    "sideEffects is missing": manifest.sideEffects !== undefined,
    "keywords is missing": keywords.length > 0,
    "bugs differs from the project's": manifest.bugs === project.bugs,
    "license differs from the project's": manifest.license === project.license,
    [`homepage is not ${page}`]: homepage === page,
    "repository is not the project's with the package's directory": isDeepStrictEqual(repository, {
      ...project.repository,
      directory
    })
  }
  const isPacked = (path: string) =>
    files.some((file) => file === path || file.startsWith(`${path}/`))
  return [
    ...Object.entries(rules).flatMap(([finding, isKept]) => (isKept ? [] : [finding])),
    ...files.filter((path) => unwanted.test(path)).map((path) => `${path} is in the tarball`),
    ...linksIn(readme)
      .filter((path) => !isPacked(path))
      .map((path) => `README.md links to ${path}, which is not in the tarball`)
  ]
}

const judge = async (packed: Tarball): Promise<ReadonlyArray<string>> => {
  const { files, folder, manifest } = packed
  const tarball = new Uint8Array(readFileSync(packed.path)).buffer
  const { messages } = await publint({ strict: true, pack: { tarball } })
  const read = (name: string) =>
    files.includes(name) ? readFileSync(join(root, "packages", folder, name), "utf8") : ""
  const findings = findingsIn({
    ...packed,
    readme: read("README.md"),
    licence: read("LICENSE"),
    project: JSON.parse(readFileSync(join(root, "package.json"), "utf8")),
    projectLicence: readFileSync(join(root, "LICENSE"), "utf8")
  })
  // Our tests resolve the sources, which are not published, under a condition of their own.
  const ours = messages.filter(({ path }) => !path.includes("@verbatim/source"))
  return [
    ...findings,
    ...ours.map((each) => `publint: ${formatMessage(each, { ...manifest }, { color: false })}`)
  ]
}

if (import.meta.main) {
  const destination = mkdtempSync(join(tmpdir(), "verbatim-packages-"))
  let count = 0
  try {
    for (const packed of await packAll(folders, destination)) {
      for (const finding of await judge(packed)) {
        count += 1
        console.error(`packages/${packed.folder}: ${finding}`)
      }
    }
  } finally {
    rmSync(destination, { recursive: true, force: true })
  }
  console.log(`packages: ${folders.length} packed, ${count} findings`)
  if (count > 0) process.exitCode = 1
}
