/**
 * Stages as file systems without a builder: this machine's own, read-only, stands in for the image
 * that they begin with, and each stage keeps its changes in a layer over that. The folders of
 * people, and of this project, are not there. It takes Linux, root, and mounts of our own.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import type { Placed, Step } from "./Recipe.ts"

/** What a system has by itself; nothing else of this machine is seen. */
const ofSystem: ReadonlySet<string> = new Set(
  "bin boot dev etc lib lib32 lib64 libx32 opt proc run sbin srv sys tmp usr var".split(" ")
)

/** Runs a program that has to succeed. */
export const must = (program: string, ...args: ReadonlyArray<string>): void => {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" })
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`)
}

/** What a build needs of this machine to reach registries, and nothing else. */
const reaching = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]

const inherited = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...reaching, ...reaching.map((name) => name.toLowerCase())].flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    })
  )

const registry = (): string =>
  spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).stdout.trim()

/** Where programs are looked for in a container. */
const searchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** A stage that is being made, or is there. */
export interface Layer {
  /** What it changed. */
  readonly changes: string
  /** Those below it, the nearest first. */
  readonly below: ReadonlyArray<string>
  /** Where it is seen as a whole. */
  readonly root: string
}

/** The stand-in for an image of Node: this machine with the Node that runs this. */
export const makeBase = (folder: string): Layer => {
  const changes = join(folder, "base")
  mkdirSync(join(changes, "usr/local/bin"), { recursive: true })
  cpSync(process.execPath, join(changes, "usr/local/bin/node"))
  return { changes, below: ["/"], root: "" }
}

/** Mounts a layer, with what a running system has, and hides what is not the system's. */
const show = ({ below, changes, root }: Layer, work: string | undefined): void => {
  mkdirSync(root, { recursive: true })
  const lower = (work === undefined ? [changes, ...below] : below).join(":")
  const upper = work === undefined ? "ro" : `upperdir=${changes},workdir=${work}`
  must("mount", "-t", "overlay", "overlay", "-o", `lowerdir=${lower},${upper}`, root)
  for (const name of readdirSync(root)) {
    const path = join(root, name)
    const isHidden = !ofSystem.has(name) && name !== "app" && name !== "image"
    if (isHidden && lstatSync(path).isDirectory()) must("mount", "-t", "tmpfs", "none", path)
  }
  must("mount", "-t", "tmpfs", "none", join(root, "tmp"))
  must("mount", "-t", "proc", "none", join(root, "proc"))
  must("mount", "--rbind", "/dev", join(root, "dev"))
}

/** Begins a stage over another one. */
export const beginOver = (base: Layer, folder: string): Layer => {
  const layer = {
    changes: join(folder, "changes"),
    below: [base.changes, ...base.below],
    root: join(folder, "root")
  }
  const work = join(folder, "work")
  for (const path of [layer.changes, work]) mkdirSync(path, { recursive: true })
  show(layer, work)
  return layer
}

/** Shows a stage as a container sees it whose root file system is read-only. */
export const freeze = (layer: Layer, root: string): Layer => {
  const frozen = { ...layer, root }
  show(frozen, undefined)
  return frozen
}

/** Where a program runs, and as whom: `uid:gid`. */
interface Place extends Pick<Placed, "environment" | "folder"> {
  readonly user: string
}

/** A program in a layer, with this environment alone. */
export const commandIn = (
  { root }: Layer,
  { environment, folder, user }: Place,
  words: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...["env", "--ignore-environment", `PATH=${searchPath}`],
  ...Object.entries(environment).map(([name, value]) => `${name}=${value}`),
  ...[
    "chroot",
    `--userspec=${user}`,
    "--groups=",
    root,
    "/usr/bin/env",
    "--chdir",
    folder,
    ...words
  ]
]

const run = (layer: Layer, placed: Placed, command: string): void => {
  const environment = {
    HOME: "/root",
    npm_config_registry: registry(),
    ...inherited(),
    ...placed.environment
  }
  const place = { ...placed, environment, user: "0:0" }
  const [program = "", ...args] = commandIn(layer, place, ["sh", "-c", command])
  const ended: SpawnSyncReturns<Buffer> = spawnSync(program, args, { stdio: "inherit" })
  if (ended.status !== 0) throw new Error(`the image would not be made: ${command}`)
}

const copy = (
  layer: Layer,
  { folder, step }: Placed & { readonly step: Extract<Step, { readonly _tag: "Copy" }> },
  origin: string
): void => {
  const target = step.target.startsWith("/") ? step.target : join(folder, step.target)
  for (const source of step.sources) {
    const from = join(origin, source)
    if (!existsSync(from)) throw new Error(`there is nothing to copy: ${source}`)
    const isFolder = lstatSync(from).isDirectory()
    const place = !isFolder && step.target.endsWith("/") ? join(target, basename(source)) : target
    cpSync(from, join(layer.root, place), { recursive: true, verbatimSymlinks: true })
  }
}

/** Takes one step in a layer. `originOf` is where a copy comes from. */
export const take = (
  layer: Layer,
  placed: Placed,
  originOf: (stage: string | undefined) => string
): void => {
  const { step } = placed
  mkdirSync(join(layer.root, placed.folder), { recursive: true })
  if (step._tag === "Run") run(layer, placed, step.command)
  else copy(layer, { ...placed, step }, originOf(step.from))
}
