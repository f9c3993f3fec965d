/**
 * Creates a host project: an empty folder into which our packages are installed from tarballs, and
 * other packages in the versions from our lock file.
 */
import { execFile } from "node:child_process"
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { npm, root } from "./Packing.ts"

const run = promisify(execFile)

const lock: Readonly<Record<string, { readonly version?: string }>> = JSON.parse(
  readFileSync(join(root, "package-lock.json"), "utf8")
).packages

/** Returns a package with the version that we test against. */
export const locked = (name: string): string => {
  const version = lock[`node_modules/${name}`]?.version
  if (version === undefined) throw new Error(`${name} is not in the lock file`)
  return `${name}@${version}`
}

/** The compilers that hosts use: the latest one, and the last one written in JavaScript. */
const compilers = {
  newest: join(root, "node_modules/typescript/bin/tsc"),
  last: join(root, "packages/client/node_modules/typescript/bin/tsc")
}

/** The strictest compiler options that hosts use, which also check all packages' declarations. */
const strict = {
  target: "ES2024",
  // Effect's declarations use browser types.
  lib: ["ES2024", "DOM", "DOM.Iterable"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  noEmit: true,
  allowImportingTsExtensions: true
}

const resolutions = {
  nodenext: { module: "nodenext" },
  bundler: { module: "esnext", moduleResolution: "bundler" }
}

/** A host project, whose files can be compiled and run. */
export interface Host {
  readonly folder: string
  readonly install: (words: ReadonlyArray<string>) => Promise<void>
  /** The installed size in MiB, on a disk with blocks of 4 KiB. */
  readonly megabytes: () => number
  /** Copies files from this project to the same paths in the host. */
  readonly copy: (paths: ReadonlyArray<string>) => void
  readonly write: (path: string, text: string) => void
  /**
   * Type-checks files with the import resolution of Node and of bundlers. Rejects with the errors.
   */
  readonly compile: (paths: ReadonlyArray<string>) => Promise<void>
  /** Runs a file or program with arguments, and returns its output. */
  readonly run: (
    words: ReadonlyArray<string>,
    environment?: Readonly<Record<string, string>>
  ) => Promise<string>
}

const block = 4_096

const sizeOf = (path: string): number => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? Math.ceil(stat.size / block) * block : 0
}

const explained = async (work: Promise<{ readonly stdout: string }>, what: string) => {
  try {
    return (await work).stdout
  } catch (cause) {
    const { stderr = "", stdout = "" } = Object(cause)
    throw new Error(`${what}: ${stdout}${stderr}`.trim())
  }
}

/** Creates an empty host in a folder. */
export const makeHost = (place: string, name: string): Host => {
  const folder = mkdtempSync(join(place, `${name}-`))
  const write: Host["write"] = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write("package.json", JSON.stringify({ private: true, type: "module" }))
  return {
    folder,
    write,
    install: async (words) => {
      await npm(["install", "--no-audit", "--no-fund", "--ignore-scripts", ...words], {
        cwd: folder
      })
    },
    megabytes: () =>
      globSync("node_modules/**", { cwd: folder })
        .map((path) => sizeOf(join(folder, path)))
        .reduce((sum, size) => sum + size, 0) / 1_048_576,
    copy: (paths) => {
      for (const path of paths) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        copyFileSync(join(root, path), join(folder, path))
      }
    },
    compile: async (files) => {
      for (const [compiler, program] of Object.entries(compilers)) {
        for (const [resolution, options] of Object.entries(resolutions)) {
          const compilerOptions = { ...strict, ...options }
          write("tsconfig.json", JSON.stringify({ compilerOptions, files }))
          const work = run(process.execPath, [program, "-p", folder])
          await explained(work, `${name}: ${compiler} compiler, ${resolution}`)
        }
      }
    },
    run: (words, environment = {}) => {
      const env = { ...process.env, ...environment }
      return explained(run(process.execPath, words, { cwd: folder, env }), words.join(" "))
    }
  }
}
