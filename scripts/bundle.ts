/**
 * Bundles the published packages. Each entry point becomes one file with declarations. Code that
 * entry points share or load lazily goes into chunks, so that a program reads a few files at its
 * start instead of a thousand. The arguments name packages. Without arguments, all packages are
 * bundled.
 */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { basename, isAbsolute, join, posix, sep } from "node:path"
import { type InputOptions, type OutputChunk, type Plugin, rolldown } from "rolldown"
import { dts } from "rolldown-plugin-dts"
import { folders, type Manifest, readManifest, root } from "./packages/Packing.ts"

type Inputs = Readonly<Record<string, string>>

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

const slashed = (path: string): string => path.split(sep).join("/")

/** A package's entry points and the programs that it starts, keyed by path in `dist`. */
const entriesOf = ({ exports = {}, sideEffects }: Manifest): ReadonlyArray<string> => {
  const doors = Object.values(exports).map((entry) => Object(entry).default as string | undefined)
  const programs = Array.isArray(sideEffects) ? sideEffects : []
  const files = [...doors, ...programs].filter((path) => path?.startsWith("./dist/"))
  return files.map((path) => path?.replace(/^\.\/dist\/|\.js$/g, "") ?? "")
}

const inputs = (manifest: Manifest, folder: string, extension: string): Inputs =>
  Object.fromEntries(entriesOf(manifest).map((name) => [name, join(folder, name + extension)]))

/** Third-party packages are imported, not copied. */
const isInstalled = (id: string): boolean =>
  !id.startsWith(".") && !id.startsWith("#src/") && !isAbsolute(id)

const source = /\/packages\/[^/]+\/src\/(.+)\.tsx?$/

/** Resolves the URLs of modules, so that every chunk finds the files next to a module. */
const resolveModuleUrls: Plugin = {
  name: "resolve-module-urls",
  transform: {
    filter: { code: /\bimport\.meta\.url\b/, id: source },
    handler: (code, id) => {
      const [, path] = source.exec(slashed(id)) ?? []
      return code.replaceAll(/\bimport\.meta\.url\b/g, `__moduleUrl__("${path}.js")`)
    }
  },
  renderChunk: (code, { fileName }) =>
    code.replaceAll(/__moduleUrl__\("(.+?)"\)/g, (_, path: string) =>
      path === fileName
        ? "import.meta.url"
        : `new URL("${posix.relative(posix.dirname(fileName), path)}", import.meta.url).href`
    )
}

/**
 * Escapes all characters outside Latin-1. A single such character makes V8 store the whole file
 * with two bytes per character, which costs an idle server 6 MB of memory.
 */
const escapeCharacters: Plugin = {
  name: "escape-characters",
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue
      chunk.code = chunk.code.replaceAll(
        /[^\u0000-\u00ff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
      )
    }
  }
}

const write = async (options: InputOptions, folder: string, extension: ".js" | ".d.ts") => {
  const bundle = await rolldown({ ...options, checks: { bundlerTimings: false } })
  const { output } = await bundle.write({
    dir: folder,
    // Doc comments are removed from the code, because the declarations also contain them.
    comments: extension === ".js" ? { jsdoc: false } : true,
    entryFileNames: `[name]${extension}`,
    chunkFileNames: `chunks/[name]-[hash]${extension}`
  })
  await bundle.close()
  return output.filter((file): file is OutputChunk => file.type === "chunk")
}

const writePrograms = (
  options: InputOptions,
  folder: string
): Promise<ReadonlyArray<OutputChunk>> =>
  write(
    {
      platform: "node",
      tsconfig: false,
      resolve: { conditionNames: ["@verbatim/source", "node", "import"] },
      ...options,
      plugins: [options.plugins, resolveModuleUrls, escapeCharacters]
    },
    folder,
    ".js"
  )

const writeDeclarations = (manifest: Manifest, folder: string) => {
  const types = join(folder, "types")
  return write(
    {
      input: inputs(manifest, types, ".d.ts"),
      external: isInstalled,
      plugins: [
        dts({ dtsInput: true, emitDtsOnly: true, oxc: true, tsconfig: false }),
        {
          name: "own-imports",
          resolveId: (id) => (id.startsWith("#src/") ? join(types, `${id.slice(5)}.d.ts`) : null)
        }
      ]
    },
    folder,
    ".d.ts"
  )
}

