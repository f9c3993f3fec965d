/**
 * Bundles the page from its sources: scripts and styles with content hashes in their names, a
 * document that loads these files, and compressed copies.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build, type Metafile } from "esbuild"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The folder for the built files, where the server looks for them. */
export const destination: string = at("../dist/page/")

/** The scripts that are loaded at startup, beginning with the entry point. */
const firstScripts = ({ outputs }: Metafile): ReadonlyArray<string> => {
  const found = new Set<string>()
  const follow = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    for (const { kind, path } of outputs[name]?.imports ?? []) {
      if (kind === "import-statement") follow(path)
    }
  }
  for (const [name, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint?.endsWith("main.tsx") === true && name.endsWith(".js")) follow(name)
  }
  return [...found]
}

const fileName = (path: string): string => path.split("/").at(-1) ?? path

const writeDocument = async (metafile: Metafile, icon: string): Promise<string> => {
  const template = await readFile(at("../page/index.html"), "utf8")
  const [main = "", ...others] = firstScripts(metafile).map(fileName)
  const style = fileName(Object.keys(metafile.outputs).find((path) => path.endsWith(".css")) ?? "")
  const lines = [
    `<link rel="icon" href="${icon}" type="image/svg+xml">`,
    `<link rel="stylesheet" href="${style}">`,
    ...others.map((name) => `<link rel="modulepreload" href="${name}">`),
    `<script type="module" src="${main}"></script>`
  ]
  return template.replace("<!-- files -->", lines.join("\n    "))
}

/** Writes a file atomically, because a server may be reading it. */
const put = async (folder: string, name: string, bytes: Uint8Array): Promise<void> => {
  const waiting = join(folder, `.${name}.${process.pid}`)
  await writeFile(waiting, bytes)
  await rename(waiting, join(folder, name))
}

const putBoth = async (folder: string, name: string, bytes: Uint8Array): Promise<void> => {
  const compressed = gzipSync(bytes, { level: 9 })
  if (compressed.length < bytes.length) await put(folder, `${name}.gz`, compressed)
  await put(folder, name, bytes)
}

/** Builds the page into a folder, and removes files that older builds left there. */
export const bundle = async (folder: string = destination): Promise<ReadonlyArray<string>> => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: at("../"),
    entryPoints: ["page/main.tsx", "page/styles/index.css"],
    outdir: folder,
    write: false,
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: "esm",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    conditions: ["@verbatim/source"],
    mainFields: ["module", "main"],
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    legalComments: "none",
    logLevel: "silent"
  })
  const icon = await readFile(at("../page/icon.svg"))
  const encoder = new TextEncoder()
  const files = [
    ...outputFiles.map(({ contents, path }) => ({ name: fileName(path), bytes: contents })),
    { name: "icon.svg", bytes: new Uint8Array(icon) },
    { name: "index.html", bytes: encoder.encode(await writeDocument(metafile, "icon.svg")) }
  ]
  await mkdir(folder, { recursive: true })
  // The document is written last, so that all files that it names exist.
  for (const { bytes, name } of files) await putBoth(folder, name, bytes)
  const names = new Set(files.flatMap(({ name }) => [name, `${name}.gz`]))
  for (const name of await readdir(folder)) {
    if (!names.has(name) && !name.startsWith(".")) await rm(join(folder, name), { force: true })
  }
  return files.map(({ name }) => name)
}
