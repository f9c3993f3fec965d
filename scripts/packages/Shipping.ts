/**
 * House rules for published packages beyond publint and type checks. A package must have a licence
 * and a README, its entry points must have names, and its links must not leave the tarball.
 */
import { posix } from "node:path"
import { isDeepStrictEqual } from "node:util"
import type { Manifest, Tarball } from "./Packing.ts"

/** A packed package, with the README and licence to check. */
export interface Shipment extends Pick<Tarball, "folder" | "manifest" | "files"> {
  readonly readme: string
  readonly licence: string
  /** The project's own manifest, whose repository is the same for all packages. */
  readonly project: Omit<Manifest, "name" | "version">
  readonly projectLicence: string
}

type Rule = (shipment: Shipment) => ReadonlyArray<string>

/** The condition under which our tests resolve the sources, which are not published. */
export const sources = "@verbatim/source"

/** Lists the target paths of an `exports` entry, except our sources. */
const targetsOf = (entry: string | Readonly<Record<string, string>>): ReadonlyArray<string> =>
  typeof entry === "string"
    ? [entry]
    : Object.entries(entry).flatMap(([name, path]) => (name === sources ? [] : path))

const inTarball = (path: string): string => posix.normalize(path)

const doors: Rule = ({ files, manifest: { bin = {}, exports = {} } }) => {
  const named = Object.entries(exports)
  const absent = [...named.flatMap(([, entry]) => targetsOf(entry)), ...Object.values(bin)].filter(
    (path) => !path.includes("*") && !files.includes(inTarball(path))
  )
  return [
    ...named
      .filter(([door]) => door.includes("*"))
      .map(([door]) => `exports: list the entry points instead of ${door}`),
    ...(exports["./package.json"] === "./package.json"
      ? []
      : ["exports: ./package.json is missing"]),
    ...absent.map((path) => `${path} is not in the tarball`)
  ]
}

const texts: Rule = ({ files, licence, projectLicence, readme }) => [
  ...["README.md", "LICENSE"]
    .filter((name) => !files.includes(name))
    .map((name) => `${name} is missing`),
  ...(licence === projectLicence ? [] : ["LICENSE differs from the project's"]),
  ...(/^```(?:ts|sh)$/m.test(readme) ? [] : ["README.md shows no program"])
]

/** Lists a document's link targets, except those on other sites and anchors on its own page. */
export const linksIn = (document: string): ReadonlyArray<string> =>
  Array.from(document.matchAll(/\]\(([^)\s]+)\)/g), ([, target = ""]) => target)
    .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
    .map((target) => inTarball(target.replace(/#.*$/, "")))

const links: Rule = ({ files, readme }) =>
  linksIn(readme)
    .filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))
    .map((path) => `README.md links to ${path}, which is not in the tarball`)

const unwanted = /(?:^|\/)(?:test|node_modules)\/|[.]tsbuildinfo$/

const contents: Rule = ({ files, manifest }) => [
  ...files.filter((path) => unwanted.test(path)).map((path) => `${path} is in the tarball`),
  ...(manifest.files === undefined ? ["files is missing"] : []),
  ...(manifest.sideEffects === undefined ? ["sideEffects is missing"] : [])
]

/** Registries show these fields, and provenance requires the right repository. */
const origin: Rule = ({ folder, manifest, project }) => {
  const { bugs, homepage, keywords = [], license, repository } = manifest
  const { homepage: projectPage = "", repository: projectRepository } = project
  const directory = `packages/${folder}`
  const page = projectPage.replace("#", `/tree/main/${directory}#`)
  return [
    ...(isDeepStrictEqual(repository, { ...projectRepository, directory })
      ? []
      : ["repository is not the project's with the package's directory"]),
    ...(homepage === page ? [] : [`homepage is not ${page}`]),
    ...(bugs === project.bugs ? [] : ["bugs differs from the project's"]),
    ...(license === project.license ? [] : ["license differs from the project's"]),
    ...(keywords.length > 0 ? [] : ["keywords is missing"])
  ]
}

const rules: ReadonlyArray<Rule> = [doors, texts, links, contents, origin]

export const findingsIn = (shipment: Shipment): ReadonlyArray<string> =>
  rules.flatMap((rule) => rule(shipment))

/**
 * Finds packages whose version differs from the first package's, or that depend on other versions
 * of our packages.
 */
export const disagreements = (manifests: ReadonlyArray<Manifest>): ReadonlyArray<string> => {
  const versions = new Map(manifests.map(({ name, version }) => [name, version]))
  const [first] = versions.values()
  return manifests.flatMap(({ dependencies = {}, name, peerDependencies = {}, version }) => [
    ...(version === first ? [] : [`${name} has version ${version}, others ${first}`]),
    ...Object.entries({ ...dependencies, ...peerDependencies })
      .filter(([own, range]) => versions.has(own) && range !== versions.get(own))
      .map(
        ([own, range]) => `${name} requires ${own} ${range}, which has version ${versions.get(own)}`
      )
  ])
}