/** The packages bundled into the console's page. */
const pageFolders = ["preact", "@preact/signals", "@preact/signals-core"].map((name) =>
  join(root, "node_modules", name)
)

/** Returns the folders of the packages that the chunks contain. */
const packagesIn = (chunks: ReadonlyArray<OutputChunk>): ReadonlyArray<string> => {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds).map(slashed)
  return modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [])
}

const licenceFile = /^(?:licen[cs]e|notice)(?:\.(?:md|txt))?$/i

/** Writes the licences of packages. Some packages contain only the name of their licence. */
const writeLicences = (dist: string, packages: ReadonlyArray<string>): void => {
  const texts = [...new Set(packages)].sort().map((folder) => {
    const { author, license, name, version } = readJson(join(folder, "package.json"))
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (path) => !path.includes("node_modules") && licenceFile.test(basename(path))
    )
    const notices = files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim())
    const by = author === undefined ? "" : ` by ${author.name ?? author}`
    return [`${name} ${version}${by} (${license})`, ...notices].join("\n\n")
  })
  writeFileSync(join(dist, "LICENSES.txt"), `${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`)
}

/**
 * The server bundles all dependencies except engines, because their packages contain separate
 * files.
 */
const engines = ["@ffmpeg/core", "sherpa-onnx-node"]

/** Programs that the server starts in separate processes and threads. */
const childPrograms = ["ffmpeg/WasmWorker", "whisper/Child"]

const copied = { "console/dist/page": "dist/page", "adapters/models": "models" } as const

/**
 * The guide's folder. `npm run site` builds the guide directly in the package, after the last
 * build.
 */
const guide = join(root, "packages/server/dist/guide")

/** Programs and plugins that a test adds to the server's bundle. */
export interface Additions {
  readonly input?: Inputs
  readonly plugins?: ReadonlyArray<Plugin>
}

/** Writes the server into a folder with the same layout as in its package. */
export const writeServer = async (
  folder: string,
  { input = {}, plugins = [] }: Additions = {}
): Promise<void> => {
  const all = {
    main: join(root, "packages/server/src/main.ts"),
    ...Object.fromEntries(
      childPrograms.map((name) => [name, join(root, "packages/adapters/src", `${name}.ts`)])
    ),
    ...input
  }
  const dist = join(folder, "dist")
  const chunks = await writePrograms({ input: all, external: engines, plugins: [...plugins] }, dist)
  writeLicences(dist, [...packagesIn(chunks), ...pageFolders])
  for (const [from, to] of Object.entries(copied)) {
    rmSync(join(folder, to), { recursive: true, force: true })
    cpSync(join(root, "packages", from), join(folder, to), { recursive: true })
  }
  const copy = join(dist, "guide")
  if (copy !== guide && existsSync(guide)) cpSync(guide, copy, { recursive: true })
}

/** Folders in `dist` that are kept, because other build programs write them. */
const kept = new Set(["types", "page"])

const writePackage = async (name: string): Promise<void> => {
  const manifest = readManifest(name)
  const folder = join(root, "packages", name)
  const dist = join(folder, "dist")
  mkdirSync(dist, { recursive: true })
  for (const file of readdirSync(dist)) {
    if (!kept.has(file)) rmSync(join(dist, file), { recursive: true })
  }
  if (name === "server") return writeServer(folder)
  const input = inputs(manifest, join(folder, "src"), ".ts")
  await writePrograms({ input, external: isInstalled }, dist)
  await writeDeclarations(manifest, dist)
  if (name === "console") writeLicences(dist, pageFolders)
  if (name === "core") {
    // A compiler can name a type only through an entry point that it has loaded. Because of these
    // imports, a host that uses core loads all of core's entry points.
    const doors = entriesOf(manifest).map((door) => `import type {} from "./${door}.js"\n`)
    appendFileSync(join(dist, "index.d.ts"), `\n${doors.join("")}`)
  }
}

if (import.meta.main) {
  const [, , ...named] = process.argv
  for (const name of named.length > 0 ? named : folders) await writePackage(name)
}
