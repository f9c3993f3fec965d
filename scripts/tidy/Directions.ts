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
    may: [effect, /^@effect\//, /^node:/, /^@verbatim\/core(?!\/domain\/machine)(\/|$)/],
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
    root: "packages/testkit/src/simulation/main.ts",
    may: [/^node:(?:os|util|worker_threads)$/],
    advice:
      "the command reads its arguments and shares the work among threads; the rest is below it"
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

const inCore = "packages/core/src/"

/** The folders of core: each may import itself and those before it. */
export const coreFolders: ReadonlyArray<string> = [
  "domain/machine/",
  "domain/schema/",
  "domain/workspace/",
  "domain/outbound/",
  "domain/idempotency/",
  "domain/request/",
  "domain/preset/",
  "domain/attempt/",
  "domain/summary/",
  "domain/transcription/",
  "domain/rendering/",
  "domain/delivery/",
  "domain/job/",
  "ports/",
  "services/",
  "worker/",
  "index.ts"
]

/** Of a folder that is not listed: -1, so that it may import nothing and nobody may import it. */
const placeOf = (path: string): number =>
  coreFolders.findIndex((folder) => path.startsWith(inCore + folder))

const rule = "direction"

const between = (source: Source, found: Import, target: string): ReadonlyArray<Finding> => {
  const own = /^packages\/[^/]+\//.exec(source.path)?.[0]
  if (own !== undefined && !target.startsWith(own)) {
    const advice = `${found.specifier} leaves its package: import it by the package's name`
    return [{ path: source.path, line: found.line, rule, advice }]
  }
  if (!source.path.startsWith(inCore) || !target.startsWith(inCore)) return []
  const [from, to] = [placeOf(source.path), placeOf(target)]
  if (from >= 0 && to >= 0 && to <= from) return []
  const advice =
    from < 0 || to < 0
      ? `${found.specifier} joins a folder of core that has no place in the order of the layers`
      : `${coreFolders[from]} may not import ${coreFolders[to]} (${found.specifier})`
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
