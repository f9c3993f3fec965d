/**
 * Which way imports may point: `core` knows nobody, adapters and http know core, only the
 * composition root knows both, and inside core each layer knows the ones before it.
 */
import { type Import, imports } from "./Imports.ts"
import type { Finding, Rule, Source } from "./Source.ts"

interface Territory {
  readonly root: string
  /** The packages it may import; its own `dependencies` are added where `ownMay` is true. */
  readonly may: ReadonlyArray<RegExp>
  readonly ownMay?: boolean
  readonly advice: string
}

const effect = /^effect(\/|$)/
const core = /^@verbatim\/core(\/|$)/

/** What each package may import from outside its own folder. */
export const territories: ReadonlyArray<Territory> = [
  {
    root: "packages/core/src/",
    may: [/^effect(?!\/(?:http|sql|process))(\/|$)/],
    advice: "core imports effect alone, without http, sql and process: write a port for the need"
  },
  {
    root: "packages/adapters/src/",
    may: [effect, /^@effect\//, /^node:/, /^@verbatim\/core(?!\/machine)(\/|$)/],
    ownMay: true,
    advice: "adapters know effect, node, their dependencies and core without its machines"
  },
  {
    root: "packages/http/src/",
    may: [effect, core],
    advice: "http imports effect and @verbatim/core alone: let packages/verbatim provide the rest"
  },
  {
    root: "packages/testkit/src/contracts/HeldBytes.ts",
    may: [/^node:v8$/, /^node:vm$/],
    advice: "the memory that is held is the engine's to tell, and nothing else is asked of node"
  },
  {
    root: "packages/testkit/src/servers/",
    may: [effect, /^node:/],
    advice:
      "a server for tests is a real program that node starts: it knows nothing but its contract"
  },
  {
    root: "packages/testkit/src/",
    may: [
      effect,
      core,
      /^@verbatim\/adapters\/memory$/,
      /^@effect\/vitest$/,
      /^vitest$/,
      /^fast-check$/
    ],
    advice:
      "testkit knows effect, core, the memory adapter and the runner: take the rest as a layer"
  }
]

interface CoreLayer {
  readonly name: string
  readonly holds: RegExp
}

const inCore = "packages/core/src/"

const services = [
  "Workspaces",
  "Presets",
  "Creations",
  "MediaIdentity",
  "Uploads",
  "Transcriptions",
  "Summaries",
  "Deliveries",
  "Submissions",
  "Commits",
  "Renewals",
  "Jobs"
]

/** The layers of core: each may import itself and those before it. */
export const coreLayers: ReadonlyArray<CoreLayer> = [
  { name: "the machine", holds: /^machine\// },
  { name: "the pure domain", holds: /^(?!machine\/|ports\/|worker\/|index\.ts$)/ },
  { name: "ports", holds: /^ports\// },
  {
    name: "services",
    holds: new RegExp(`/(?:${services.join("|")})[.]ts$`)
  },
  { name: "the worker", holds: /^worker\// },
  { name: "the index", holds: /^index\.ts$/ }
]

const layerOf = (path: string): number =>
  coreLayers.findLastIndex((layer) => layer.holds.test(path.slice(inCore.length)))

const rule = "direction"

const between = (source: Source, found: Import, target: string): ReadonlyArray<Finding> => {
  const own = /^packages\/[^/]+\//.exec(source.path)?.[0]
  if (own !== undefined && !target.startsWith(own)) {
    const advice = `${found.specifier} leaves its package: import it by the package's name`
    return [{ path: source.path, line: found.line, rule, advice }]
  }
  if (!source.path.startsWith(inCore) || !target.startsWith(inCore)) return []
  const [from, to] = [coreLayers[layerOf(source.path)], coreLayers[layerOf(target)]]
  if (from === undefined || to === undefined || layerOf(target) <= layerOf(source.path)) return []
  const advice = `${from.name} may not import ${to.name} (${found.specifier}): pass it in`
  return [{ path: source.path, line: found.line, rule, advice }]
}

/** The rule, given the `dependencies` of each package by its folder (`packages/adapters`). */
export const directions =
  (dependencies: ReadonlyMap<string, ReadonlyArray<string>>): Rule =>
  (source) =>
    imports(source).flatMap((found): ReadonlyArray<Finding> => {
      const { line, specifier, target } = found
      if (target !== undefined) return between(source, found, target)
      const territory = territories.find((each) => source.path.startsWith(each.root))
      if (territory === undefined || territory.may.some((each) => each.test(specifier))) return []
      const own = dependencies.get(territory.root.replace("/src/", "")) ?? []
      const isOwn = own.some((name) => specifier === name || specifier.startsWith(`${name}/`))
      if (territory.ownMay === true && isOwn && !specifier.startsWith("@verbatim/")) return []
      const advice = `${specifier}: ${territory.advice}`
      return [{ path: source.path, line, rule, advice }]
    })
