/** Packs packages as they would be published, and lists the contents of npm's tarballs. */
import { execFile } from "node:child_process"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const root: string = fileURLToPath(new URL("../../", import.meta.url))

/** The fields of a `package.json` that concern publishing. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly keywords?: ReadonlyArray<string>
  readonly homepage?: string
  readonly bugs?: string
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string }
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin?: Readonly<Record<string, string>>
  readonly sideEffects?: boolean | ReadonlyArray<string>
  readonly files?: ReadonlyArray<string>
}

export interface Tarball {
  /** The package's folder in `packages`. */
  readonly folder: string
  readonly path: string
  readonly manifest: Manifest
  /** Paths of the files in the tarball. */
  readonly files: ReadonlyArray<string>
}

/** The published packages' folders. */
export const folders: ReadonlyArray<string> = globSync("packages/*/package.json", { cwd: root })
  .map((path) => path.replaceAll("\\", "/").split("/")[1] ?? "")
  .sort()

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"))

export const npm = async (
  words: ReadonlyArray<string>,
  options: { readonly cwd: string }
): Promise<string> => {
  const all = [...words, "--loglevel=error"]
  // On Windows, npm is a shell script. No argument contains a space.
  const { stdout } = await promisify(execFile)("npm", all, {
    ...options,
    shell: process.platform === "win32",
    // The buffer must be large enough for a package's file names.
    maxBuffer: 16 * 1_048_576
  })
  return stdout
}

export const packAll = async (
  names: ReadonlyArray<string>,
  destination: string
): Promise<ReadonlyArray<Tarball>> => {
  const words = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination]
  const workspaces = names.map((folder) => `--workspace=packages/${folder}`)
  const packed = JSON.parse(await npm([...words, ...workspaces], { cwd: root }))
  return names.map((folder) => {
    const manifest = readManifest(folder)
    const found: { readonly filename: string; readonly files: ReadonlyArray<{ path: string }> } =
      Object.values<typeof found & { readonly name: string }>(packed).find(
        ({ name }) => name === manifest.name
      ) ?? { filename: "", files: [] }
    const path = join(destination, found.filename)
    return { folder, path, manifest, files: found.files.map((file) => file.path) }
  })
}
